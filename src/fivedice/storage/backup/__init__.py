"""A database as one file."""
