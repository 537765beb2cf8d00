"""The files for the services around the project: editors, pre-commit, the CI workflow and issue forms."""

import configparser
import re
import shlex
import tomllib
from typing import Any

import pytest
import yaml

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
    assert set(re.findall("'(test[a-z-]*)'", targets)) == {"test", "test-full"} <= TARGETS


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


def test_editors_are_told_the_line_length_of_the_checks() -> None:
    parser = configparser.ConfigParser()
    parser.read_string("[top]\n" + (ROOT / ".editorconfig").read_text(encoding="utf-8"))
    ruff = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]
    assert int(parser["*"]["max_line_length"]) == ruff["line-length"]
