"""The decorators of kernels."""

import numba

from fivedice.solver.kernels import jit


def test_helpers_are_compiled_with_the_compiler_tested_with_this_numba() -> None:
    """After an upgrade of Numba: run the tests and `make bench` with the new version in `TESTED_NUMBA`."""
    assert numba.version_info.short == jit.TESTED_NUMBA


def test_a_kernel_calls_helpers_of_helpers() -> None:
    @jit.helper
    def increased(number):  # type: ignore[no-untyped-def]
        return number + 1

    @jit.helper
    def twice(number):  # type: ignore[no-untyped-def]
        return 2 * increased(number)

    @jit.compiled
    def kernel(number):  # type: ignore[no-untyped-def]
        return twice(number) + increased(number)

    assert kernel(3) == 12
