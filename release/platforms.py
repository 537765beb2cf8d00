"""The machines that libraries of kernels run on, as the platform tag of a wheel."""

import os
import re
import shutil
from collections.abc import Iterable

KERNELS = "src/fivedice/solver/kernels/built"
"""The folder of the libraries."""
ELF = {62: "x86_64", 183: "aarch64"}
"""Kinds of processors, by their number in a library for Linux."""
MACH_O = {0x01000007: "macosx_11_0_x86_64", 0x0100000C: "macosx_11_0_arm64"}
"""Tags by the kind of processor of a library for macOS, whose oldest version is that of the target."""


def platform_tag(libraries: Iterable[bytes]) -> str:
    """The tag of a wheel with these libraries, by their headers: on Linux with the newest glibc that one uses, if any.

    Raises `ValueError` if they are for several kinds of machines, and `KeyError` for an unknown one.
    """
    found = list(libraries)
    [platform] = {_platform(library) for library in found}
    if platform not in ELF.values():
        return platform
    used = [int(minor) for library in found for minor in re.findall(rb"GLIBC_2\.(\d+)", library)]
    return f"manylinux_2_{max(used)}_{platform}" if used else f"linux_{platform}"


def c_compiler() -> str | None:
    """The C compiler of this machine, which links, if there is one."""
    return shutil.which(os.environ.get("CC", "cc"))


def _platform(library: bytes) -> str:
    if library.startswith(b"MZ"):
        return "win_amd64"
    if library.startswith(b"\x7fELF"):
        return processor(library)
    return MACH_O[int.from_bytes(library[4:8], "little")]


def processor(file: bytes) -> str:
    """The kind of processor that a library or an object file for Linux is for, by its header."""
    return ELF[int.from_bytes(file[18:20], "little")]
