"""Blocks of eight lanes for kernels: aligned arrays, and by name the instructions of `release/intrinsics.py`."""

from typing import Any

import numpy as np

from fivedice.solver.kernels.native import Instruction
from fivedice.solver.tables.states import BLOCK, Array

_CACHE_LINE = 64
"""Bytes."""
ALL_LANES = 2**BLOCK - 1
"""Bits for the lanes of a vector, all of them set."""
INSTRUCTIONS = {
    "add", "add_integers", "broadcast", "broadcast_int", "broadcast_integer", "copy_rows", "exclusive_or", "first_lane",
    "gather", "high_half", "in_lanes", "is_positive", "lanes_equal", "load", "load_int", "load_integers", "load_ints",
    "low_half", "masked", "maximum", "multiply", "multiply_low", "reroll_five", "shift_left", "shift_right", "store",
    "store_integers", "store_ints", "take", "where_greater", "where_less",
}  # fmt: skip


def aligned_zeros(size: int) -> Array:
    """float64[size], aligned to cache lines, since a vector across two of them would cost twice."""
    memory = np.zeros(size + _CACHE_LINE // 8)
    start = -memory.ctypes.data % _CACHE_LINE // 8
    return memory[start : start + size]


def __getattr__(name: str) -> Any:
    """An instruction by its name."""
    if name not in INSTRUCTIONS:
        raise AttributeError(name)
    return Instruction(name)
