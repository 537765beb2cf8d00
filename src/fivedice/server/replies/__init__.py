"""Replies about rules, positions and games as pure functions, for HTTP and for tables in a browser."""
