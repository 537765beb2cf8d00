"""What a wheel and an sdist must contain and must not; each function yields a sentence for each fault.

What every build by hatchling has right is not checked here, and what the package index refuses is left to that.
"""

import json
import posixpath
import re
import tarfile
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath

from packaging.utils import parse_wheel_filename

from release import sbom
from release.platforms import KERNELS, platform_tag

PACKAGE = "fivedice/"
SOURCES = "src/" + PACKAGE

FORBIDDEN = re.compile(
    r"(^|/)(__pycache__|node_modules|\.venv|\.git|\.[a-z_]+_cache|\.hypothesis)(/|$)"
    r"|\.(pyc|pyo|so|map|sqlite|db|log)$|(^|/)\.(env|DS_Store|coverage)$"
)
"""Caches, environments, databases and whatever else lies about in a source tree."""

LIBRARY = re.compile(re.escape(KERNELS.removeprefix("src/")) + r"/[\w-]+\.(so|dylib|dll)")
"""Libraries of kernels, for which a wheel is for one kind of machine."""

PAGE = [
    "index.html",
    "sw.js",
    "manifest.webmanifest",
    "licences.txt",
    "packages.json",
    *(f"local/{name}" for name in ("manifest.json", "licences.txt", "packages.json")),
]


def faults_of_wheel(wheel: Path, *, tracked: Collection[str]) -> Iterator[str]:
    """The faults of a wheel; `tracked` has the paths in the repository of all files of the package."""
    *_, tags = parse_wheel_filename(wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    libraries = {name: files[name] for name in files if LIBRARY.fullmatch(name)}
    if not libraries:
        yield f"{wheel.name} has no kernels"
    elif {str(tag) for tag in tags} != {wanted := f"py3-none-{platform_tag(libraries.values())}"}:
        yield f"{wheel.name} is not for {wanted}"
    info = next((PurePosixPath(name).parent for name in files if name.endswith(".dist-info/METADATA")), None)
    if info is None:
        yield f"{wheel.name} has no metadata"
        return
    package = {name for name in files if name.startswith(PACKAGE)}
    yield from (f"{wheel.name} contains {name}" for name in sorted(files.keys() - libraries) if FORBIDDEN.search(name))
    for name in sorted(set(files) - package):
        if PurePosixPath(name).parts[0] != str(info):
            yield f"{wheel.name} contains {name}, outside the package"
    expected = {name.removeprefix("src/") for name in tracked}
    yield from (f"{wheel.name} lacks {name}" for name in sorted(expected - package))
    for name in sorted(package - expected - libraries.keys()):
        if not _is_built(name):
            yield f"{wheel.name} contains {name}, which is not in the repository"
    yield from (f"{wheel.name} {fault}" for fault in _faults_of_page(files))
    needed = (f"{info}/{name}" for name in (f"sboms/{sbom.NAME}", "licenses/LICENSE", "entry_points.txt"))
    yield from (f"{wheel.name} lacks {name}" for name in needed if name not in files)


def faults_of_sdist(sdist: Path, *, tracked: Collection[str]) -> Iterator[str]:
    """The faults of an sdist; `tracked` has the paths of all files in the repository."""
    with tarfile.open(sdist) as archive:
        members = {member.name: member for member in archive.getmembers()}
    top = sdist.name.removesuffix(".tar.gz") + "/"
    names = {name.removeprefix(top) for name in members}
    yield from (f"{sdist.name} contains {name}" for name in sorted(names) if FORBIDDEN.search(name))
    for name, member in sorted(members.items()):
        if not member.isfile() or not name.startswith(top):
            yield f"{sdist.name} contains {name}, which is not a file of its folder"
    expected = {*tracked, "PKG-INFO"}
    yield from (f"{sdist.name} lacks {name}" for name in sorted(expected - names))
    for name in sorted(names - expected):
        if not _is_built(name.removeprefix("src/")):
            yield f"{sdist.name} contains {name}, which is not in the repository"
    yield from (f"{sdist.name} lacks the page's {name}" for name in PAGE if f"{SOURCES}web/{name}" not in names)


def _is_built(name: str) -> bool:
    """Whether a file of the package is made by the build, beside libraries of kernels."""
    return name.startswith(PACKAGE + "web/")


def _faults_of_page(files: dict[str, bytes]) -> Iterator[str]:
    web = PACKAGE + "web/"
    yield from (f"lacks the page's {name}" for name in PAGE if web + name not in files)
    index = files.get(web + "index.html", b"").decode()
    for name in re.findall(r'(?:src|href)="/([^"]+\.\w+)"', index):
        if web + name not in files:
            yield f"lacks {name}, which the page loads"
    manifest = json.loads(files.get(web + "local/manifest.json", b"{}"))
    for name in (posixpath.normpath(f"{web}local/{file['path']}") for file in manifest.get("files", ())):
        if name not in files and f"{name}.gz" not in files:
            yield f"lacks {name}, which the page keeps to play without the server"
    if index and "assets/" not in index:
        yield "has a page without scripts and styles"
