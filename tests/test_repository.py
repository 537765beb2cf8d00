"""The files around the project: the hooks of pre-commit, the CI workflow, and what the locks pin."""

import re
import shlex
import tomllib
from typing import Any

import yaml

from tests.repository import ROOT

TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def read(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def test_hooks_call_targets_of_the_makefile_or_the_environment_and_download_nothing() -> None:
    [repository] = read(".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        program, *arguments = shlex.split(hook["entry"])
        assert (hook["language"], hook["pass_filenames"]) == ("system", False), hook["id"]
        assert re.compile(hook["files"])
        if program == "make":
            assert {one for one in arguments if not one.startswith("-")} <= TARGETS, hook["id"]
        else:
            assert program == ".venv/bin/pytest"
            assert [one for one in arguments if not one.startswith("-") and not (ROOT / one).exists()] == []


def test_the_workflow_runs_the_checks_with_every_supported_python() -> None:
    [job] = read(".github/workflows/ci.yml")["jobs"].values()
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]
    supported = [one.rpartition(" ")[2] for one in classifiers if re.search(r":: 3\.\d+$", one)]
    assert job["strategy"]["matrix"]["python"] == supported
    [command] = [step["run"] for step in job["steps"] if "run" in step]
    script, _, targets = command.partition(" ")
    assert (ROOT / script).stat().st_mode & 0o100
    assert set(re.findall("'(test[a-z-]*)'", targets)) == {"test-ci", "test-full"} <= TARGETS


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
