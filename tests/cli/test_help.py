"""`--help` and the completions of the shells, from the same commands, and which libraries commands load."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from fivedice.cli.app import COMMANDS, GROUPS, app, examples_of, place_of
from tests.cli.run_command import fivedice
from tests.repository import ROOT
from tests.waiting import TIMEOUT_SECONDS


def test_every_command_is_in_one_group_of_the_help() -> None:
    assert sum(map(len, GROUPS.values())) == len(COMMANDS)
    shown = fivedice("--help").out
    places = [shown.index(f"─ {title} ─") for title in GROUPS]
    assert places == sorted(places)
    assert "--install-completion" in shown[shown.index("─ Options ─") :]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented_and_its_help_shows_valid_examples_and_no_empty_defaults(command: str) -> None:
    shown = fivedice(command, "--help").out
    for page in ("README.md", "docs/commands.md"):
        assert f"`fivedice {command}" in (ROOT / page).read_text(encoding="utf-8")
    assert "--json" in shown
    plain = " ".join(shown.replace("│", " ").split())
    assert all(example in plain for example in examples_of(command))
    assert "[default: ()]" not in plain
    assert "[default: False]" not in plain
    assert ("A position in one line" in plain) == (command in ("advise", "chances", "legal", "odds"))
    assert "--lang de" in plain
    for example in examples_of(command):
        program, name, *rest = shlex.split(example)
        assert (program, name) == ("fivedice", command)
        if rest[-2:-1] == ["--lang"]:
            rest = rest[:-2]
        called, _, _ = app.parse_args([name, *rest], exit_on_error=False, print_error=False)
        assert "--help" in rest or called.__name__ == name


def test_completions_load_in_bash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    assert fivedice("--install-completion", "--shell", "bash").status == 0
    (file,) = [path for path in tmp_path.rglob("*fivedice*") if path.is_file()]
    typed = "COMP_WORDS=(fivedice advise --ta); COMP_CWORD=2; _fivedice"
    line = f'source {file}; complete -p fivedice; {typed}; test "${{COMPREPLY[*]}}" = --target'
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS)  # noqa: S603, S607
    assert done.returncode == 0, done.stderr


LARGE = {"litestar", "llvmlite", "numba", "numpy", "pandas", "scipy", "sqlalchemy", "structlog", "textual"}

RULES, POSITION = "crag", "crag - 445 r1"


def packages_of(*commands: str, cache: Path) -> set[str]:
    """The packages that commands have loaded when the last one ends, and the modules of `fivedice`."""
    code = """
import sys
from fivedice.cli.app import main
for command in sys.argv[1:]:
    try:
        main(command.split("|"))
    except SystemExit:
        pass
print(*sys.modules, file=sys.stderr)
"""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code, *commands],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "FIVEDICE_CACHE": str(cache), "FIVEDICE_DATA": str(cache)},
    )
    modules = set(done.stderr.split())
    return {name if name.startswith("fivedice.") else name.partition(".")[0] for name in modules}


def test_commands_that_need_no_solution_load_no_large_library(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    record.write_text((ROOT / "tests" / "golden" / "crag.txt").read_text().partition("report:")[0])
    commands = [f"rules|{RULES}", f"legal|{POSITION}", "games", f"replay|{record}", f"verify|{record}"]
    packages = packages_of("--help", *commands, cache=tmp_path)
    assert {place_of(command.partition("|")[0]).partition(":")[0] for command in commands} <= packages
    assert packages & LARGE == set()


def test_advice_without_a_saved_solution_solves_and_with_one_loads_no_large_library(tmp_path: Path) -> None:
    assert "numpy" in packages_of(f"advise|{POSITION}", cache=tmp_path)
    assert list((tmp_path / "solutions").glob("*.solution"))
    again = packages_of(f"advise|{POSITION}", f"advise|{POSITION}|--json", f"advise|{POSITION}|--top|3", cache=tmp_path)
    assert "fivedice.cli.commands.advise" in again
    assert again & LARGE == set()
