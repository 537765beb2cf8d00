"""Other versions of this program: the wheel of a commit, in a virtual environment, and servers of it."""

import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import tarfile
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from tests.reliability.process import free_port
from tests.repository import ROOT
from tests.waiting import TIMEOUT_SECONDS

CLEAN = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}

STAMP_PAGE = "from web.page import STAMP, digest_of_sources; STAMP.write_text(digest_of_sources())"


AT_A_SOCKET = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.execve(sys.argv[2], sys.argv[2:], {**os.environ, "LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"})
"""
"""Starts a program as systemd does that passes a socket to it."""


class NoHistoryError(Exception):
    """The commit is not in the repository; the message says why."""


def previous_release() -> str:
    """The last release before this commit, or the previous commit while there is none."""
    found = _git("describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD~1")
    return found.stdout.decode().strip() if found.returncode == 0 else "HEAD~1"


def full_name(commit: str) -> str:
    """The name of a commit in 40 digits; raises `NoHistoryError`."""
    found = _git("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
    if found.returncode:
        raise NoHistoryError(f"the history of this copy does not have commit {commit}, from which to upgrade")
    return found.stdout.decode().strip()


def _git(*arguments: str) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)  # noqa: S607
    except FileNotFoundError:
        raise NoHistoryError("git is not installed") from None


def installed_wheel(commit: str, folder: Path) -> Path:
    """The Python of a virtual environment with the wheel of a commit, built here; raises `NoHistoryError`.

    All other packages are those of this environment. The page is the present one, since building it needs the network.
    """
    name = full_name(commit)
    sources, wheels, environment = folder / "sources", folder / "wheels", folder / "environment"
    with tarfile.open(fileobj=BytesIO(_git("archive", name).stdout)) as archive:
        archive.extractall(sources, filter="data")
    page = sources / "src/fivedice/web"
    shutil.copytree(ROOT / "src/fivedice/web", page, dirs_exist_ok=True)
    _run(sources, "-c", STAMP_PAGE)
    _run(sources, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(wheels))
    _run(folder, "-m", "venv", "--without-pip", str(environment))
    [packages] = environment.glob("lib/python*/site-packages")
    [wheel] = wheels.glob("*.whl")
    with ZipFile(wheel) as archive:
        archive.extractall(packages)  # noqa: S202 - it was built here
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return environment / "bin" / "python"


def _run(folder: Path, *arguments: str) -> None:
    done = subprocess.run([sys.executable, *arguments], cwd=folder, env=CLEAN, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


class VersionServer:
    """`fivedice serve` of the program that a Python has, on a port of its own or at a socket that it is passed."""

    def __init__(
        self, python: Path, database_url: str, log: Path, *options: str, listening: socket.socket | None = None
    ) -> None:
        self.port = free_port()
        command = [str(python), "-m", "fivedice", "serve", "--port", str(self.port), "--database-url", database_url]
        command += ["--no-limits", "--pace", "0.1", "--log-level", "warning", *options]
        if listening:
            command = [sys.executable, "-c", AT_A_SOCKET, str(listening.fileno()), *command]
        self._log = log
        with log.open("ab") as errors:
            self._process = subprocess.Popen(
                command,
                cwd=log.parent,
                env=CLEAN,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                pass_fds=[listening.fileno()] if listening else [],
            )

    def wait_until_ready(self) -> None:
        """Wait until it accepts connections."""
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert line.startswith("fivedice is at"), self._log.read_text()

    def stop(self) -> None:
        """Stop it as a service manager does, and wait until it has ended."""
        self._process.terminate()
        status = self._process.wait(TIMEOUT_SECONDS)
        assert status in (0, -15), f"the server ended with status {status}: {self._log.read_text()}"
        self._close()

    def kill(self) -> None:
        """End it in any case."""
        if self._process.returncode is None:
            self._process.kill()
            self._process.wait()
            self._close()

    def _close(self) -> None:
        assert self._process.stdout
        self._process.stdout.close()
