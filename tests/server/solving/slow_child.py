"""Takes the place of `fivedice.server.solving.child`, with a search that begins late: `slow_child WHY SECONDS ARGS…`.

`WHY` is "compiling" or "searching": what it does for so many seconds. It solves as the child does after that.
"""

import runpy
import sys
import time
from contextlib import nullcontext
from typing import Any

from numba.core.event import trigger_event

import fivedice.solver.solve

if __name__ == "__main__":
    _, why, seconds, *args = sys.argv
    solve = fivedice.solver.solve.solve

    def solve_late(*rules: Any, **options: Any) -> Any:
        """Solve after some time."""
        with trigger_event("numba:compile") if why == "compiling" else nullcontext():
            end = time.monotonic() + float(seconds)
            while time.monotonic() < end:
                pass
        return solve(*rules, **options)

    fivedice.solver.solve.solve = solve_late
    sys.argv = ["child", *args]
    runpy.run_module("fivedice.server.solving.child", run_name="__main__", alter_sys=True)
