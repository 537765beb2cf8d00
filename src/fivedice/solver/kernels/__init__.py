"""Functions over flat arrays, outputs last, which Numba compiles: for a library (`native`), or when they are called."""
