"""Builds, checks and prepares releases; no part of the installed program."""
