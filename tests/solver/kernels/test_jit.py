"""The decorators of kernels."""

import subprocess
import sys

import numba
import pytest

from fivedice.analysis.advice import advise
from fivedice.game.position import Position
from fivedice.solver.kernels import jit
from fivedice.solver.solve import solve
from fivedice.testing import TINY


def test_private_parts_are_those_of_this_numba() -> None:
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


PUBLIC = """
import numba
numba.version_info = numba.version_info._replace(short=(0, 0))
from fivedice.analysis.advice import advise
from fivedice.game.position import Position
from fivedice.solver.solve import solve
from fivedice.testing import TINY
solution = solve(TINY["tiny_joker"])
print(solution.values.tobytes().hex())
print(advise(solution, Position.start(TINY["tiny_joker"]).roll((1, 3))))
import sys
assert "fivedice.solver.kernels.private_numba" not in sys.modules
"""


@pytest.mark.slow
def test_another_version_of_numba_is_used_by_its_public_interface_alone() -> None:
    """It compiles the solver anew, so it is slow."""
    solution = solve(TINY["tiny_joker"])
    advice = advise(solution, Position.start(TINY["tiny_joker"]).roll((1, 3)))
    found = subprocess.run([sys.executable, "-c", PUBLIC], check=True, capture_output=True, text=True)  # noqa: S603
    assert found.stdout == f"{solution.values.tobytes().hex()}\n{advice}\n"
