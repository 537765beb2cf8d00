"""`make pythons`: which Pythons it looks for."""

import sys
from pathlib import Path

import pytest

from release.pythons import find, supported
from tests.repository import ROOT

HERE = f"{sys.version_info.major}.{sys.version_info.minor}"


def test_every_python_of_the_classifiers_is_tested_and_this_one_is_among_them() -> None:
    found = supported((ROOT / "pyproject.toml").read_text())
    assert found == sorted(found, key=lambda version: int(version[2:]))
    assert found[0] == "3.11"
    assert HERE in found


def test_a_command_of_this_name_that_is_another_python_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "path").mkdir()
    shim = tmp_path / "path" / f"python{HERE}"
    shim.write_text("#!/bin/sh\necho 2.7\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'path'}:/bin")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert find(HERE) is None
    right = tmp_path / "versions" / f"{HERE}.1" / "bin" / "python"
    right.parent.mkdir(parents=True)
    right.symlink_to(sys.executable)
    assert find(HERE) == str(right)
