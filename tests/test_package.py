"""The public names of the package, and what importing it imports."""

import ast
import subprocess
import sys
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec

import fivedice
from tests.repository import ROOT


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
