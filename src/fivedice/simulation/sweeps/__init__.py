"""Sweeps: the exact figures of many variants of the rules."""
