"""Ctrl-C, once and twice, in commands that compute in threads and in processes: they end, and leave nothing running."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest

from tests.amount import amount, cases
from tests.waiting import wait_for

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads the processes of a session")

VARIANTS = ("sweep", "yahtzee", "--vary", f"extra_bonus={','.join(map(str, range(0, 200, 2)))}", "--workers", "2")
GAMES = ("simulate", "crag", "--games", "100000000", "--workers", "2")


class Running:
    """A command in a session of its own."""

    def __init__(self, arguments: tuple[str, ...], log: Path) -> None:
        self.log = log
        with log.open("w") as file:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "fivedice", *arguments], stdout=file, stderr=file, start_new_session=True
            )
        self.id = self._process.pid

    def processes(self) -> list[int]:
        """The ids of its processes that run."""
        self._process.poll()
        return [int(file.parent.name) for file in Path("/proc").glob("[0-9]*/stat") if _is_in(file, self.id)]

    def threads(self) -> int:
        """The number of threads of its first process."""
        return len(list(Path(f"/proc/{self.id}/task").iterdir()))

    def interrupt(self) -> None:
        """Send Ctrl-C to all its processes, as a terminal does."""
        os.killpg(self.id, signal.SIGINT)

    def status(self) -> int:
        return self._process.wait()


def _is_in(file: Path, session: int) -> bool:
    try:
        state, _, _, number, *_ = file.read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return int(number) == session and state not in "ZX"


@contextmanager
def running(arguments: tuple[str, ...], log: Path) -> Iterator[Running]:
    """A command that works; what is left of it in the end is killed."""
    command = Running(arguments, log)
    try:
        # In `sweep`: the command, Python's tracker of shared memory, and the workers.
        wait_for(
            lambda: command.threads() >= 4 if arguments is GAMES else len(command.processes()) >= 4,
            f"{arguments[0]} works",
        )
        yield command
    finally:
        for process in command.processes():
            os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize(
    ("arguments", "pause"),
    cases([(VARIANTS, 0.0), (GAMES, 0.2)], full=[*product((VARIANTS, GAMES), (0.0, 0.05, 0.2, 0.5))]),
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_a_second_interrupt_ends_everything(arguments: tuple[str, ...], pause: float, tmp_path: Path) -> None:
    for number in range(amount(1, full=20)):
        with running(arguments, tmp_path / "log.txt") as command:
            time.sleep(number * 0.1)  # moments from the start of the work to the middle of it
            command.interrupt()
            time.sleep(pause)
            if command.processes():
                command.interrupt()
            wait_for(lambda: not command.processes(), "everything has ended")
            assert command.status() == 130
            text = command.log.read_text()
            assert text.startswith("fivedice: stopped") or not text  # before the first game, there is nothing to say
            assert text.count("\n") <= 1, text


def test_workers_end_with_a_command_that_is_killed(tmp_path: Path) -> None:
    with running(VARIANTS, tmp_path / "log.txt") as command:
        os.kill(command.id, signal.SIGKILL)
        wait_for(lambda: not command.processes(), "the workers have ended")
