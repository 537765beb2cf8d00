"""What is in a wheel and an sdist, of which each fault is found in small archives, and in the bill of materials."""

import io
import json
import re
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from release import sbom
from release.contents import faults_of_sdist, faults_of_wheel
from release.platforms import platform_tag
from tests.repository import ROOT

PAGE = {
    "index.html": '<link rel="icon" href="/icon.svg"><script src="/assets/index-1.js"></script>',
    "icon.svg": "<svg/>",
    "assets/index-1.js": "play()",
    "sw.js": "",
    "manifest.webmanifest": "{}",
    "licences.txt": "MIT",
    "packages.json": "{}",
    "local/manifest.json": '{"files": [{"path": "python.wasm"}, {"path": "../assets/index-1.js"}]}',
    "local/python.wasm.gz": "",
    "local/licences.txt": "MPL",
    "local/packages.json": "[]",
}
PACKAGE = {"__init__.py": "", "py.typed": "", "rulesets/yahtzee.toml": "", "locale/de/LC_MESSAGES/fivedice.mo": ""}
TRACKED = [f"src/fivedice/{name}" for name in PACKAGE]


def elf(machine: int, minor: int) -> str:
    """The header of a library for Linux on a kind of processor, and versions of glibc that it uses."""
    return f"\x7fELF\x02\x01\x01{chr(0) * 9}\x03\x00{chr(machine)}\x00 GLIBC_2.{minor} GLIBC_2.4"


X86_64, AARCH64 = 62, 183
TAG = "manylinux_2_29_x86_64"
KERNELS = {
    f"fivedice/solver/kernels/built/x86-64-v{level}-0a1b.so": elf(X86_64, minor) for level, minor in ((2, 17), (3, 29))
}
INFO = "fivedice-1.2.0.dist-info"
WHEEL = {
    **{f"fivedice/{name}": text for name, text in PACKAGE.items()},
    **{f"fivedice/web/{name}": text for name, text in PAGE.items()},
    **KERNELS,
    **{
        f"{INFO}/{name}": "" for name in ("METADATA", "entry_points.txt", "licenses/LICENSE", "sboms/fivedice.cdx.json")
    },
}
SDIST = {
    **{f"src/fivedice/{name}": text for name, text in PACKAGE.items()},
    **{f"src/fivedice/web/{name}": text for name, text in PAGE.items()},
    "PKG-INFO": "",
    "pyproject.toml": "",
}


def faults_of_a_wheel(
    folder: Path, files: Mapping[str, str | None], name: str = f"fivedice-1.2.0-py3-none-{TAG}.whl"
) -> str:
    """The faults of a good wheel with these files changed, or removed if None."""
    path = folder / name
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in {**WHEEL, **files}.items():
            if text is not None:
                archive.writestr(file, text)
    return "\n".join(faults_of_wheel(path, tracked=TRACKED))


def faults_of_an_sdist(folder: Path, files: Mapping[str, str | None]) -> str:
    """The faults of a good sdist with these files changed, or removed if None."""
    path = folder / "fivedice-1.2.0.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, text in {**SDIST, **files}.items():
            if text is not None:
                member = tarfile.TarInfo(f"fivedice-1.2.0/{name}")
                member.size = len(text.encode())
                archive.addfile(member, io.BytesIO(text.encode()))
    return "\n".join(faults_of_sdist(path, tracked=[*TRACKED, "pyproject.toml"]))


def test_a_good_wheel_and_a_good_sdist_have_no_faults(tmp_path: Path) -> None:
    assert faults_of_a_wheel(tmp_path, {}) == ""
    assert faults_of_an_sdist(tmp_path, {}) == ""


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({"fivedice/py.typed": None}, "lacks fivedice/py.typed"),
        ({"fivedice/locale/de/LC_MESSAGES/fivedice.mo": None}, "lacks fivedice/locale/de/LC_MESSAGES/fivedice.mo"),
        ({"fivedice/web/index.html": None}, "lacks the page's index.html"),
        ({"fivedice/web/assets/index-1.js": None}, "lacks assets/index-1.js, which the page loads"),
        (
            {"fivedice/web/local/python.wasm.gz": None},
            "lacks fivedice/web/local/python.wasm, which the page keeps to play without the server",
        ),
        ({"fivedice/web/index.html": "<p>soon</p>"}, "has a page without scripts and styles"),
        ({"fivedice/__pycache__/a.cpython-311.pyc": ""}, "contains fivedice/__pycache__/a.cpython-311.pyc"),
        ({"fivedice/web/assets/index-1.js.map": ""}, "contains fivedice/web/assets/index-1.js.map"),
        ({"fivedice/solver/saved/shipped/0-1.solution": ""}, "0-1.solution, which is not in the repository"),
        ({"fivedice/scratch.py": ""}, "contains fivedice/scratch.py, which is not in the repository"),
        ({"tests/test_dice.py": ""}, "contains tests/test_dice.py, outside the package"),
        ({f"{INFO}/METADATA": None}, "has no metadata"),
        ({f"{INFO}/sboms/fivedice.cdx.json": None}, f"lacks {INFO}/sboms/fivedice.cdx.json"),
    ],
)
def test_a_wheel_with_other_contents_is_refused(tmp_path: Path, files: dict[str, str | None], fault: str) -> None:
    assert fault in faults_of_a_wheel(tmp_path, files)


