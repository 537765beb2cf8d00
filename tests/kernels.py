"""`compiles`: marks tests of what happens while kernels are compiled; where a library of them was built, none are."""

import pytest

from fivedice.solver.kernels.jit import COMPILES

compiles = pytest.mark.skipif(not COMPILES, reason="kernels of a library are used")
