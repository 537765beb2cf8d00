"""Write src/fivedice/web/local/: the files with which the page plays without the server.

They are Pyodide, which is Python for browsers, from web/node_modules; the wheel of msgspec for it, in the version of
requirements/play.lock; the program (`local.py`); and their licences. manifest.json lists them with their digests. What
compression makes smaller is kept compressed, as NAME.gz: the server sends it so.
"""

import base64
import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

WEB = Path(__file__).resolve().parent
SOURCES = WEB.parent / "src" / "fivedice"
BUILT = SOURCES / "web"
FOLDER = BUILT / "local"
STAMP = FOLDER / "built-from.txt"
MODULES = WEB / "node_modules"
LOCK = WEB.parent / "requirements" / "play.lock"

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json")

STDLIB = "python_stdlib.zip"

LEFT_OUT = (
    *("_pydatetime.py", "_pyio.py", "_pyrepl/", "bdb.py", "cmd.py", "code.py", "configparser.py", "csv.py", "ctypes/"),
    *("doctest.py", "email/", "ftplib.py", "html/", "http/", "imaplib.py", "importlib/metadata/", "mailbox.py"),
    *("mimetypes.py", "modulefinder.py", "multiprocessing/", "optparse.py", "pdb.py", "pickletools.py", "plistlib.py"),
    *("poplib.py", "profile.py", "pstats.py", "pydoc.py", "smtplib.py", "socketserver.py", "sqlite3/", "statistics.py"),
    *("trace.py", "unittest/", "wave.py", "wsgiref/", "xml/", "xmlrpc/", "zoneinfo/"),
)
"""What the program does not import of the standard library, a third of its bytes."""

ENCODINGS = re.compile(r"encodings/(?!(?:__init__|aliases|ascii|cp437|latin_1|utf_\w+|\w*unicode_escape)\.)")
"""Encodings that it does not use, either."""

PACKAGE = "msgspec"
"""The package that the program needs in the browser besides the standard library."""

TAGS = ["--python-version=3.14", "--implementation=cp", "--abi=cp314", "--platform=pyemscripten_2026_0_wasm32"]
"""The Python of Pyodide, for pip."""

SOLUTIONS = "/api/solutions?ref={ref}"
"""Where a server describes the solution of a ruleset."""


def is_written() -> bool:
    """Whether the folder is written from the present sources."""
    return STAMP.exists() and STAMP.read_text() == _digest_of_sources()


def write() -> None:
    """Write the folder beside the built page. Raises `CalledProcessError` if pip or `local.py` fails."""
    digest = _digest_of_sources()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    wheel = _wheel()
    files = [_kept(path.name, path.read_bytes()) for path in (*(MODULES / "pyodide" / name for name in CORE), wheel)]
    files.append(_kept(STDLIB, smaller_stdlib()))
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "fivedice.zip"
        subprocess.run([sys.executable, str(WEB / "local.py"), str(program)], check=True)
        files.append(_kept(program.name, program.read_bytes()))
    # What the page loads only in order to play without the server.
    index = (BUILT / "index.html").read_text(encoding="utf-8")
    later = [path for path in sorted((BUILT / "assets").iterdir()) if path.name not in index]
    files += [
        _described(f"../assets/{path.name}", path.read_bytes()) for path in later if path.suffix in (".js", ".css")
    ]
    version = hashlib.sha256(json.dumps(files).encode()).hexdigest()[:16]
    _write_json("manifest.json", {"version": version, "files": files, "solutions": SOLUTIONS})
    _write_licences(wheel)
    STAMP.write_text(digest)


def smaller_stdlib() -> bytes:
    """The standard library without what the program does not import."""
    written = io.BytesIO()
    with (
        zipfile.ZipFile(MODULES / "pyodide" / STDLIB) as whole,
        zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as smaller,
    ):
        for entry in whole.infolist():
            if not entry.filename.startswith(LEFT_OUT) and not ENCODINGS.match(entry.filename):
                smaller.writestr(entry, whole.read(entry), zipfile.ZIP_DEFLATED, 9)
    return written.getvalue()


