"""Blocks of eight lanes for kernels: aligned arrays, and by name the instructions of `intrinsics`, which need Numba."""

from importlib import import_module
from typing import Any

import numpy as np

from fivedice.solver.kernels.jit import COMPILES
from fivedice.solver.tables.states import BLOCK, Array

_CACHE_LINE = 64
"""Bytes."""
ALL_LANES = 2**BLOCK - 1
"""Bits for the lanes of a vector, all of them set."""


def aligned_zeros(size: int) -> Array:
    """float64[size], aligned to cache lines, since a vector across two of them would cost twice."""
    memory = np.zeros(size + _CACHE_LINE // 8)
    start = -memory.ctypes.data % _CACHE_LINE // 8
    return memory[start : start + size]


def __getattr__(name: str) -> Any:
    """An instruction for kernels that are compiled here; kernels of a library were compiled with theirs."""
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(import_module("fivedice.solver.kernels.intrinsics"), name) if COMPILES else None
