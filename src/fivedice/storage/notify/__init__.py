"""Announcements between processes that share a PostgreSQL database."""
