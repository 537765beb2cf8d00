"""`num_processors`, apart from `solve`, whose import loads the compiler."""

import os


def num_processors() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
