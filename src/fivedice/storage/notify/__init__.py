"""Announcements between processes that share a PostgreSQL database, by LISTEN and NOTIFY."""
