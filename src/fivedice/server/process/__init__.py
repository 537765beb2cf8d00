"""A server process: its sockets, its start and its shutdown."""
