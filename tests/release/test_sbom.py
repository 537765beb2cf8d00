"""The software bill of materials: its format, what it lists, and what it refuses."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from release import sbom
from tests.repository import ROOT

LOCK = json.loads((ROOT / "web" / "package-lock.json").read_text())
SVELTE = LOCK["packages"]["node_modules/svelte"]["version"]
PYODIDE = LOCK["packages"]["node_modules/pyodide"]["version"]
MSGSPEC = re.findall(r"^msgspec==(\S+)", (ROOT / "requirements" / "serve.lock").read_text(), re.MULTILINE)[0]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The files of the repository that the bill is made from, with a page that includes Svelte."""
    for name in ("pyproject.toml", "requirements/serve.lock", "web/package-lock.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    include(tmp_path, {"svelte": SVELTE})
    local = [
        {"name": "pyodide", "version": PYODIDE, "license": "MPL-2.0", "purl": "pkg:npm/pyodide"},
        {"name": "cpython", "version": "3.14.2", "license": "Python-2.0.1", "purl": "pkg:generic/cpython"},
        {"name": "msgspec", "version": MSGSPEC, "license": "BSD-3-Clause", "purl": "pkg:pypi/msgspec"},
    ]
    (tmp_path / "src" / "fivedice" / "web" / "local").mkdir()
    (tmp_path / "src" / "fivedice" / "web" / "local" / "packages.json").write_text(json.dumps(local))
    return tmp_path


def include(tree: Path, packages: dict[str, str]) -> None:
    web = tree / "src" / "fivedice" / "web"
    web.mkdir(parents=True, exist_ok=True)
    (web / "packages.json").write_text(json.dumps(packages))


def roles(bill: dict[str, Any]) -> dict[str, str]:
    """The purl of each component → its role."""
    return {one["purl"]: one["properties"][0]["value"] for one in bill["components"]}


def test_the_bill_is_valid_cyclonedx(tree: Path) -> None:
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(sbom.bill(tree)) is None


def test_the_bill_lists_every_package_of_both_locks_once(tree: Path) -> None:
    found = roles(json.loads(sbom.bill(tree)))
    pins = re.findall(r"^([\w.-]+)==([\w.+!-]+)", (ROOT / "requirements" / "serve.lock").read_text(), re.MULTILINE)
    assert {purl for purl in found if purl.startswith("pkg:pypi/")} == {f"pkg:pypi/{a}@{b}" for a, b in pins}
    web = {(path.rpartition("node_modules/")[2], one["version"]) for path, one in LOCK["packages"].items() if path}
    assert len(found) == len(set(pins)) + len(web) + 1
    assert [purl for purl, role in found.items() if role == "in the wheel"] == [
        "pkg:generic/cpython@3.14.2",
        f"pkg:npm/pyodide@{PYODIDE}",
        f"pkg:npm/svelte@{SVELTE}",
    ]
    assert found[f"pkg:npm/vite@{LOCK['packages']['node_modules/vite']['version']}"] == "built the page"


def test_a_page_with_a_package_that_is_not_in_its_lock_is_refused(tree: Path) -> None:
    include(tree, {"svelte": SVELTE, "left-pad": "1.0.0"})
    with pytest.raises(ValueError, match=r"the page includes left-pad 1\.0\.0, which .* build the page again"):
        sbom.bill(tree)
