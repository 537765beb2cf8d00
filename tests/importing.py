"""Importing the test modules before pytest collects them, so that workers share the rewriting of their assertions.

Pytest rewrites the assertions of a module when it imports it, and stores the result for the next import. In a clone,
workers that import the same modules in the same order would all rewrite all of them, which takes longer than the rest
of the collection.
"""

import os
from contextlib import suppress
from importlib import import_module

from tests.repository import ROOT


def import_share() -> None:
    """Import the modules of this worker's share; does nothing where there are no workers."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    num_workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if num_workers == 1:
        return
    for path in sorted((ROOT / "tests").rglob("test_*.py"))[worker::num_workers]:
        with suppress(Exception):  # pytest imports the module again and reports the error
            import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
