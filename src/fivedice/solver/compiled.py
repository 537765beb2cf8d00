"""`entry`: compiles a function that Python calls, once for all processes, until any file of the solver changes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import njit


def entry(function: Callable[..., Any]) -> Any:
    """Compiled without Python's lock, and kept for later processes if there is a folder to write to.

    Numba would look only at the file the function stands in, and not at those of the functions it calls.
    """
    try:
        compiled: Any = njit(nogil=True, cache=True)(function)
    except RuntimeError:  # no folder
        return njit(nogil=True)(function)
    kept: Any = getattr(compiled._cache, "_cache_file", None)
    if hasattr(kept, "_source_stamp"):
        kept._source_stamp = _stamp()
    return compiled


def _stamp() -> tuple[tuple[str, int, int], ...]:
    """Name, time and size of every source file of the solver."""
    found = ((path.name, path.stat()) for path in sorted(Path(__file__).parent.glob("*.py")))
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in found)
