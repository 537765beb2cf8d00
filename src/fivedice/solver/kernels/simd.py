"""Blocks of eight lanes for kernels: aligned arrays, and by name the instructions of `release/intrinsics.py`."""

from typing import Any

import numpy as np

from fivedice.solver.kernels.native import Instruction
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
    """An instruction by its name."""
    if name.startswith("__"):
        raise AttributeError(name)
    return Instruction(name)
