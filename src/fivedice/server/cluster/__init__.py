"""Processes that share a database: who is connected to which, and when the service was up."""