def _digest_of_sources() -> str:
    """A digest of everything that the folder is written from."""
    program = [path for path in SOURCES.rglob("*") if path.suffix in (".py", ".toml", ".mo", ".approximate")]
    digest = hashlib.sha256()
    for path in [
        *sorted(program),
        *sorted(WEB.glob("*.py")),
        WEB / "package-lock.json",
        LOCK,
        BUILT / "built-from.txt",
    ]:
        content = path.read_bytes() if path.exists() else b""
        digest.update(f"{path.relative_to(WEB.parent).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _kept(name: str, content: bytes) -> dict[str, object]:
    """Write a file to the folder, and describe it."""
    if name.endswith((".mjs", ".wasm", ".json")):
        (FOLDER / f"{name}.gz").write_bytes(gzip.compress(content, 9, mtime=0))
    else:
        (FOLDER / name).write_bytes(content)
    return _described(name, content)


def _described(path: str, content: bytes) -> dict[str, object]:
    """A file of the manifest: its path from there, its size, that over the wire, and its digest."""
    is_archive = path.endswith((".zip", ".whl"))
    return {
        "path": path,
        "bytes": len(content),
        "compressed": len(content) if is_archive else len(gzip.compress(content, 9, mtime=0)),
        "integrity": "sha256-" + base64.b64encode(hashlib.sha256(content).digest()).decode(),
    }


def _pin() -> str:
    """The lines of the lock that pin the package, with the hashes of all its files."""
    pins = re.split(r"\n(?! )", LOCK.read_text(encoding="utf-8"))
    return next(pin for pin in pins if pin.startswith(f"{PACKAGE}=="))


def _wheel() -> Path:
    """The wheel of the package, which pip downloads once, and whose hash is in the lock."""
    pin, folder = _pin(), MODULES / ".wheels"
    for path in folder.glob(f"{PACKAGE}-*.whl"):
        if hashlib.sha256(path.read_bytes()).hexdigest() in pin:
            return path
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as temporary:
        wanted = Path(temporary) / "wanted.txt"
        wanted.write_text(pin + "\n")
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--require-hashes"]
        command = [sys.executable, "-m", "pip", "download", *options, *TAGS, "--requirement", str(wanted)]
        subprocess.run([*command, "--dest", str(folder)], check=True)
    [path] = folder.glob("*.whl")
    return path


def _write_licences(wheel: Path) -> None:
    """Write licences.txt, and packages.json for the software bill of materials."""
    pyodide = json.loads((MODULES / "pyodide" / "package.json").read_text(encoding="utf-8"))
    python = json.loads((MODULES / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]["python"]
    version = wheel.name.split("-")[1]
    with zipfile.ZipFile(wheel) as archive:
        [licence] = [name for name in archive.namelist() if name.rpartition("/")[2].startswith("LICENSE")]
        text = archive.read(licence).decode()
    packages = [
        {"name": "pyodide", "version": pyodide["version"], "license": pyodide["license"], "purl": "pkg:npm/pyodide"},
        {"name": "cpython", "version": python, "license": "Python-2.0.1", "purl": "pkg:generic/cpython"},
        {"name": PACKAGE, "version": version, "license": "BSD-3-Clause", "purl": f"pkg:pypi/{PACKAGE}"},
    ]
    texts = [
        f"Pyodide {pyodide['version']}\n\nMozilla Public License 2.0: https://mozilla.org/MPL/2.0/\n"
        "Its source code is at https://github.com/pyodide/pyodide",
        f"Python {python}\n\n{(WEB / 'python-licence.txt').read_text(encoding='utf-8')}",
        f"{PACKAGE} {version}\n\n{text}",
    ]
    _write_json("packages.json", packages)
    (FOLDER / "licences.txt").write_text("\n\n---\n\n".join(texts) + "\n", encoding="utf-8")


def _write_json(name: str, value: Any) -> None:
    (FOLDER / name).write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
