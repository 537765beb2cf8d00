"""Ctrl-C, once and twice, in commands that compute in threads and in processes: they end, and leave nothing running."""

import os
import signal
import subprocess
import sys
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

    def processes(self) -> dict[int, int]:
        """The ids of its processes that run, with the ticks of processor time that each has spent."""
        self._process.poll()
        found = ((int(file.parent.name), _ticks(file, self.id)) for file in Path("/proc").glob("[0-9]*/stat"))
        return {id: ticks for id, ticks in found if ticks is not None}

    def parts(self) -> int:
        """The number of its processes, or of the threads of one that computes in threads."""
        running = self.processes()
        return len(list(Path(f"/proc/{self.id}/task").iterdir())) if [*running] == [self.id] else len(running)

    def interrupt(self) -> None:
        """Send Ctrl-C to all its processes, as a terminal does."""
        os.killpg(self.id, signal.SIGINT)

    def status(self) -> int:
        return self._process.wait()


def _ticks(file: Path, session: int) -> int | None:
    """The processor time of a process, from its `stat`; None if it has ended, or is of another session."""
    try:
        state, _, _, number, *rest = file.read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return sum(map(int, rest[7:9])) if int(number) == session and state not in "ZX" else None


@contextmanager
def running(arguments: tuple[str, ...], log: Path) -> Iterator[Running]:
    """A command that works; what is left of it in the end is killed."""
    command = Running(arguments, log)
    try:
        # In `sweep`: the command, Python's tracker of shared memory, and the workers.
        wait_for(lambda: command.parts() >= 4, f"{arguments[0]} works")
        yield command
    finally:
        for process in command.processes():
            os.kill(process, signal.SIGKILL)


def interrupt_twice(command: Running, ticks: int, *, is_at_once: bool) -> None:
    """Interrupt a command once it has spent so much processor time, and again at once or while it is ending."""
    wait_for(lambda: sum(command.processes().values()) >= ticks, "it has spent processor time")
    parts = command.parts()
    command.interrupt()
    if not is_at_once:
        wait_for(lambda: command.parts() < parts, "it is ending")
    if command.processes():
        command.interrupt()


@pytest.mark.parametrize(
    ("arguments", "is_at_once"),
    cases([(VARIANTS, True), (GAMES, False)], full=[*product((VARIANTS, GAMES), (True, False))]),
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_a_second_interrupt_ends_everything(arguments: tuple[str, ...], tmp_path: Path, *, is_at_once: bool) -> None:
    for number in range(amount(1, full=20)):
        with running(arguments, tmp_path / "log.txt") as command:
            interrupt_twice(command, 10 * number, is_at_once=is_at_once)  # from the start of the work to its middle
            wait_for(lambda: not command.processes(), "everything has ended")
            assert command.status() == 130
            text = command.log.read_text()
            assert text.startswith("fivedice: stopped") or not text  # before the first game, there is nothing to say
            assert text.count("\n") <= 1, text


def test_workers_end_with_a_command_that_is_killed(tmp_path: Path) -> None:
    with running(VARIANTS, tmp_path / "log.txt") as command:
        os.kill(command.id, signal.SIGKILL)
        wait_for(lambda: not command.processes(), "the workers have ended")
