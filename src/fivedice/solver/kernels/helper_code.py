# mypy: disallow-untyped-calls=False
"""`HelperCompiler`: compiles a helper only as far as the kernels that call it need: neither optimised nor made to run.

By itself, Numba optimises every function it compiles and makes machine code of it, although a helper is copied into
each kernel that calls it, and optimised there again, with all helpers that it calls itself.
"""

from collections.abc import Callable
from typing import Any

from numba import _dynfunc  # type: ignore[attr-defined]  # an extension module without types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


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
