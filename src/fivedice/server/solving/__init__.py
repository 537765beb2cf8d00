"""Exact solutions for the server: solved in a child process, used for advice."""
