"""`compiled`, `helper` and `inlined`: the decorators of kernels that Python calls, and of functions that kernels call.

A kernel is taken from a library that was built beside the sources, as in `native`. Without one, Numba compiles it when
it is first called. `private_numba` keeps that on disk, and with the version of Numba that it was tested with makes it
faster. Without it, kernels use Numba's public interface alone, and every process compiles them again.
"""

from collections.abc import Callable
from typing import Any

from fivedice.solver.kernels import native

COMPILES = native.level() is None
"""Whether Numba compiles kernels here."""

TESTED_NUMBA = (0, 68)
"""The version of Numba with which the options and the compiler of `private_numba` are used."""

_njit: Any = None
_private: Any = None
_kernel: dict[str, Any] = {"error_model": "numpy"}
"""Options of all kernels: they never divide by zero, so that nothing checks it."""
_helper = _kernel
if COMPILES:
    from numba import njit, version_info

    _njit = njit  # its type hints lack these options
    try:
        from fivedice.solver.kernels import private_numba as _private
    except ImportError:  # another version of Numba does not have its parts
        _private = None
    if _private and version_info.short == TESTED_NUMBA:
        _kernel, _helper = {**_kernel, **_private.KERNEL}, {**_kernel, **_private.HELPER}


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
