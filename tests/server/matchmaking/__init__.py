"""Tests of open seats."""
