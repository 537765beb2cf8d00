"""The files around the project: editors, pre-commit, the CI workflow, issue forms, and locks of its dependencies."""

import re
import shlex
import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from tests.repository import ROOT

FORMS = sorted(path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
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


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_asks_for_the_version_and_a_position_or_record(form: Any) -> None:
    content = yaml.safe_load(form.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= content.keys()
    fields = {field["id"]: field for field in content["body"]}
    assert len(fields) == len(content["body"])
    assert "fivedice --version" in fields["version"]["attributes"]["description"]
    assert fields["version"]["validations"]["required"]
    assert fields["game"]["attributes"]["label"] == "Position or record"


def test_the_page_on_help_names_the_forms() -> None:
    page = (ROOT / "docs/community.md").read_text(encoding="utf-8")
    names = [yaml.safe_load(form.read_text(encoding="utf-8"))["name"] for form in FORMS]
    assert len(names) == 2
    assert [name for name in names if name not in page] == []


LOCKS = ROOT / "requirements"

SYSTEMS = {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}
IMPLEMENTATIONS = ("CPython", "PyPy")


def pins(name: str) -> dict[str, set[str]]:
    """Package → the lines that pin it: its version, and for which platforms and Pythons."""
    found: dict[str, set[str]] = {}
    for line in (LOCKS / name).read_text().splitlines():
        if not line.startswith(" "):
            found.setdefault(line.partition("==")[0], set()).add(line.removesuffix(" \\"))
    return found


@pytest.mark.parametrize(("less", "more"), [("play.lock", "dev.lock"), ("serve.lock", "dev.lock")])
def test_a_larger_lock_includes_the_smaller_ones(less: str, more: str) -> None:
    fewer, all = pins(less), pins(more)
    assert len(fewer) < len(all)
    for package, lines in fewer.items():
        for system, implementation in product(SYSTEMS, IMPLEMENTATIONS):
            # A package that only some of them need may be needed on more by the others.
            assert installed(lines, system, implementation) <= installed(all[package], system, implementation), package


def installed(lines: set[str], system: str, implementation: str) -> set[str]:
    """What these lines pin on a system with an implementation of Python."""
    where = {
        "sys_platform": system,
        "platform_system": SYSTEMS[system],
        "implementation_name": implementation.lower(),
        "platform_python_implementation": implementation,
    }
    found = [Requirement(line) for line in lines]
    return {f"{one.name}{one.specifier}" for one in found if one.marker is None or one.marker.evaluate(where)}


def test_server_and_tests_use_the_same_postgresql_driver() -> None:
    assert pins("serve.lock")["psycopg"] == pins("dev.lock")["psycopg"]
    assert pins("serve.lock")["psycopg-binary"] == pins("dev.lock")["psycopg-binary"]


@pytest.mark.parametrize("lock", sorted(LOCKS.glob("*.lock")), ids=lambda lock: lock.name)
def test_every_pin_has_hashes_and_no_address(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    for pin in re.split(r"\n(?! )", text.rstrip("\n")):
        assert re.fullmatch(r"[\w.-]+==[^ ]+( ; [^\\]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+", pin), pin[:80]


def test_the_setup_installs_the_pip_that_the_tests_use() -> None:
    assert pins("pip.lock") == {"pip": pins("dev.lock")["pip"]}
