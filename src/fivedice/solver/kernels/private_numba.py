# mypy: disallow-untyped-calls=False
"""All that uses private parts of Numba: it saves a quarter of the time of compiling.

By itself, Numba optimises every function it compiles and makes machine code of it, although a helper is copied into
each kernel that calls it, and optimised there again, with all helpers that it calls itself. `HelperCompiler` compiles
a helper only as far as the kernels that call it need: neither optimised nor made to run.
"""

from collections.abc import Callable
from typing import Any

from numba import _dynfunc  # type: ignore[attr-defined]  # it has no types
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
