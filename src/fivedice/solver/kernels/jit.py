"""`compiled`: compiles a function that Python calls, once for all processes, until any file of the solver changes."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import njit


def compiled(function: Callable[..., Any]) -> Any:
    """Compiled without Python's lock, and kept for later processes if there is a folder to write to.

    Numba would look only at the file the function stands in, and not at those of the functions it calls.
    """
    try:
        dispatcher: Any = njit(nogil=True, cache=True)(function)
    except RuntimeError:  # no folder
        return njit(nogil=True)(function)
    kept: Any = getattr(dispatcher._cache, "_cache_file", None)
    if hasattr(kept, "_source_stamp"):
        kept._source_stamp = _stamp()
        kept.save = _kept_if_possible(kept.save)
    return dispatcher


def _kept_if_possible(save: Callable[..., None]) -> Callable[..., None]:
    """Saving a kernel that says so, and no more, when the disk is full: it is compiled and can run."""

    def save_or_warn(key: Any, data: Any) -> None:
        try:
            save(key, data)
        except OSError as error:
            warnings.warn(f"the compiled solver cannot be kept: {error.strerror}", RuntimeWarning, stacklevel=2)

    return save_or_warn


def _stamp() -> tuple[tuple[str, int, int], ...]:
    """Name, time and size of every source file of the solver."""
    solver = Path(__file__).parents[1]
    found = ((path.relative_to(solver).as_posix(), path.stat()) for path in sorted(solver.rglob("*.py")))
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in found)
