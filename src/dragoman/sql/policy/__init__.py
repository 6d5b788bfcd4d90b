"""What the read-only guard knows of each dialect, as data files with a reason for each entry."""
