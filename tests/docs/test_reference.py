"""The documentation: a complete reference, and pages with lists of contents, links, decisions and tables."""

import inspect
import re
import runpy
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import fivedice
from docs.site.check_links import dead_links
from docs.site.commands import command_reference
from docs.site.endpoints import endpoint_reference, endpoint_table, openapi_document
from docs.site.generated import MARKER, prepared
from docs.site.json_keys import json_reference
from docs.site.names import in_room
from fivedice.cli.app import COMMANDS, app
from fivedice.rulesets import toml_table
from fivedice.rulesets.file import parse_ruleset
from fivedice.rulesets.options import GENERIC_OPTIONS
from fivedice.rulesets.ruleset import Joker
from fivedice.rulesets.scoring import SCORERS
from fivedice.views.offered import AvailableView
from tests.repository import ROOT

DOCS = ROOT / "docs"


ARGUMENTS = {command: app[command].assemble_argument_collection() for command in COMMANDS}
OPTIONS = {command: {name for one in found for name in one.names} for command, found in ARGUMENTS.items()}


def test_the_reference_has_every_command_with_every_option() -> None:
    text = command_reference()
    sections = dict(re.findall(r"^## fivedice (\S+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert set(sections) >= set(COMMANDS)
    for command in COMMANDS:
        for argument in ARGUMENTS[command]:
            if argument.show:
                assert any(name in sections[command] for name in argument.names), (command, argument.names)


def test_every_option_that_the_documentation_gives_to_a_command_exists() -> None:
    known = {command: {"--lang", *found} for command, found in OPTIONS.items()}
    for page in (ROOT / "README.md", *DOCS.rglob("*.md")):
        for line in page.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
            for command, rest in re.findall(r"fivedice ([a-z]+)\b((?:(?!fivedice [a-z]).)*)", line):
                used = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", rest))
                assert used <= known.get(command, used), (page.name, command, used - known[command])


def test_the_reference_has_every_endpoint_and_every_type_has_a_heading() -> None:
    document, text, table = openapi_document(), endpoint_reference(), endpoint_table()
    for path, methods in document["paths"].items():
        for method in methods:
            assert f"### `{method.upper()} {path}`" in text
            assert f"| `{method.upper()} {path}` |" in table
    assert set(re.findall(r"\(#(type-\w+)\)", text)) <= set(re.findall(r"^\((type-\w+)\)=$", text, re.MULTILINE))


def test_the_reference_has_the_json_of_every_command_that_prints_some() -> None:
    text = json_reference()
    for command in COMMANDS:
        assert (f"| `fivedice {command} --json` |" in text) == ("--json" in OPTIONS[command]), command
    headings = [set(re.findall(r"^\((type-\w+)\)=$", page, re.MULTILINE)) for page in (text, endpoint_reference())]
    assert set(re.findall(r"\(#(type-\w+)\)", text)) <= set.union(*headings)
    assert not set.intersection(*headings)


PYTHON = {path.stem: path.read_text(encoding="utf-8") for path in (DOCS / "reference" / "python").glob("*.md")}


def test_the_reference_has_every_public_name_once() -> None:
    marked = [words for page in PYTHON.values() for kind, words in MARKER.findall(page) if kind == "names"]
    rooms = [word for words in marked for word in words.split() if ":" not in word]
    count = {name: sum(in_room(name, room) for room in rooms) for name in fivedice.__all__}
    assert count == dict.fromkeys(fivedice.__all__, 1), "list the room of each name on a page of docs/reference/python"


@pytest.mark.parametrize("package", ["fivedice.envs", "fivedice.testing"])
def test_the_reference_has_every_name_of_the_packages_of_extras(package: str) -> None:
    text = "\n".join(prepared(page, "reference/python/page") + page for page in PYTHON.values())
    for name in import_module(package).__all__:
        assert re.search(rf"^\.\. auto\w+:: {package}[\w.]*\.{name}$|`{package}\.{name}`", text, re.MULTILINE), name


@pytest.mark.parametrize("page", sorted(PYTHON))
def test_every_name_on_a_page_of_the_reference_exists_and_has_a_docstring(page: str) -> None:
    text = prepared(PYTHON[page], f"reference/python/{page}")
    for module, name in re.findall(r"^\.\. auto\w+:: ([\w.]+)\.(\w+)$", text, re.MULTILINE):
        value = getattr(__import__(module, fromlist=[name]), name)
        assert inspect.getdoc(value), f"{module}.{name} has no docstring"


WHOLE = """
id = "whole"
joker_category = "five"
extra_bonus = 100
[colours]
black = [1, 6]
[categories.five]
scorer = "n_of_a_kind"
n = 5
[columns.down]
order = "down"
[options.kind]
default = "a"
[options.kind.choices.a]
about = "The only one."
[[examples]]
says = "Five."
dice = "11111"
box = "five_down"
points = 5
"""
"""A file with every table, so that its reader asks for every key."""


def test_the_page_of_rulesets_has_every_key_of_a_file_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[str, set[str]] = {}
    """The keys that the reader asks for, by table: `` for the top, then `categories`, `columns` and so on."""
    close = toml_table.Table.close

    def recorded(table: toml_table.Table) -> None:
        name = table.where.removeprefix("whole.toml: ").partition(".")[0].partition("[")[0]
        known.setdefault(name, set()).update(table.known)
        close(table)

    monkeypatch.setattr(toml_table.Table, "close", recorded)
    parse_ruleset(WHOLE, "whole.toml")
    page = (DOCS / "rulesets.md").read_text(encoding="utf-8")
    top, categories, columns = (
        set(re.findall(r"^\| `(\w+)` \|", page.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0], re.MULTILINE))
        for title in ("The keys of a file", "Categories", "Columns")
    )
    assert top - {"like", "drop"} == known[""] - {"like"}
    assert categories - set(SCORERS) == known["categories"] - {"n"}
    assert columns == known["columns"]
    examples = set(tomllib.loads(WHOLE)["examples"][0])
    assert examples <= known["examples"]
    for key in known["examples"]:
        assert f"`{key}`" in page, f"docs/rulesets.md does not say what {key} of an example is"
    for value in (*GENERIC_OPTIONS, *(f'"{order}"' for order in Joker)):
        assert f"`{value}`" in page


def test_the_page_of_rulesets_has_every_scorer_with_its_parameters() -> None:
    page = (DOCS / "rulesets.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]* \|([^|]*)\|$", page.split("| scorer |", 1)[1], re.MULTILINE))
    for name, scorer in SCORERS.items():
        for parameter in {*inspect.signature(scorer).parameters} - {"dice", "colours", "sides"}:
            assert f"`{parameter}`" in rows[name], f"docs/rulesets.md does not name {parameter} of {name}"


def test_the_http_page_names_everything_that_available_says() -> None:
    text = (DOCS / "http.md").read_text(encoding="utf-8")
    section = text.partition("## Advice during a game")[2].partition("\n## ")[0]
    assert [name for name in AvailableView.__struct_fields__ if f"`{name}`" not in section] == []


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


def anchors(document: Path) -> set[str]:
    """The anchors of headings, as in GitHub's viewer and on the site."""
    text = CODE.sub(lambda match: match[0] if "\n" not in match[0] else "", document.read_text(encoding="utf-8"))
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)|`", r"\1", heading).strip().lower() for heading in HEADING.findall(text))
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


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


def test_the_index_lists_every_decision_with_its_title_on_one_line() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in (DOCS / "decisions").glob("*.md")}
    listed = re.findall(r"^- \[(.*)\]\((.*)\): \S.*$", texts.pop("index.md"), re.MULTILINE)
    titles = {(text.partition("\n")[0].removeprefix("# "), name) for name, text in texts.items()}
    assert set(listed) == titles
    assert len(listed) == len(titles)


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
