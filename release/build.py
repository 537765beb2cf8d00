"""Builds the sdist and a wheel for each target into dist/, and checks them: `python -m release.build TARGET …`.

The exit status is 1 if anything is wrong, which is printed.
"""

import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from release.contents import SOURCES, faults_of_sdist, faults_of_wheel
from web.page import is_built

ROOT = Path(__file__).resolve().parents[1]

CLEAN = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}
"""The environment of the programs, without what would import a source tree instead of the installed wheel."""


def build(root: Path, into: Path, targets: Sequence[str]) -> tuple[Path, list[Path]]:
    """The sdist of a source tree, and the wheels built from it, one for each target of `release.kernels`.

    Earlier ones in the folder are deleted. Raises `CalledProcessError` if a build fails, which prints the reason.
    """
    into.mkdir(exist_ok=True)
    for old in [*into.glob("fivedice-*.tar.gz"), *into.glob("fivedice-*.whl")]:
        old.unlink()
    _hatchling("sdist", root, into, CLEAN)
    [sdist] = into.glob("fivedice-*.tar.gz")
    for target in targets:
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(sdist) as archive:
                archive.extractall(folder, filter="data")
            sources = Path(folder) / sdist.name.removesuffix(".tar.gz")
            _hatchling("wheel", sources, into, CLEAN | {"FIVEDICE_TARGET": target})
    return sdist, sorted(into.glob("fivedice-*.whl"))


def _hatchling(kind: str, root: Path, into: Path, environment: Mapping[str, str]) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(into)]
    subprocess.run(command, cwd=root, env=environment, check=True)


def tracked_files(root: Path) -> list[str]:
    """The paths of all files of the repository that git tracks."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True)  # noqa: S607
    return [name for name in listed.stdout.split("\0") if name]


def faults(sdist: Path, wheels: list[Path], root: Path) -> Iterator[str]:
    """What is wrong with the files that were built from a repository."""
    tracked = tracked_files(root)
    yield from faults_of_sdist(sdist, tracked=tracked)
    for wheel in wheels:
        yield from faults_of_wheel(wheel, tracked=[name for name in tracked if name.startswith(SOURCES)])
    if not is_built():
        yield "the page has changed since it was built"


def main(targets: Sequence[str]) -> int:
    """Build, check and print; return the exit status."""
    sdist, wheels = build(ROOT, ROOT / "dist", targets)
    found = list(faults(sdist, wheels, ROOT))
    if len(wheels) != len(targets):
        found.append(f"there are {len(wheels)} wheels, not one for each target")
    for fault in found:
        print(f"!!! {fault}", file=sys.stderr)
    for made in (sdist, *wheels):
        print(f"{made.relative_to(ROOT)}  {made.stat().st_size / 1e6:.1f} MB")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
