"""Long work: its progress, and Ctrl-C, once and twice, after which nothing is left running."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import product
from pathlib import Path

import pytest

from fivedice.cli import progress, solutions
from fivedice.cli.progress import Progress, shown_progress
from tests.amount import amount, cases
from tests.cli.run_command import fivedice, played
from tests.waiting import wait_for

of_sessions = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads the processes of a session")

VARIANTS = ("sweep", "yahtzee", "--vary", f"extra_bonus={','.join(map(str, range(0, 200, 2)))}", "--workers", "2")
GAMES = ("simulate", "crag", "--games", "100000000", "--workers", "2")


class Running:
    """A command in a session of its own."""

    def __init__(self, arguments: tuple[str, ...], log: Path) -> None:
        with log.open("w") as file:
            self.process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "fivedice", *arguments], stdout=file, stderr=file, start_new_session=True
            )
        self.id = self.process.pid

    def processes(self) -> dict[int, int]:
        """The ids of its processes that run, with the ticks of processor time that each has spent."""
        self.process.poll()
        found = {}
        for file in Path("/proc").glob("[0-9]*/stat"):
            with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
                state, _, _, session, *rest = file.read_text().rpartition(")")[2].split()
                if int(session) == self.id and state not in "ZX":
                    found[int(file.parent.name)] = sum(map(int, rest[7:9]))
        return found

    def parts(self) -> int:
        """The number of its processes, or of the threads of one that computes in threads."""
        running = self.processes()
        return len(list(Path(f"/proc/{self.id}/task").iterdir())) if [*running] == [self.id] else len(running)


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


@of_sessions
@pytest.mark.parametrize(
    ("arguments", "is_at_once"),
    cases([(VARIANTS, True), (GAMES, False)], full=[*product((VARIANTS, GAMES), (True, False))]),
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_a_second_interrupt_ends_everything(arguments: tuple[str, ...], tmp_path: Path, *, is_at_once: bool) -> None:
    for number in range(amount(1, full=20)):
        with running(arguments, tmp_path / "log.txt") as command:
            # From the start of the work to its middle, and again at once or while it is ending.
            wait_for(lambda: sum(command.processes().values()) >= 10 * number, "it has spent processor time")  # noqa: B023
            parts = command.parts()
            os.killpg(command.id, signal.SIGINT)  # as a terminal does
            if not is_at_once:
                wait_for(lambda: command.parts() < parts, "it is ending")  # noqa: B023
            if command.processes():
                os.killpg(command.id, signal.SIGINT)
            wait_for(lambda: not command.processes(), "everything has ended")
            assert command.process.wait() == 130
            text = (tmp_path / "log.txt").read_text()
            assert text.startswith("fivedice: stopped") or not text  # before the first game, there is nothing to say
            assert text.count("\n") <= 1, text


@of_sessions
def test_workers_end_with_a_command_that_is_killed(tmp_path: Path) -> None:
    with running(VARIANTS, tmp_path / "log.txt") as command:
        os.kill(command.id, signal.SIGKILL)
        wait_for(lambda: not command.processes(), "the workers have ended")


class Terminal(io.StringIO):
    """A terminal that keeps what is written to it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def labels(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The labels of all progress, in order, each once."""
    found: list[str] = []

    def note(label: str, share: float | None) -> None:
        assert share is None or 0 <= share <= 1
        if label not in found:
            found.append(label)

    @contextmanager
    def noted() -> Iterator[Progress]:
        yield note

    monkeypatch.setattr(progress, "shown_progress", noted)
    solutions.solution_of.cache_clear()
    return found


def test_each_step_of_a_review_has_a_label(labels: list[str], tmp_path: Path) -> None:
    file = played(tmp_path / "game.txt", "crag", "random")
    assert fivedice("review", str(file)).status == 0
    assert labels == ["Solving Crag", "Following the best play in Crag"]
    labels.clear()
    assert fivedice("review", str(file), "--full").status == 0
    assert labels == []  # everything is saved


def test_progress_has_one_line_with_a_label_and_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    def work() -> None:
        with shown_progress() as progress:
            progress("Solving Crag", None)
            progress("Solving Crag", 0.25)
            with shown_progress() as inner:
                assert inner is progress
                inner("Finding reasons in Crag", 0.5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    shown = terminal.getvalue()
    assert "Finding reasons in Crag" in shown
    assert "50%" in shown
    assert shown.endswith("\x1b[2K")  # the line is erased
    assert "\x1b[?25h" in shown  # and the cursor is back
