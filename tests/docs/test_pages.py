"""The pages of the documentation: lists of contents, links, decisions, the built site, and the table of scaling."""

import re
import runpy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.site.check_links import dead_links
from tests.repository import ROOT

DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*") if path.suffix in (".md", ".ipynb"))
DOCUMENTS = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^ *(```+|~~~+).*?^ *\1$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} (.*)$", re.MULTILINE)


def listed(page: Path) -> Iterator[Path]:
    """The pages in the lists of contents of a page."""
    for body in TOCTREE.findall(page.read_text(encoding="utf-8")):
        entries = [line for line in body.splitlines() if line and not line.startswith(":")]
        found: list[Path] = []
        for entry in entries:
            if "*" in entry:
                matching = sorted({path.resolve() for path in page.parent.glob(entry)} & set(PAGES) - {page})
                found += [path for path in matching if path not in found]
            else:
                found.append((page.parent / entry).with_suffix(".md").resolve())
        yield from found


def test_every_page_is_in_one_list_of_contents() -> None:
    count = Counter(path for page in PAGES if page.suffix == ".md" for path in listed(page))
    expected = {path: 1 for path in PAGES if path != DOCS / "index.md"}
    assert {path: count[path] for path in sorted({*count, *expected})} == expected


def slug(heading: str) -> str:
    """The anchor of a heading, as in GitHub's viewer and on the site."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(document: Path) -> set[str]:
    text = CODE.sub(lambda match: match[0] if "\n" not in match[0] else "", document.read_text(encoding="utf-8"))
    return {slug(heading) for heading in HEADING.findall(text)}


def broken_links(document: Path) -> Iterator[str]:
    text = CODE.sub("", document.read_text(encoding="utf-8"))
    for address in LINK.findall(text):
        if re.match(r"[a-z]+:", address):
            continue
        path, _, anchor = address.partition("#")
        target = (document.parent / path).resolve() if path else document
        if not target.exists():
            yield f"{document.relative_to(ROOT)}: {address}: there is no such file"
        elif target.is_dir() and DOCS in document.parents:
            yield f"{document.relative_to(ROOT)}: {address}: the site has no page of a folder"
        elif anchor and anchor not in anchors(target):
            yield f"{document.relative_to(ROOT)}: {address}: there is no such heading"


def test_every_link_leads_to_a_file_and_a_heading() -> None:
    assert [line for document in DOCUMENTS for line in broken_links(document)] == []


@pytest.mark.parametrize("page", ["architecture", "solving", "targets"])
def test_every_file_that_a_page_on_the_code_names_exists(page: str) -> None:
    named = {*re.findall(r"[\w/]+\.py\b", (DOCS / f"{page}.md").read_text(encoding="utf-8"))}
    assert len(named) > 2
    files = [path.as_posix() for room in ("src", "tests", "benchmarks") for path in (ROOT / room).rglob("*.py")]
    assert {name for name in named if not any(file.endswith(f"/{name}") for file in files)} == set()


DECISIONS = DOCS / "decisions"
CHOICES = {path.name: path.read_text(encoding="utf-8") for path in DECISIONS.glob("*.md") if path.name != "index.md"}


def test_the_index_lists_every_decision_with_its_title_on_one_line() -> None:
    index = (DECISIONS / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[(.*)\]\((.*)\): \S.*$", index, re.MULTILINE)
    titles = {(text.partition("\n")[0].removeprefix("# "), name) for name, text in CHOICES.items()}
    assert set(listed) == titles
    assert len(listed) == len(titles)


def test_there_are_few_decisions_each_with_its_context_the_choice_and_its_consequences_in_few_lines() -> None:
    assert len(CHOICES) <= 40
    parts = {name: re.findall(r"^\*\*(\w+)\.\*\* ", text, re.MULTILINE) for name, text in CHOICES.items()}
    assert {name: found for name, found in parts.items() if found != ["Context", "Decision", "Consequences"]} == {}
    assert [name for name, text in CHOICES.items() if len(text.splitlines()) > 20] == []


def test_dead_links_are_found_and_others_are_not(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h1 id="x"></h1><a href="#x">1</a><a href="b.html#y">2</a><a href="https://example.com/">3</a>'
        '<a href="#z">4</a><a href="c.html">5</a><img src="d.png"><a href="b.html#x">6</a>'
    )
    (tmp_path / "b.html").write_text('<h1 id="y"></h1><a href="a.html">7</a>')
    assert list(dead_links(tmp_path)) == [
        "a.html: #z: there is no such place",
        "a.html: c.html: there is no such file",
        "a.html: d.png: there is no such file",
        "a.html: b.html#x: there is no such place",
    ]


def test_the_page_of_scaling_has_the_table_that_make_scaling_prints() -> None:
    table = "\n".join(runpy.run_path(str(ROOT / "benchmarks/scaling.py"))["arithmetic"]())
    page = (DOCS / "scaling.md").read_text(encoding="utf-8")
    assert f"\n\n{table}\n\n" in page, f"run make scaling, and replace the table:\n{table}"
