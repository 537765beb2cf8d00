"""`compiled`, `helper` and `inlined`: the decorators of kernels that Python calls, and of functions that kernels call.

Compiled kernels are cached on disk until any file of the solver changes.
"""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import float64, njit, version_info

_njit: Any = njit  # its type hints lack these options

TESTED_NUMBA = (0, 68)
"""The version of Numba with which helpers are compiled by `HelperCompiler`, and by Numba's own compiler with others."""

_PLAIN = {"_nrt": False, "error_model": "numpy", "no_cfunc_wrapper": True}
"""Options of all kernels: they neither allocate nor own arrays, so that nothing counts references to them, which took
a third of the time of some; and they never divide by zero, so that nothing checks it. Both compile faster, too."""

_HELPER: dict[str, Any] = {"no_cpython_wrapper": True, **_PLAIN}
"""Options of all helpers: no wrapper for callers in Python, which would take longer to compile than most of them."""
if version_info.short == TESTED_NUMBA:  # others may differ in what `HelperCompiler` overrides
    from fivedice.solver.kernels.helper_code import HelperCompiler

    _HELPER["pipeline_class"] = HelperCompiler


def helper(function: Callable[..., Any]) -> Any:
    """Compiles a function that only kernels call."""
    return _njit(**_HELPER)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """As `helper`, for functions of whole cards: a call would copy their tables, which are passed by value."""
    return _njit(forceinline=True, **_HELPER)(function)


def compiled(function: Callable[..., Any]) -> Any:
    """Compiles a function to run without the GIL, cached for later processes if there is a folder to write to.

    Numba's own cache key covers only the file of the function, not those of the functions it calls.
    """
    try:
        dispatcher = _njit(nogil=True, cache=True, **_PLAIN)(function)
    except RuntimeError:  # no folder for the cache
        return _njit(nogil=True, **_PLAIN)(function)
    cache: Any = getattr(dispatcher._cache, "_cache_file", None)
    if hasattr(cache, "_source_stamp"):
        cache._source_stamp = _stamp()
        cache._load_index = _or_empty(cache._load_index)
        cache.save = _or_warn(cache.save)
    return dispatcher


def is_compiled(kernel: Any, *, with_risk: bool = False) -> bool:
    """Whether calling a kernel compiles nothing, for all that its cache tells; also if it cannot be cached.

    A kernel is compiled separately for a risk parameter, its only argument that is a single float.
    """
    cache: Any = getattr(kernel._cache, "_cache_file", None)
    if cache is None:
        return True
    signatures = [*kernel.signatures, *(key[0] for key in cache._load_index())]
    return any((float64 in signature) == with_risk for signature in signatures)


def _or_empty(load_index: Callable[[], dict[Any, Any]]) -> Callable[[], dict[Any, Any]]:
    """`load_index`, but empty for an index that names classes which another version of the solver had."""

    def load_or_empty() -> dict[Any, Any]:
        try:
            return load_index()
        except (AttributeError, ImportError):
            return {}

    return load_or_empty


def _or_warn(save: Callable[..., None]) -> Callable[..., None]:
    """`save`, but with a warning instead of an `OSError`: without a cache the kernel still runs."""

    def save_or_warn(key: Any, data: Any) -> None:
        try:
            save(key, data)
        except OSError as error:
            warnings.warn(f"the compiled solver cannot be cached: {error.strerror}", RuntimeWarning, stacklevel=2)

    return save_or_warn


def _stamp() -> tuple[tuple[str, int, int], ...]:
    """Name, modification time and size of every source file of the solver."""
    solver = Path(__file__).parents[1]
    found = ((path.relative_to(solver).as_posix(), path.stat()) for path in sorted(solver.rglob("*.py")))
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in found)
