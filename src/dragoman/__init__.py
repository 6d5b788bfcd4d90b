"""Dragoman answers questions over SQL databases, and can prove that it does."""
