"""Pytest runs the examples of the pages in this folder; the code that builds the site from them has its own tests."""

collect_ignore = ["site"]
