"""The table of `docs/scaling.md` is what its inputs give."""

import runpy

from tests.repository import ROOT


def test_the_page_has_the_table_that_make_scaling_prints() -> None:
    table = "\n".join(runpy.run_path(str(ROOT / "benchmarks/scaling.py"))["arithmetic"]())
    page = (ROOT / "docs/scaling.md").read_text(encoding="utf-8")
    assert f"\n\n{table}\n\n" in page, f"run make scaling, and replace the table:\n{table}"
