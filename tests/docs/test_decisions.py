"""The decisions: few enough to read, of one form, and each listed with its title."""

import re

from tests.repository import ROOT

FOLDER = ROOT / "docs/decisions"
PAGES = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md") if path.name != "index.md"}


def test_the_index_lists_every_decision_with_its_title_on_one_line() -> None:
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[(.*)\]\((.*)\): \S.*$", index, re.MULTILINE)
    titles = {(text.partition("\n")[0].removeprefix("# "), name) for name, text in PAGES.items()}
    assert set(listed) == titles
    assert len(listed) == len(titles)


def test_at_most_forty_decisions_are_kept_so_that_they_are_read() -> None:
    assert len(PAGES) <= 40


def test_a_decision_has_its_context_the_choice_and_its_consequences_in_few_lines() -> None:
    parts = {name: re.findall(r"^\*\*(\w+)\.\*\* ", text, re.MULTILINE) for name, text in PAGES.items()}
    assert {name: found for name, found in parts.items() if found != ["Context", "Decision", "Consequences"]} == {}
    assert [name for name, text in PAGES.items() if len(text.splitlines()) > 20] == []