def test_a_wheel_is_for_linux_with_the_newest_glibc_that_its_kernels_use(tmp_path: Path) -> None:
    old, any = (f"fivedice-1.2.0-py3-none-{tag}.whl" for tag in ("manylinux_2_17_x86_64", "any"))
    for wrong in (old, any):
        assert f"{wrong} is not for py3-none-{TAG}" in faults_of_a_wheel(tmp_path, {}, wrong)
    assert f"{any} has no kernels" in faults_of_a_wheel(tmp_path, dict.fromkeys(KERNELS), any)
    assert "built/other.so" in faults_of_an_sdist(tmp_path, {"src/fivedice/solver/kernels/built/other.so": ""})


@pytest.mark.parametrize(
    ("library", "tag"),
    [
        (elf(AARCH64, 17).encode("latin-1"), "manylinux_2_17_aarch64"),
        (b"\xcf\xfa\xed\xfe\x0c\x00\x00\x01", "macosx_11_0_arm64"),
        (b"MZ\x90\x00", "win_amd64"),
        (elf(X86_64, 17).encode("latin-1").partition(b" GLIBC")[0], "linux_x86_64"),
    ],
)
def test_the_tag_of_a_wheel_is_of_the_machine_of_its_kernels(library: bytes, tag: str) -> None:
    assert platform_tag([library]) == tag
    with pytest.raises(ValueError, match="too many values"):
        platform_tag([library, b"MZ" if library.startswith(b"\x7f") else elf(X86_64, 17).encode("latin-1")])


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({"pyproject.toml": None}, "lacks pyproject.toml"),
        ({"src/fivedice/web/index.html": None}, "lacks the page's index.html"),
        ({"PKG-INFO": None}, "lacks PKG-INFO"),
        ({"web/node_modules/svelte/package.json": "{}"}, "contains web/node_modules/svelte/package.json"),
        ({"notes.txt": ""}, "contains notes.txt, which is not in the repository"),
        ({"../outside.py": ""}, "contains ../outside.py"),
        ({"tests/a.sqlite": ""}, "contains tests/a.sqlite"),
    ],
)
def test_an_sdist_with_other_contents_is_refused(tmp_path: Path, files: dict[str, str | None], fault: str) -> None:
    assert fault in faults_of_an_sdist(tmp_path, files)


def test_the_description_on_the_package_index_has_no_link_into_the_repository_and_the_trademarks() -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", (ROOT / "release" / "description.md").read_text())
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    notes = {
        next(part for part in (ROOT / name).read_text().split("\n\n") if "trademark of" in part).strip()
        for name in ("README.md", "release/description.md")
    }
    [note] = notes
    assert "Hasbro" in note
    assert "not affiliated" in " ".join(note.split())


def test_the_bill_is_valid_lists_every_package_of_both_locks_once_and_refuses_others(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "requirements/serve.lock", "web/package-lock.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    svelte, pyodide, vite = (lock[f"node_modules/{name}"]["version"] for name in ("svelte", "pyodide", "vite"))
    pins = re.findall(r"^([\w.-]+)==([\w.+!-]+)", (ROOT / "requirements" / "serve.lock").read_text(), re.MULTILINE)
    local = [
        {"name": "pyodide", "version": pyodide, "license": "MPL-2.0", "purl": "pkg:npm/pyodide"},
        {"name": "cpython", "version": "3.14.2", "license": "Python-2.0.1", "purl": "pkg:generic/cpython"},
        {"name": "msgspec", "version": dict(pins)["msgspec"], "license": "BSD-3-Clause", "purl": "pkg:pypi/msgspec"},
    ]
    page = tmp_path / "src" / "fivedice" / "web"
    (page / "local").mkdir(parents=True)
    (page / "packages.json").write_text(json.dumps({"svelte": svelte}))
    (page / "local" / "packages.json").write_text(json.dumps(local))

    bill = sbom.bill(tmp_path)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill) is None
    found = {one["purl"]: one["properties"][0]["value"] for one in json.loads(bill)["components"]}
    assert {purl for purl in found if purl.startswith("pkg:pypi/")} == {f"pkg:pypi/{a}@{b}" for a, b in pins}
    web = {(path.rpartition("node_modules/")[2], one["version"]) for path, one in lock.items() if path}
    assert len(found) == len(set(pins)) + len(web) + 1
    assert [purl for purl, role in found.items() if role == "in the wheel"] == [
        *("pkg:generic/cpython@3.14.2", f"pkg:npm/pyodide@{pyodide}", f"pkg:npm/svelte@{svelte}")
    ]
    assert found[f"pkg:npm/vite@{vite}"] == "built the page"

    (page / "packages.json").write_text(json.dumps({"svelte": svelte, "left-pad": "1.0.0"}))
    with pytest.raises(ValueError, match=r"the page includes left-pad 1\.0\.0, which .* build the page again"):
        sbom.bill(tmp_path)
