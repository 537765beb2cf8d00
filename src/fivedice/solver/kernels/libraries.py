"""Where the libraries of kernels are, and for which machines there are any; without NumPy, for builds and commands.

There is a library for each module of kernels and level of processors. Its name has a digest of the sources that kernels
are made of, so that none of other sources is ever used.
"""

import platform
import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path

FOLDER = Path(__file__).parent / "built"
"""Where libraries are."""
LEVELS = {"x86_64": ("x86-64-v2", "x86-64-v3", "x86-64-v4"), "aarch64": ("armv8-a",), "arm64": ("apple-m1",)}
"""The levels for which there are libraries, by machine, the lowest first. NumPy itself needs the lowest.

With 512 bits, x86-64-v4, solving takes 0.85 and simulating 0.84 of the time with 256."""
SUFFIX = {"darwin": "dylib", "win32": "dll"}.get(sys.platform, "so")


@cache
def digest() -> str:
    """A digest of all sources that kernels are made of."""
    solver = Path(__file__).parents[1]
    sources = [solver / "arrays.py", solver / "slips.py", *solver.glob("kernels/*.py"), *solver.glob("tables/*.py")]
    found = blake2b(digest_size=8)
    for path in sorted(sources):
        found.update(path.read_bytes())
    return found.hexdigest()


def library_path(module: str, level: str, suffix: str = SUFFIX) -> Path:
    """The library of the kernels of a module, such as layers, for a level."""
    return FOLDER / f"{module}-{level}-{digest()}.{suffix}"


def levels() -> tuple[str, ...]:
    """The levels of this kind of processor."""
    return LEVELS.get(platform.machine().lower().replace("amd64", "x86_64"), ())


def are_built() -> bool:
    """Whether there is any library of these sources."""
    return any(FOLDER.glob(f"*-{digest()}.*"))
