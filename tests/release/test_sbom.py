"""The software bill of materials: what it lists, its format, and that it depends on its sources only."""

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
HASHES = ["a" * 64, "b" * 64]


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


def test_the_bill_names_the_licences_of_what_runs_in_the_browser(tree: Path) -> None:
    found = {one["name"]: one for one in json.loads(sbom.bill(tree))["components"]}
    names = ("pyodide", "cpython", "msgspec")
    assert [found[name]["licenses"][0]["expression"] for name in names] == ["MPL-2.0", "Python-2.0.1", "BSD-3-Clause"]
    assert [one["value"] for one in found["msgspec"]["properties"]][-1] == "in the wheel, for the browser"


def test_the_program_depends_on_its_requirements_and_on_what_the_page_includes(tree: Path) -> None:
    bill = json.loads(sbom.bill(tree))
    [dependencies] = bill["dependencies"]
    assert dependencies["ref"] == bill["metadata"]["component"]["bom-ref"]
    names = {re.split(r"[/@]", reference)[1] for reference in dependencies["dependsOn"]}
    assert {"numpy", "svelte"} <= names
    assert not names & {"hatchling", "numba", "vite"}


def test_the_same_sources_give_the_same_bytes(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    first = sbom.bill(tree)
    assert first == sbom.bill(tree)
    assert "timestamp" not in json.loads(first)["metadata"]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795348800")
    dated = sbom.bill(tree)
    assert dated == sbom.bill(tree)
    assert json.loads(dated)["metadata"]["timestamp"] == "2026-11-22T12:00:00Z"
    assert json.loads(dated)["serialNumber"] != json.loads(first)["serialNumber"]


def test_a_page_with_a_package_that_is_not_in_its_lock_is_refused(tree: Path) -> None:
    include(tree, {"svelte": SVELTE, "left-pad": "1.0.0"})
    with pytest.raises(ValueError, match=r"the page includes left-pad 1\.0\.0, which .* build the page again"):
        sbom.bill(tree)


def test_a_pin_keeps_its_hashes_and_where_it_is_needed() -> None:
    hashes = " \\\n".join(f"    --hash=sha256:{one}" for one in HASHES)
    lock = f"colorama==0.4.6 ; sys_platform == 'win32' \\\n{hashes}\nnumpy==2.4.1+local \\\n{hashes}\n"
    windows, everywhere = sbom.python_packages(lock)
    assert windows["purl"] == "pkg:pypi/colorama@0.4.6"
    assert windows["properties"][1] == {"name": "fivedice:marker", "value": "(sys_platform == 'win32')"}
    assert everywhere["version"] == "2.4.1+local"
    assert len(everywhere["properties"]) == 1
    [reference] = everywhere["externalReferences"]
    assert [one["content"] for one in reference["hashes"]] == HASHES


def test_a_package_of_the_page_has_its_digest_and_licence() -> None:
    entry = {"version": "1.0.0", "integrity": "sha512-" + "A" * 86 + "==", "license": "MIT"}
    lock = {"packages": {"": {}, "node_modules/@a/b": entry, "node_modules/c/node_modules/@a/b": entry}}
    [component] = sbom.web_packages(lock=lock, included={})
    assert component["purl"] == "pkg:npm/%40a/b@1.0.0"
    assert component["hashes"] == [{"alg": "SHA-512", "content": "0" * 128}]
    assert component["licenses"] == [{"expression": "MIT"}]
    assert component["scope"] == "excluded"
