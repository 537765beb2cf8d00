"""Write a folder that any web host can serve: `python web/static_site.py FOLDER RULESET…`.

It has the page, which plays in the reader's browser, with Python and the solutions of the rulesets. It works under any
path. The page must be built.
"""

import gzip
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from local_files import BUILT, FOLDER, MODULES, SOURCES, STDLIB
from page import ready, run_npm

SERVED_ONLY = ("sw.js", "manifest.webmanifest", "robots.txt", "packages.json")
"""What only a page with a server needs."""


def write(out: Path, rulesets: list[str]) -> None:
    """Write the folder. Raises `CalledProcessError` if npm or `fivedice export` fails."""
    shutil.rmtree(out, ignore_errors=True)
    options = [
        "--mode",
        "static",
        "--base",
        "./",
        "--outDir",
        str(out.resolve()),
        "--emptyOutDir",
        "--logLevel",
        "warn",
    ]
    run_npm("run", "build", "--", *options, folder=ready())
    for name in SERVED_ONLY:
        (out / name).unlink()
    index = out / "index.html"
    lines = index.read_text(encoding="utf-8").splitlines(keepends=True)
    index.write_text("".join(line for line in lines if "manifest.webmanifest" not in line), encoding="utf-8")
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    local = out / "local"
    local.mkdir()
    files = [file for file in manifest["files"] if "/" not in file["path"]]
    for name in (*(file["path"] for file in files), "licences.txt"):
        packed = FOLDER / f"{name}.gz"
        content = gzip.decompress(packed.read_bytes()) if packed.exists() else (FOLDER / name).read_bytes()
        (local / name).write_bytes(content)
    for ruleset in rulesets:
        _write_solution(ruleset, local)
    _write_package(local / "package.zip")
    shutil.copyfile(MODULES / "pyodide" / STDLIB, local / "whole_stdlib.zip")
    about = {"version": manifest["version"], "files": files, "solutions": "{ref}.json", "rulesets": rulesets}
    (local / "manifest.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def _write_package(out: Path) -> None:
    """Write the whole package, for the examples of the documentation, which use the whole standard library, too."""
    files = [
        path for path in SOURCES.rglob("*") if path.suffix in (".py", ".toml", ".mo") and BUILT not in path.parents
    ]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(files):
            archive.write(path, path.relative_to(SOURCES.parent).as_posix())


def _write_solution(ruleset: str, local: Path) -> None:
    """Write the solution of a ruleset, and what a server answers about it."""
    path = local / f"{ruleset}.gz"
    command = [sys.executable, "-m", "fivedice", "export", "solution", ruleset, "--portable", str(path), "--json"]
    done = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    view = {key: done[key] for key in ("digest", "bytes", "sha256")} | {"id": ruleset, "path": path.name}
    (local / f"{ruleset}.json").write_text(json.dumps(view) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2:])
