"""Tournaments and clubs as pure values: a command with its context becomes events, and these replay to a state."""
