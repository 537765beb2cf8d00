"""Builds the solver's kernels: `python -m release.kernels`, for this processor, in a minute or two on two cores.

There is a library for each module of kernels and level of processors, and each is built by itself, if it is missing:
several processes, or several runs of this at once, share the work. `MODULE …` builds only the kernels of these modules,
and `--beside` leaves the work to a process in the background. `--for wheel` builds for all levels of this machine,
unless there are kernels for the best one, and `--for TARGET` for those of another machine.

A C compiler links, or else Zig, which brings what it needs of a target's C library, on Linux in the oldest version that
the library shall run with.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from fivedice.base.data_folder import try_lock
from fivedice.solver.kernels import libraries, native
from release.platforms import c_compiler

ROOT = Path(__file__).parents[1]
LOG = ROOT / ".venv" / "kernels.log"
"""What the process in the background prints."""
COMPILERS = [Path(__file__).with_name(name) for name in ("translate.py", "intrinsics.py")]
"""What was built by other ones is built again."""
FIRST = "layers"
"""What values are found by."""
WHOLE = ("approximate_play", "whole_turns")
"""Modules of whole cards, which take half of the time: one process translates the functions that they share once."""


class Target(NamedTuple):
    """A kind of machine."""

    triple: str
    """In the words of LLVM."""
    zig: str
    """In the words of Zig; on Linux with version 2.17 of glibc, which is older than what NumPy needs."""
    machine: str
    """In the words of `native.LEVELS`."""
    suffix: str = "so"


TARGETS = {
    "linux-x86_64": Target("x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.17", "x86_64"),
    "linux-aarch64": Target("aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.17", "aarch64"),
    "macos-arm64": Target("arm64-apple-macosx11.0", "aarch64-macos.11.0", "arm64", "dylib"),
    "windows-x86_64": Target("x86_64-w64-windows-gnu", "x86_64-windows-gnu", "x86_64", "dll"),
}


class Build(NamedTuple):
    """What to build: for which levels of processors, in the words of which triple of LLVM, linked by which command."""

    levels: Sequence[str]
    triple: str
    link: Sequence[str]
    suffix: str

    def missing(self, module: str) -> dict[str, Path]:
        """The libraries of a module, by level, that are not there."""
        paths = {level: libraries.library_path(module, level, self.suffix) for level in self.levels}
        return {level: path for level, path in paths.items() if not path.exists()}


def build_for(target: Target) -> Build:
    """The build for a target, by Zig."""
    link = [sys.executable, "-m", "ziglang", "cc", "-target", target.zig]
    return Build(libraries.LEVELS[target.machine], target.triple, link, target.suffix)


def build_here() -> Build:
    """The build for this machine: by a C compiler, or else as for a target, by Zig; without a linker if neither is
    there."""
    levels, suffix = native.usable_levels(), libraries.SUFFIX
    if compiler := c_compiler():
        return Build(levels, "", [compiler], suffix)
    own = (
        one for one in TARGETS.values() if (one.suffix, libraries.LEVELS[one.machine]) == (suffix, libraries.levels())
    )
    if find_spec("ziglang") and (target := next(own, None)):
        return build_for(target)._replace(levels=levels)
    return Build(levels, "", [], suffix)


def modules() -> list[str]:
    """The modules with kernels, in the order in which to build them."""
    found = {path.stem for path in Path(native.__file__).parent.glob("*.py") if _kernels(path.stem)}
    assert found.issuperset((FIRST, *WHOLE))
    return [FIRST, *WHOLE, *sorted(found.difference((FIRST, *WHOLE)))]


def _kernels(module: str) -> list[native.Kernel]:
    found = vars(import_module(f"fivedice.solver.kernels.{module}")).values()
    return [one for one in found if isinstance(one, native.Kernel) and one.module == module]


def delete_stale() -> None:
    """Delete libraries of other sources, and those that were built by other `COMPILERS`."""
    libraries.FOLDER.mkdir(exist_ok=True)
    stamp, own = libraries.FOLDER / ".built-by", blake2b(b"".join(path.read_bytes() for path in COMPILERS)).hexdigest()
    is_built_by_others = not stamp.exists() or stamp.read_text() != own
    for old in libraries.FOLDER.glob("[!.]*"):
        if is_built_by_others or libraries.digest() not in old.name:
            old.unlink(missing_ok=True)
    stamp.write_text(own)


def build(wanted: Build, names: Sequence[str]) -> None:
    """Build what is missing of some modules, by all processors."""
    missing = [name for name in names if wanted.missing(name)]
    parts = [[name for name in missing if name not in WHOLE], [name for name in missing if name in WHOLE]]
    if (processors := os.cpu_count() or 1) > len(parts):
        parts = [[name] for name in missing]
    if parts := [part for part in parts if part]:
        with ProcessPoolExecutor(min(len(parts), processors)) as pool:
            for _ in pool.map(partial(_build_part, wanted), parts):
                pass


def _build_part(wanted: Build, names: Sequence[str]) -> None:
    for name in names:
        _build(wanted, name)


def _build(wanted: Build, module: str) -> None:
    """Build what is missing of a module, unless another process does."""
    from release.translate import objects

    with (libraries.FOLDER / f".{module}.lock").open("wb") as lock:
        while not try_lock(lock.fileno()):
            time.sleep(0.1)
        if missing := wanted.missing(module):
            for level, parts in objects(_kernels(module), wanted.triple, missing).items():
                _link(wanted.link, missing[level], parts)


def _link(link: Sequence[str], library: Path, objects: Mapping[str, bytes]) -> None:
    made = library.with_name(f".{library.name}")  # moved into its place, since an older one may be in use
    with tempfile.TemporaryDirectory() as folder:  # linkers write further files, and into a library where it was made
        for name, content in objects.items():
            Path(folder, name).write_bytes(content)
        subprocess.run([*link, "-shared", "-s", "-o", library.name, *objects, "-lm"], cwd=folder, check=True)
        shutil.copy(Path(folder, library.name), made)
    made.replace(library)


def build_beside() -> None:
    """Build in the background at low priority, in a new session, so that Ctrl-C does not interrupt it."""
    with LOG.open("wb") as log:
        subprocess.Popen(
            [sys.executable, "-m", "release.kernels"],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=partial(os.nice, 10),
        )


def main() -> None:
    """Build what the command line says. Exits with one sentence where that is not possible."""
    parser = argparse.ArgumentParser(prog="release.kernels", description=__doc__)
    parser.add_argument("modules", nargs="*", help="by default all")
    parser.add_argument("--beside", action="store_true")
    parser.add_argument("--for", dest="target", choices=[*TARGETS, "wheel"], default="")
    options = parser.parse_args()
    names = options.modules or modules()
    wanted = build_for(TARGETS[options.target]) if options.target in TARGETS else build_here()
    if not wanted.levels:
        sys.exit("The solver's kernels cannot be built for this kind of processor.")
    delete_stale()
    best = wanted._replace(levels=wanted.levels[-1:])
    if not options.target or (options.target == "wheel" and not any(map(best.missing, names))):
        wanted = best
    if not any(map(wanted.missing, names)):
        return
    if not wanted.link:
        sys.exit("The solver's kernels cannot be built: there is no C compiler, such as cc.")
    if options.beside:
        build_beside()
    else:
        build(wanted, names)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback
    main()
