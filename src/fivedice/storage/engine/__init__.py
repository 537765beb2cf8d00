"""Connections to SQLite and PostgreSQL, and the thread that writes."""
