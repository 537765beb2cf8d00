"""Takes the place of `fivedice.server.solving.worker`, with a search that begins late: `slow_child WHY SECONDS ARGS…`.

`WHY` is "compiling" or "searching": what it does for so many seconds. It solves as the worker does after that.
"""

import runpy
import sys
import time
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from numba.core.event import trigger_event

from fivedice.server.solving import solved
from fivedice.solver.solve import solve

if __name__ == "__main__":
    _, why, seconds, *args = sys.argv

    def solve_late(*rules: Any, **options: Any) -> Any:
        """Solve after some time."""
        with trigger_event("numba:compile") if why == "compiling" else nullcontext():
            end = time.monotonic() + float(seconds)
            while time.monotonic() < end:
                time.sleep(0.02)
        return solve(*rules, **options)

    late = replace(solved.SOLUTION, find=solve_late)
    solved.ARTEFACTS[late.name] = late
    solved.SOLUTION = late
    sys.argv = ["worker", *args]
    runpy.run_module("fivedice.server.solving.worker", run_name="__main__", alter_sys=True)
