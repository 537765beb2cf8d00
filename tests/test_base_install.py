"""The base install: all it needs is in `dependencies`, and a command whose extra is missing says so.

`make check-install` checks the same with real installs. Here a new interpreter refuses to import the packages that a
base install does not have.
"""

import json
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Collection, Mapping
from functools import cache
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import fivedice as package
from fivedice.base.extras import EXTRAS, missing_kernels
from tests.check_install import BASE_COMMANDS, MAX_BASE_PACKAGES, PROJECT
from tests.repository import ROOT

EXTRA_COMMANDS = {"serve": "serve", "backup backup.txt": "serve", "restore backup.txt": "serve", "grade": "serve"}
"""Commands that need an extra, and its name."""

EXTRA_OPTIONS = {
    "simulate crag --games 10 --out games.parquet": ("research", "Parquet"),
    "simulate crag --games 10 --scheduler tcp://127.0.0.1:1": ("cluster", "--scheduler"),
    "export distribution crag --parquet distribution.parquet": ("research", "fivedice export"),
}
"""Commands with an option that needs an extra, its name, and the words with which their sentence begins."""

REFUSE = """
import sys, json
class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        is_stdlib = top in sys.stdlib_module_names or top.startswith("_sysconfigdata")  # its name has the machine
        if top not in allowed and not is_stdlib:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
allowed = {"fivedice", "tests", *json.loads(sys.argv[1])}
sys.meta_path.insert(0, Refuse())
"""

RUN = """
import shlex
from tests.cli.run_command import fivedice
results = {}
for command in json.loads(sys.argv[2]):
    done = fivedice(*shlex.split(command))
    results[command] = [done.status, done.out + done.err]
print(json.dumps(results))
"""

ROOMS = """
from fivedice.base.extras import MissingExtraError
for module in json.loads(sys.argv[2]):
    try:
        __import__(module)
    except MissingExtraError as error:
        print(error)
"""

IMPORT = """
from importlib import import_module
for module in json.loads(sys.argv[2]):
    import_module(module)
"""

ROOMS_OF_EXTRAS = (
    *("fivedice.envs", "fivedice.server", "fivedice.storage", "fivedice.testing.strategies"),
    *(f"fivedice.simulation.{name}" for name in ("decision_set", "exact_tables", "game_rows", "described")),
)
"""Packages whose modules may import an extra where they begin."""


def base_packages() -> set[str]:
    """The packages that the base brings beside fivedice, as in this environment."""
    found: set[str] = set()
    needed = [Requirement(line) for line in PROJECT["dependencies"]]
    names = [(one.name, "") for one in needed]
    while names:
        name, extra = names.pop()
        for line in distribution(name).requires or ():
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                wanted = [(requirement.name, one) for one in ("", *requirement.extras)]
                names += [one for one in wanted if one[1] or canonicalize_name(one[0]) not in found]
        found.add(canonicalize_name(name))
    return found


def modules_of(packages: set[str]) -> set[str]:
    """The top-level modules of these packages."""
    return {module for module, names in _owners().items() if packages & {canonicalize_name(name) for name in names}}


@cache
def _owners() -> Mapping[str, list[str]]:
    return packages_distributions()  # takes a second


@cache
def base() -> set[str]:
    """The modules of the base install."""
    return modules_of(base_packages())


def in_base_install(code: str, argument: object, folder: Path, modules: Collection[str] = ()) -> str:
    """The output of code that is run where only these modules can be imported, by default those of the base install."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", REFUSE + code, json.dumps(sorted(modules or base())), json.dumps(argument)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
            "FIVEDICE_CACHE": str(folder),
            "FIVEDICE_DATA": str(folder),
        },
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_commands_of_the_base_install_need_no_extra_and_the_others_name_theirs(tmp_path: Path) -> None:
    results = json.loads(in_base_install(RUN, [*BASE_COMMANDS, *EXTRA_COMMANDS, *EXTRA_OPTIONS], tmp_path))
    for command, part in BASE_COMMANDS.items():
        output = results[command][1]
        assert part in output, (command, output)
        assert "needs the extra" not in output, command
    for command, extra in EXTRA_COMMANDS.items():
        name = command.split()[0]
        sentence = f'fivedice: fivedice {name} needs the extra "{extra}": pip install "fivedice[{extra}]"\n'
        assert results[command] == [2, sentence]
    for command, (extra, what) in EXTRA_OPTIONS.items():
        assert f'{what} needs the extra "{extra}": pip install "fivedice[{extra}]"\n' in results[command][1]


NO_KERNELS = """
from pathlib import Path
from fivedice.solver.kernels import libraries
libraries.FOLDER = Path("no such folder")
"""


def test_without_kernels_one_sentence_says_how_to_get_them(tmp_path: Path) -> None:
    found = json.loads(in_base_install(NO_KERNELS + RUN, ["solve crag", "--version"], tmp_path))
    assert found["solve crag"] == [2, f"fivedice: {missing_kernels()}\n"]
    assert found["--version"][1].endswith(", without the compiled solver\n")


def test_no_module_of_the_program_imports_a_compiler() -> None:
    imported = re.compile(r"^\s*(import|from) (numba|llvmlite)\b", re.MULTILINE)
    assert [path for path in (ROOT / "src").rglob("*.py") if imported.search(path.read_text())] == []


def test_modules_outside_the_rooms_of_extras_import_with_the_base_install(tmp_path: Path) -> None:
    modules = [module.name for module in pkgutil.walk_packages(package.__path__, "fivedice.", onerror=lambda _: None)]
    base = [name for name in modules if not name.startswith(ROOMS_OF_EXTRAS) and not name.endswith("__main__")]
    assert len(base) > 200
    in_base_install(IMPORT, base, tmp_path)


def test_rooms_for_programs_name_their_extra(tmp_path: Path) -> None:
    rooms = {"fivedice.envs": "research", "fivedice.testing.strategies": "testing"}
    sentences = [f'{room} needs the extra "{extra}": pip install "fivedice[{extra}]"' for room, extra in rooms.items()]
    assert in_base_install(ROOMS, list(rooms), tmp_path).splitlines() == sentences


def test_the_base_install_is_at_most_a_few_packages_without_web_server_database_and_scipy() -> None:
    packages = base_packages() | {"fivedice"}
    assert {"numpy", "textual"} < packages
    assert len(packages) <= MAX_BASE_PACKAGES
    assert not packages & {"litestar", "pandas", "scipy", "sqlalchemy", "uvicorn"}


def test_extras_list_the_modules_of_their_packages() -> None:
    base = base_packages()
    for extra, modules in EXTRAS.items():
        names = {canonicalize_name(Requirement(line).name) for line in PROJECT["optional-dependencies"][extra]}
        owned = {name: modules_of({name}) for name in names - base - {"fivedice"}}
        assert all(own & set(modules) for own in owned.values()), extra
        assert set(modules) <= {"dask"}.union(*owned.values()), extra


def test_the_extra_all_has_all_others() -> None:
    extras = PROJECT["optional-dependencies"]
    assert set(extras) == {*EXTRAS, "all"}
    (line,) = extras["all"]
    named = line.removeprefix("fivedice[").removesuffix("]").split(",")
    (own,) = (one for one in extras["postgres"] if one.startswith("fivedice["))
    assert {*named, own.removeprefix("fivedice[").removesuffix("]")} == set(EXTRAS)
