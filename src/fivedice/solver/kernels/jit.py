"""`compiled`, `helper` and `inlined`: the decorators of kernels that Python calls, and of functions that kernels call.

A kernel is taken from a library that was built beside the sources, as in `native`. Without one, Numba compiles it when
it is first called, and keeps that on disk. With the version of Numba that it was tested with, `private_numba` makes it
faster.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fivedice.solver.kernels import native

COMPILES = native.level() is None
"""Whether Numba compiles kernels here."""

TESTED_NUMBA = (0, 68)
"""The version of Numba with which the options and the compiler of `private_numba` are used."""

_folder: str | None = None
"""Where Numba keeps compiled kernels of this version; it only looks for changes of a kernel's own file."""
_njit: Any = None
_kernel: dict[str, Any] = {"error_model": "numpy"}
"""Options of all kernels: they never divide by zero, so that nothing checks it."""
_helper = _kernel
if COMPILES:
    import numba
    from platformdirs import user_cache_path

    _njit = numba.njit  # its type hints lack these options
    _config: Any = numba.config
    _own = Path(__file__).parent
    _place = _own / "__pycache__" if os.access(_own, os.W_OK) else user_cache_path("fivedice", appauthor=False)
    _folder = os.path.join(_config.CACHE_DIR or _place, native.digest())
    if numba.version_info.short == TESTED_NUMBA:
        from fivedice.solver.kernels import private_numba

        _kernel, _helper = {**_kernel, **private_numba.KERNEL}, {**_kernel, **private_numba.HELPER}


def helper(function: Callable[..., Any]) -> Any:
    """Compiles a function that only kernels call."""
    return _njit(**_helper)(function) if COMPILES else function


def inlined(function: Callable[..., Any]) -> Any:
    """As `helper`, for functions of whole cards: a call would copy their tables, which are passed by value."""
    return _njit(forceinline=True, **_helper)(function) if COMPILES else function


def compiled(*types: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compiles a function with parameters of these types to run without the GIL, or finds it in a library."""

    def decorate(function: Callable[..., Any]) -> Any:
        kernel: Any = _dispatcher(function) if COMPILES else native.Kernel(function, types, native.library())
        kernel.parameter_types = types
        return kernel

    return decorate


def _dispatcher(function: Callable[..., Any]) -> Any:
    """What compiles a function when it is called, cached for later processes if there is a folder to write to."""
    chosen, _config.CACHE_DIR = _config.CACHE_DIR, _folder
    try:
        return _njit(nogil=True, cache=True, **_kernel)(function)
    except RuntimeError:  # no folder for the cache
        return _njit(nogil=True, **_kernel)(function)
    finally:
        _config.CACHE_DIR = chosen


def is_first_use() -> bool:
    """Whether Numba compiles kernels here and has kept none of this version, so that the first calls take a while."""
    return _folder is not None and not any(Path(_folder).rglob("*.nbi"))
