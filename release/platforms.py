"""The machines that libraries of kernels run on, as the platform tag of a wheel."""

import re
import sysconfig
from collections.abc import Iterable

KERNELS = "src/fivedice/solver/kernels/built"
"""The folder of the libraries."""


def platform_tag(libraries: Iterable[bytes]) -> str:
    """The tag of a wheel with these libraries: of this machine, on Linux with the newest glibc that one uses."""
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    if not platform.startswith("linux_"):
        return platform
    used = [int(minor) for library in libraries for minor in re.findall(rb"GLIBC_2\.(\d+)", library)]
    return f"manylinux_2_{max(used)}_{platform.removeprefix('linux_')}"
