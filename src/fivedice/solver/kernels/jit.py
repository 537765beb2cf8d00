"""`compiled`, `helper` and `inlined`: the decorators of kernels that Python calls, and of functions that kernels call.

`private_numba` keeps compiled kernels on disk, and with the version of Numba that it was tested with makes compiling
faster. Without it, they use Numba's public interface alone, and every process compiles its kernels again.
"""

from collections.abc import Callable
from typing import Any

from numba import njit, version_info

TESTED_NUMBA = (0, 68)
"""The version of Numba with which the options and the compiler of `private_numba` are used."""

_private: Any
try:
    from fivedice.solver.kernels import private_numba as _private
except ImportError:  # another version of Numba does not have its parts
    _private = None

_kernel: dict[str, Any] = {"error_model": "numpy"}
"""Options of all kernels: they never divide by zero, so that nothing checks it."""
_helper = _kernel
if _private and version_info.short == TESTED_NUMBA:
    _kernel, _helper = {**_kernel, **_private.KERNEL}, {**_kernel, **_private.HELPER}

_njit: Any = njit  # its type hints lack these options


def helper(function: Callable[..., Any]) -> Any:
    """Compiles a function that only kernels call."""
    return _njit(**_helper)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """As `helper`, for functions of whole cards: a call would copy their tables, which are passed by value."""
    return _njit(forceinline=True, **_helper)(function)


def compiled(function: Callable[..., Any]) -> Any:
    """Compiles a function to run without the GIL, cached for later processes if there is a folder to write to."""
    if _private:
        try:
            dispatcher = _njit(nogil=True, cache=True, **_kernel)(function)
        except RuntimeError:  # no folder for the cache
            pass
        else:
            if _private.keep_on_disk(dispatcher):
                return dispatcher
    return _njit(nogil=True, **_kernel)(function)


def is_compiled(kernel: Any, *, with_risk: bool = False) -> bool:
    """Whether calling a kernel compiles nothing, for all that its cache tells; also if it cannot be cached.

    A kernel is compiled separately for a risk parameter, its only argument that is a single float.
    """
    return not _private or bool(_private.is_on_disk(kernel, with_risk=with_risk))
