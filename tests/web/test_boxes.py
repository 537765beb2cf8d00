"""The names of boxes on the page are those of the program."""

import runpy

from tests.repository import ROOT


def test_the_page_has_the_names_of_boxes_of_the_program() -> None:
    made = runpy.run_path(str(ROOT / "web" / "boxes.py"))
    assert (ROOT / "web" / "src" / "messages" / "boxes.ts").read_text(encoding="utf-8") == made["text"](), (
        "run make catalogues"
    )
