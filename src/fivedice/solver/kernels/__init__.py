"""Functions that Numba compiles, over flat arrays; outputs last."""
