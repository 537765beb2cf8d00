"""Visitors, who are identified by a cookie, and the holders of seats."""
