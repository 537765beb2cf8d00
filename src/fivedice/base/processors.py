"""`num_processors` and `default_memory_limit`: what this machine has, apart from `solve`, whose import loads NumPy."""

import os

from fivedice.base.errors import IllegalError

MEMORY_SHARE = 0.75
"""The share of the machine's memory that `solve` may use for its tables by default."""


def num_processors(chosen: int | None = None) -> int:
    """The processors that this process may use, or as many as are chosen; raises `IllegalError` for less than one."""
    if chosen is not None:
        if chosen < 1:
            raise IllegalError(f"want at least one thread or worker, not {chosen}")
        return chosen
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def default_memory_limit() -> int:
    """Bytes that tables may use on this machine; 4 GiB where its memory is unknown."""
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * MEMORY_SHARE)
    return 4 * 2**30
