"""Is this answer right? One verdict per example, never an average."""
