"""Functions over flat arrays, outputs last, compiled by Numba."""
