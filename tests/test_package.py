"""The package and the files around it: names, imports, hooks, workflow, locks, and the layers in CONTRIBUTING."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

import fivedice
from tests.repository import ROOT

TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def read(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def test_the_workflow_runs_the_checks_with_every_supported_python() -> None:
    [job] = read(".github/workflows/ci.yml")["jobs"].values()
    supported = [one.rpartition(" ")[2] for one in PROJECT["project"]["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert job["strategy"]["matrix"]["python"] == supported
    [command] = [step["run"] for step in job["steps"] if "run" in step]
    script, _, targets = command.partition(" ")
    assert (ROOT / script).stat().st_mode & 0o100
    assert set(re.findall("'(test[a-z-]*)'", targets)) == {"test-ci", "test-full"} <= TARGETS


def test_make_installs_again_in_a_folder_that_was_moved(tmp_path: Path) -> None:
    before, after = tmp_path / "vorhér", tmp_path / "after"
    venv.create(before / ".venv", symlinks=True)
    shutil.copy(ROOT / "Makefile", before)
    (before / ".venv/.play").touch()
    subprocess.run(["make", "help"], cwd=before, stdout=subprocess.DEVNULL, check=True)  # noqa: S607
    assert (before.rename(after) / ".venv/.play").exists()
    subprocess.run(["make", "help"], cwd=after, stdout=subprocess.DEVNULL, check=True)  # noqa: S607
    assert not (after / ".venv").exists()


LOCKS = ROOT / "requirements"


def pins(name: str) -> dict[str, set[str]]:
    """Package → the lines that pin it: its version, and for which platforms and Pythons."""
    found: dict[str, set[str]] = {}
    for line in (LOCKS / name).read_text().splitlines():
        if not line.startswith(" "):
            found.setdefault(line.partition("==")[0], set()).add(line.removesuffix(" \\"))
    return found


def test_tests_use_the_postgresql_driver_of_the_server_and_the_pip_of_the_setup() -> None:
    for package in ("psycopg", "psycopg-binary"):
        assert pins("serve.lock")[package] == pins("dev.lock")[package]
    assert pins("pip.lock") == {"pip": pins("dev.lock")["pip"]}


def test_no_lock_has_an_address_and_every_pin_has_hashes() -> None:
    for lock in LOCKS.glob("*.lock"):
        text = lock.read_text()
        assert "://" not in text, lock.name
        for pin in re.split(r"\n(?! )", text.rstrip("\n")):
            assert re.fullmatch(r"[\w.-]+==[^ ]+( ; [^\\]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+", pin), pin[:80]


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS: list[dict[str, Any]] = PROJECT["tool"]["importlinter"]["contracts"]
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


def modules_after(statement: str) -> set[str]:
    """The modules that a statement imports in a new interpreter."""
    code = f"import sys\nbefore = set(sys.modules)\n{statement}\nprint(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    return set(done.stdout.split())


def third_party(modules: set[str]) -> set[str]:
    own = {"fivedice", *sys.stdlib_module_names}
    return {module for module in modules if module.partition(".")[0] not in own}


def test_importing_the_package_imports_none_of_its_modules_and_no_dependencies() -> None:
    modules = modules_after("import fivedice")
    assert {module for module in modules if module.startswith("fivedice")} == {"fivedice"}
    assert third_party(modules) == set()


def test_every_name_of_rules_records_and_players_needs_nothing_that_must_be_installed() -> None:
    rooms = ("solver", "analysis", "simulation", "evaluation", "views")
    solver = [name for name, room in fivedice._HOME.items() if room.startswith(rooms)]
    names = [name for name in fivedice.__all__ if name not in solver]
    assert {"Position", "Record", "explain", "load_ruleset"} < set(names)
    modules = modules_after(f"import fivedice\nfor name in {names}: getattr(fivedice, name)")
    assert "fivedice.game.position" in modules
    assert third_party(modules) == set()
    assert all(callable(getattr(fivedice, name)) for name in solver)


def test_every_public_name_is_listed_once() -> None:
    assert len(set(fivedice.__all__)) == len(fivedice.__all__)
    assert set(fivedice.__all__) <= set(dir(fivedice))
    assert not hasattr(fivedice, "Yahtzee")


def test_every_public_method_and_property_of_a_public_class_is_documented() -> None:
    members = [
        (name, member, value)
        for name in fivedice.__all__
        if isinstance(public := getattr(fivedice, name), type)
        for member, value in vars(public).items()
        if not member.startswith("_")
        and (callable(value) or isinstance(value, property | classmethod | cached_property))
    ]
    assert ("Position", "play") in [(name, member) for name, member, _ in members]
    assert [f"{name}.{member}" for name, member, value in members if not value.__doc__] == []


def test_programs_beside_the_package_import_only_names_that_exist() -> None:
    missing = []
    for folder in ("benchmarks", "examples", "release", "docs/site"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "fivedice":
                    home = import_module(node.module or "")
                    missing += [
                        f"{path.name}: {node.module}.{alias.name}"
                        for alias in node.names
                        if not hasattr(home, alias.name)
                        and not (hasattr(home, "__path__") and find_spec(f"{node.module}.{alias.name}"))
                    ]
    assert missing == []
