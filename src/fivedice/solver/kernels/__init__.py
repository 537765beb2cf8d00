"""Functions over flat arrays, outputs last, from which `release/kernels.py` builds libraries."""
