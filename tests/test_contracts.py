"""CONTRIBUTING's map and table have the layers of the import contracts."""

import re
import tomllib
from typing import Any

import pytest

from tests.repository import ROOT

CONTRACTS: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]["contracts"]
LAYERS = {one["containers"][0]: one for one in CONTRACTS if one["type"] == "layers"}
MAP = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def rooms(layer: str) -> list[str]:
    return [name.strip() for name in layer.split("|")]


def test_the_map_has_the_layers_of_the_package() -> None:
    drawn = MAP.partition("\n---")[2].partition("```")[0].splitlines()[1:]
    found: list[list[str]] = []
    for line in drawn:
        named = re.findall(r"(?:^|\|  )(\w+)", line)
        if line.startswith(" "):
            found[-1] += named
        else:
            found.append(named)
    layers = [rooms(layer) for layer in LAYERS["fivedice"]["layers"] if layer != "__main__"]
    assert found == layers


def test_the_table_has_the_layers_inside_of_rooms() -> None:
    lines = [
        f"| `{container.removeprefix('fivedice.').replace('.', '/')}` | "
        + " → ".join(", ".join(f"`{name}`" for name in rooms(layer)) for layer in one["layers"])
        + " |"
        for container, one in LAYERS.items()
        if container != "fivedice"
    ]
    assert [line for line in lines if line not in MAP.splitlines()] == []


@pytest.mark.parametrize(("rule", "most"), [("limited_pair", 6), ("voluntary_zero", 10), ("announced", 24)])
def test_few_files_name_a_rule_of_turns(rule: str, most: int) -> None:
    """All others ask the engine or the table of offers what follows from it."""
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")}
    named = [str(path.relative_to(ROOT)) for path, text in sources.items() if re.search(rf"\b{rule}\b", text)]
    assert len(named) <= most, named


OF_TABLES = {"TableView", "GameView", "GamesView"}
"""They have the state of a table, which the server defines."""


def test_the_json_that_is_sent_is_defined_in_views() -> None:
    outside = {
        name
        for path in (ROOT / "src" / "fivedice").rglob("*.py")
        if path.parent.name != "views"
        for name in re.findall(r"^class (\w+View)\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert outside == OF_TABLES
