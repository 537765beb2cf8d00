"""The tables of `docs/scaling.md` are what its inputs give, and the simulation behaves as queues do."""

import runpy

import pytest

from tests.repository import ROOT

SCALING = runpy.run_path(str(ROOT / "benchmarks/scaling.py"))
PAGE = (ROOT / "docs/scaling.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("part", ["arithmetic", "simulation", "check"])
def test_the_page_has_the_tables_that_make_scaling_prints(part: str) -> None:
    table = "\n".join(SCALING[part]())
    assert f"\n\n{table}\n\n" in PAGE, f"run make scaling, and replace the table:\n{table}"


def test_an_action_waits_at_least_for_itself_and_longer_where_more_come() -> None:
    measured = SCALING["MEASURED"]
    quiet, busy = (SCALING["waits"](rate, 1, 2, seconds=5.0) for rate in (10, 2_000))
    assert quiet[0] >= measured.action_ms + measured.database_ms
    assert abs(sum(quiet) / len(quiet) - (measured.action_ms + measured.database_ms + measured.commit_ms)) < 3.0
    assert sum(busy) / len(busy) > sum(quiet) / len(quiet)
    assert len(busy) == pytest.approx(10_000, rel=0.1), "each is acknowledged"
