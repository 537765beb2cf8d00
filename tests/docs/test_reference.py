"""The reference is complete: commands with their options, endpoints, names of the package, keys of ruleset files."""

import inspect
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module

import pytest

import fivedice
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


def test_the_reference_has_every_command_with_every_option() -> None:
    text = command_reference()
    sections = dict(re.findall(r"^## fivedice (\S+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert set(sections) >= set(COMMANDS)
    for command in COMMANDS:
        for argument in app[command].assemble_argument_collection():
            if argument.show:
                assert any(name in sections[command] for name in argument.names), (command, argument.names)


def test_every_option_that_the_documentation_gives_to_a_command_exists() -> None:
    arguments = {command: app[command].assemble_argument_collection() for command in COMMANDS}
    known = {
        command: {"--lang", *(name for one in found for name in one.names)} for command, found in arguments.items()
    }
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
        options = {name for one in app[command].assemble_argument_collection() for name in one.names}
        assert (f"| `fivedice {command} --json` |" in text) == ("--json" in options), command
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


def known_keys(monkeypatch: pytest.MonkeyPatch, text: str) -> dict[str, set[str]]:
    """The keys that the reader asks for, by table: `` for the top, then `categories`, `columns` and so on."""
    tables: list[toml_table.Table] = []
    close = toml_table.Table.close

    def recorded(table: toml_table.Table) -> None:
        tables.append(table)
        close(table)

    with monkeypatch.context() as patch:
        patch.setattr(toml_table.Table, "close", recorded)
        parse_ruleset(text, "whole.toml")
    found: dict[str, set[str]] = {}
    for table in tables:
        name = table.where.removeprefix("whole.toml: ").partition(".")[0].partition("[")[0]
        found.setdefault(name, set()).update(table.known)
    return found


def documented(*titles: str) -> Iterator[str]:
    """The keys in the first column of the tables under headings of docs/rulesets.md."""
    page = (DOCS / "rulesets.md").read_text(encoding="utf-8")
    for title in titles:
        section = page.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
        yield from re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)


def test_the_page_of_rulesets_has_every_key_of_a_file_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    known = known_keys(monkeypatch, WHOLE)
    top = set(documented("The keys of a file"))
    assert top - {"like", "drop"} == known[""] - {"like"}
    categories = set(documented("Categories")) - set(SCORERS)
    assert categories == known["categories"] - {"n"}
    assert set(documented("Columns")) == known["columns"]
    examples = set(tomllib.loads(WHOLE)["examples"][0])
    assert examples <= known["examples"]
    page = (DOCS / "rulesets.md").read_text(encoding="utf-8")
    for key in known["examples"]:
        assert f"`{key}`" in page, f"docs/rulesets.md does not say what {key} of an example is"
    for value in (*GENERIC_OPTIONS, *(f'"{order}"' for order in Joker)):
        assert f"`{value}`" in page


NEEDED = {
    "sum_of_face": "face = 1",
    "n_of_a_kind": "n = 2",
    "pairs": "n = 1",
    "straight": "length = 4",
    "listed": 'hands = ["11116"]',
    "sum_is": "total = 9",
}
"""A parameter for each scorer that cannot do without."""


def test_the_page_of_rulesets_has_every_scorer_with_its_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    page = (DOCS / "rulesets.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]* \|([^|]*)\|$", page.split("| scorer |", 1)[1], re.MULTILINE))
    known = {
        scorer: known_keys(
            monkeypatch,
            f'id = "x"\n[colours]\nblack = [1, 6]\n[categories.x]\nscorer = "{scorer}"\n{NEEDED.get(scorer, "")}\n',
        )["categories"]
        for scorer in SCORERS
    }
    for scorer in SCORERS:
        for name in known[scorer] - known["any_dice"]:
            assert f"`{name}`" in rows[scorer], f"docs/rulesets.md does not name {name} of {scorer}"


def test_the_http_page_names_everything_that_available_says() -> None:
    text = (DOCS / "http.md").read_text(encoding="utf-8")
    section = text.partition("## Advice during a game")[2].partition("\n## ")[0]
    assert [name for name in AvailableView.__struct_fields__ if f"`{name}`" not in section] == []
