"""The decorators of kernels."""

import subprocess
import sys
from pathlib import Path

import numba
import pytest

from fivedice.solver.kernels import jit
from fivedice.solver.solve import solve
from fivedice.testing import TINY
from tests.kernels import compiles


def test_private_parts_are_those_of_this_numba() -> None:
    """After an upgrade of Numba: run the tests and `make bench` with the new version in `TESTED_NUMBA`."""
    assert numba.version_info.short == jit.TESTED_NUMBA


@compiles
def test_a_kernel_calls_helpers_of_helpers() -> None:
    @jit.helper
    def increased(number):  # type: ignore[no-untyped-def]
        return number + 1

    @jit.helper
    def twice(number):  # type: ignore[no-untyped-def]
        return 2 * increased(number)

    @jit.compiled(int)
    def kernel(number):  # type: ignore[no-untyped-def]
        return twice(number) + increased(number)

    assert kernel(3) == 12


def test_a_first_use_is_one_that_finds_no_kernel_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "_folder", str(tmp_path))
    assert jit.is_first_use()
    (tmp_path / "layers").mkdir()
    (tmp_path / "layers" / "layers.solve_cards-12.py311.nbi").touch()
    assert not jit.is_first_use()


PUBLIC = """
import os
from types import SimpleNamespace
import numba
os.environ["FIVEDICE_COMPILE"] = "1"
numba.version_info = SimpleNamespace(short=(0, 1))
from fivedice.solver.solve import solve
from fivedice.testing import TINY
print(solve(TINY["tiny_joker"]).values.tobytes().hex())
"""


def test_the_public_interface_of_numba_is_enough() -> None:
    values = solve(TINY["tiny_joker"]).values
    found = subprocess.run([sys.executable, "-c", PUBLIC], check=True, capture_output=True, text=True)  # noqa: S603
    assert found.stdout == f"{values.tobytes().hex()}\n"
