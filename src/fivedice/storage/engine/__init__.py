"""Connections to SQLite and PostgreSQL, and the writer thread."""
