"""`make check-aarch64`: installs the wheel for Linux on aarch64 for an emulated Python, and checks what it can do.

QEMU emulates the processor, not the system: `qemu-aarch64-static` runs a program on the Linux of this machine. Python
and its libraries are those of Debian for aarch64, unpacked into a folder, so that nothing else on this machine changes.
"""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.check_install import CheckFailedError, Environment, check_base

EMULATOR = "qemu-aarch64-static"
APT = """
APT::Architecture "arm64";
APT::Architectures {{ "arm64"; }};
Dir::State "{folder}/state";
Dir::State::status "{folder}/state/status";
Dir::Cache "{folder}/cache";
APT::Sandbox::User "root";
"""
"""Settings of apt for packages of another kind of processor, with lists and downloads in a folder."""
PACKAGES = ("python3-minimal", "libpython3-stdlib", "libstdc++6")
PLATFORMS = [f"--platform=manylinux_2_{minor}_aarch64" for minor in range(17, 37)]
"""What pip takes wheels for: Debian 12 has glibc 2.36."""


class Emulated(Environment):
    """As an `Environment`, for an emulated Python of the kind for which the wheel is."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        super().__init__(folder)
        self.packages = folder / "packages"
        root = _debian(folder / "debian")
        [python] = root.glob("usr/bin/python3.*[0-9]")
        self.command = [EMULATOR, "-L", str(root), str(python)]
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        version = python.name.removeprefix("python")
        where = ["--target", str(self.packages), "--only-binary=:all:", f"--python-version={version}", *PLATFORMS]
        subprocess.run([*pip, *where, str(wheel)], check=True)  # noqa: S603

    def fivedice(self, command: str) -> str:
        """What the command prints, on both streams."""
        done = self.run([*self.command, "-m", "fivedice", *shlex.split(command)], check=False)
        return done.stdout + done.stderr

    def python(self, code: str) -> str:
        """What code prints."""
        return self.run([*self.command, "-c", code]).stdout

    @property
    def variables(self) -> dict[str, str]:
        """Those of an `Environment`, with the folder of packages."""
        return {**super().variables, "PYTHONPATH": str(self.packages), "PYTHONHOME": str(Path(self.command[2], "usr"))}


def _debian(folder: Path) -> Path:
    """A folder with Debian's Python for aarch64, as apt on this machine finds it."""
    for name in ("state/lists/partial", "cache/archives/partial", "root"):
        (folder / name).mkdir(parents=True)
    (folder / "state" / "status").touch()
    settings = folder / "apt.conf"
    settings.write_text(APT.format(folder=folder))
    apt = ["apt-get", "--quiet=2", "--yes", "--download-only", "--no-install-recommends"]
    for command in (["update"], ["install", *PACKAGES]):
        subprocess.run([*apt, *command], check=True, env={**os.environ, "APT_CONFIG": str(settings)})  # noqa: S603
    for package in folder.glob("cache/archives/*.deb"):
        subprocess.run(["dpkg", "--extract", package, folder / "root"], check=True)  # noqa: S603, S607
    return folder / "root"


def main() -> None:
    """Check the wheel that the command line names."""
    wheel = Path(sys.argv[1]).resolve()
    if missing := [name for name in (EMULATOR, "apt-get", "dpkg") if not shutil.which(name)]:
        sys.exit(f"{', '.join(missing)} is missing; Debian's package qemu-user-static has {EMULATOR}.")
    with TemporaryDirectory() as folder:
        try:
            environment = Emulated(Path(folder), wheel)
            environment.expect("--version", "with kernels built for armv8-a")
            check_base(environment)
        except CheckFailedError as error:
            sys.exit(str(error))
    print(f"{wheel.name}: installed and checked under emulation")


if __name__ == "__main__":
    main()
