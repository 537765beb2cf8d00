"""Processes that share a database: who is connected to each, and when the service was up."""
