"""What a wheel and an sdist must contain and must not; each function yields a sentence for each fault."""

import base64
import csv
import hashlib
import io
import json
import posixpath
import re
import tarfile
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath

from packaging.metadata import InvalidMetadata, Metadata
from packaging.utils import InvalidSdistFilename, InvalidWheelFilename, parse_sdist_filename, parse_wheel_filename

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
    try:
        _, version, _, tags = parse_wheel_filename(wheel.name)
    except InvalidWheelFilename as error:
        yield str(error)
        return
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
    yield from (f"{wheel.name} {fault}" for fault in _faults_of_record(files, str(info)))
    yield from (f"{wheel.name} {fault}" for fault in _faults_of_metadata(files[f"{info}/METADATA"], str(version)))
    yield from (
        f"{wheel.name} {fault}" for fault in _faults_of_bill(files.get(f"{info}/sboms/{sbom.NAME}"), str(version))
    )
    if f"{info}/licenses/LICENSE" not in files:
        yield f"{wheel.name} has no licence"
    if b"fivedice = fivedice.__main__:main" not in files.get(f"{info}/entry_points.txt", b""):
        yield f"{wheel.name} does not install the command fivedice"


def faults_of_sdist(sdist: Path, *, tracked: Collection[str]) -> Iterator[str]:
    """The faults of an sdist; `tracked` has the paths of all files in the repository."""
    try:
        _, version = parse_sdist_filename(sdist.name)
    except InvalidSdistFilename as error:
        yield str(error)
        return
    with tarfile.open(sdist) as archive:
        members = {member.name: member for member in archive.getmembers()}
        top = sdist.name.removesuffix(".tar.gz") + "/"
        metadata = archive.extractfile(members[top + "PKG-INFO"]) if top + "PKG-INFO" in members else None
        text = metadata.read() if metadata else None
    names = {name.removeprefix(top) for name in members}
    yield from (f"{sdist.name} contains {name}" for name in sorted(names) if FORBIDDEN.search(name))
    for name, member in sorted(members.items()):
        if not member.isfile() or not name.startswith(top):
            yield f"{sdist.name} contains {name}, which is not a file of its folder"
    expected = set(tracked)
    yield from (f"{sdist.name} lacks {name}" for name in sorted(expected - names))
    for name in sorted(names - expected - {"PKG-INFO"}):
        if not _is_built(name.removeprefix("src/")):
            yield f"{sdist.name} contains {name}, which is not in the repository"
    yield from (f"{sdist.name} lacks the page's {name}" for name in PAGE if f"{SOURCES}web/{name}" not in names)
    if text is None:
        yield f"{sdist.name} has no metadata"
    else:
        yield from (f"{sdist.name} {fault}" for fault in _faults_of_metadata(text, str(version)))


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


def _faults_of_record(files: dict[str, bytes], info: str) -> Iterator[str]:
    record = f"{info}/RECORD"
    rows = list(csv.reader(io.StringIO(files.get(record, b"").decode())))
    listed = {row[0]: row[1:] for row in rows}
    yield from (f"does not list {name} in its RECORD" for name in sorted(set(files) - set(listed)))
    for name, row in listed.items():
        if name == record:
            continue
        digest = base64.urlsafe_b64encode(hashlib.sha256(files.get(name, b"")).digest()).rstrip(b"=").decode()
        if row != [f"sha256={digest}", str(len(files.get(name, b"")))]:
            yield f"has another {name} than its RECORD"


def _faults_of_metadata(text: bytes, version: str) -> Iterator[str]:
    try:
        metadata = Metadata.from_email(text)
    except ExceptionGroup as errors:
        for error in errors.exceptions:
            field = f"{error.field}: " if isinstance(error, InvalidMetadata) else ""
            yield f"has invalid metadata: {field}{error}"
        return
    if str(metadata.version) != version:
        yield f"has the version {metadata.version} in its metadata"
    for field in ("summary", "license_expression", "license_files", "requires_python", "requires_dist", "keywords"):
        if not getattr(metadata, field):
            yield f"has no {field} in its metadata"
    if metadata.description_content_type != "text/markdown":
        yield "has a description that is not marked as Markdown"
    yield from (f"has {fault}" for fault in faults_of_description(metadata.description or ""))
    classifiers = metadata.classifiers or []
    if "Typing :: Typed" not in classifiers:
        yield "is not classified as typed"
    pythons = {one.rpartition(" ")[2] for one in classifiers if re.search(r":: 3\.\d+$", one)}
    for python in sorted(pythons, key=lambda one: int(one[2:])):
        if metadata.requires_python is not None and f"{python}.0" not in metadata.requires_python:
            yield f"is classified for Python {python}, which requires-python refuses"
    if not pythons:
        yield "names no version of Python in its classifiers"
    for requirement in metadata.requires_dist or []:
        if requirement.url:
            yield f"requires {requirement.name} by an address, which the package index refuses"


def faults_of_description(text: str) -> Iterator[str]:
    """What is wrong with the description that the package index shows: it can follow no link into the repository."""
    if len(text) < 500:
        yield "a description of less than 500 characters"
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"https://|#", target):
            yield f"a description with the link {target}, which leads nowhere on the package index"


def _faults_of_bill(text: bytes | None, version: str) -> Iterator[str]:
    if text is None:
        yield f"has no software bill of materials, sboms/{sbom.NAME}"
        return
    bill = json.loads(text)
    if bill["metadata"]["component"]["version"] != version:
        yield f"has the bill of materials of version {bill['metadata']['component']['version']}"
    roles = {one["value"] for component in bill["components"] for one in component["properties"]}
    yield from (
        f"has a bill of materials without components that are {role!r}"
        for role in (sbom.IN_WHEEL, sbom.NEEDED)
        if role not in roles
    )
