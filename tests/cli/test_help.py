"""`--help` and the completions of the shells: both from the same commands."""

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from fivedice.cli.app import COMMANDS, GROUPS, app, examples_of
from tests.cli.run_command import fivedice
from tests.repository import ROOT
from tests.waiting import TIMEOUT_SECONDS

LOAD = {
    "bash": "source {file}; complete -p fivedice; COMP_WORDS=(fivedice advise --ta); COMP_CWORD=2; _fivedice;"
    ' test "${{COMPREPLY[*]}}" = --target',
    # In a pseudo-terminal, because zsh completes only what is typed.
    "zsh": r"""
zmodload zsh/zpty
zpty typed zsh -f -i
zpty -w typed 'fpath=({file.parent} $fpath); autoload -Uz compinit; compinit -u -d {folder}/dump; print loa""ded'
zpty -r typed shown '*loaded*'
zpty -w -n typed $'fivedice advise --ta\t'
zpty -r typed shown '*--ta*rget*'
""",
    "fish": "source {file}; complete -C 'fivedice advise --ta' | grep -q target",
}
"""Shell → a line that loads the completions and fails unless they work."""


def test_every_command_is_in_one_group_of_the_help() -> None:
    assert sum(map(len, GROUPS.values())) == len(COMMANDS)
    shown = fivedice("--help").out
    places = [shown.index(f"─ {title} ─") for title in GROUPS]
    assert places == sorted(places)
    assert "--install-completion" in shown[shown.index("─ Options ─") :]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented_and_its_help_shows_examples_and_no_empty_defaults(command: str) -> None:
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


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_are_valid_calls(command: str) -> None:
    for example in examples_of(command):
        program, name, *rest = shlex.split(example)
        assert (program, name) == ("fivedice", command)
        if rest[-2:-1] == ["--lang"]:
            rest = rest[:-2]
        called, _, _ = app.parse_args([name, *rest], exit_on_error=False, print_error=False)
        assert "--help" in rest or called.__name__ == name


@pytest.mark.parametrize("shell", LOAD)
def test_completions_load_in_the_shell(shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "ZDOTDIR", "ZSH"):
        monkeypatch.setenv(variable, str(tmp_path))
    assert fivedice("--install-completion", "--shell", shell).status == 0
    (file,) = [path for path in tmp_path.rglob("*fivedice*") if path.is_file()]
    line = LOAD[shell].format(file=file, folder=tmp_path)
    done = subprocess.run([shell, "-c", line], capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS)  # noqa: S603
    assert done.returncode == 0, done.stderr
