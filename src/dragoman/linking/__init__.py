"""What the model needs to see of a database."""
