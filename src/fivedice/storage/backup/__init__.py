"""Backup and restore of a database as one file."""
