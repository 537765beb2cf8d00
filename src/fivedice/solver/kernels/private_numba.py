# mypy: disallow-untyped-calls=False
"""All that uses private parts of Numba: it only makes compiling faster, or keeps its results for later processes.

By itself, Numba optimises every function it compiles and makes machine code of it, although a helper is copied into
each kernel that calls it, and optimised there again, with all helpers that it calls itself. `HelperCompiler` compiles
a helper only as far as the kernels that call it need: neither optimised nor made to run.

Numba's own cache key covers only the file of a kernel, not those of the helpers it calls, so `keep_on_disk` has
compiled kernels used only until any file of the solver changes.
"""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import _dynfunc, float64  # type: ignore[attr-defined]  # the first has no types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

KERNEL: dict[str, Any] = {"_nrt": False, "no_cfunc_wrapper": True}
"""Options of all kernels: they neither allocate nor own arrays, so that nothing counts references to them, which took
a third of the time of some, and compiles faster, too."""


class _HelperCode(JITCodeLibrary):
    """The code of one helper, to be linked into kernels."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class HelperCompiler(Compiler):
    """Numba's compiler, but for the code of a helper."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """The result of compiling a function for one signature, as of Numba's compiler."""
        self.state.library = _HelperCode(self.state.targetctx.codegen(), func.__qualname__)
        self.state.targetctx.get_executable = _executable  # a copy for this function
        return super().compile_extra(func)


def _executable(library: Any, described: Any, environment: Any) -> Any:
    """What stands for the helper where Numba types calls of it: a new object, which Python cannot call."""
    library._ensure_finalized()
    name = described.qualname.split(".")[-1]
    return _dynfunc.make_function(described.lookup_module(), name, "", 0, environment, (library,))


HELPER: dict[str, Any] = {"no_cpython_wrapper": True, "pipeline_class": HelperCompiler, **KERNEL}
"""Options of all helpers: no wrapper for callers in Python, which would take longer to compile than most of them."""


def keep_on_disk(dispatcher: Any) -> bool:
    """Have the cache of a kernel depend on all files of the solver, and never fail; False if this Numba has another."""
    cache: Any = getattr(dispatcher._cache, "_cache_file", None)
    if not hasattr(cache, "_source_stamp") or not hasattr(cache, "_load_index"):
        return False
    cache._source_stamp = _stamp()
    cache._load_index = _or_empty(cache._load_index)
    cache.save = _or_warn(cache.save)
    return True


def is_on_disk(dispatcher: Any, *, with_risk: bool) -> bool:
    """Whether a kernel has been compiled here or in the cache; also if it cannot be cached."""
    cache = getattr(dispatcher._cache, "_cache_file", None)
    if cache is None:
        return True
    signatures = [*dispatcher.signatures, *(key[0] for key in cache._load_index())]
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
