"""Reads and writes files of records."""
