"""Long work: its progress, and Ctrl-C, once and twice, after which nothing is left running. `fivedice advise --batch`
has the same answers from few lines and from many, at once, in order, and without remains."""

import io
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import product
from pathlib import Path

import pytest

from fivedice.analysis.advice import advise_unsolved
from fivedice.cli import progress, solutions
from fivedice.cli.many_lines import ManyLines
from fivedice.cli.progress import Progress, shown_progress
from fivedice.cli.saved_advice import LineByLine, table_of
from fivedice.cli.solutions import solution_of as solved_by_commands
from fivedice.game.notation import parse_position
from fivedice.rulesets import load_ruleset
from fivedice.solver.saved.store import SOLUTION
from fivedice.testing import playthrough
from tests.amount import amount, cases
from tests.cli.run_command import fivedice, played
from tests.solutions import solution_of
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


READINGS = (
    "generala[first_roll_generala=wins]",
    "crag[saved_rolls=true]",
    "yahtzee_wild[first_yahtzee=in_box,rounds=4,wild_cards=from_second,zeros=last]",
)
# A joker, a flush, pairs of boxes, an outright win, saved rolls and zeros in order, each solved by several processes.
REFS = ("yahtzee", "kismet", "generala", *READINGS)
ODD_LINES = (
    *("yahtzee yahtzee=50,ones=3 66666 r1", "yahtzee - - r3", "crag - 445 r0"),
    *("crag - 44 r0", "65433", "crag 136 r0", "yahtzee - 63345 r2", "nonsense", ""),
)


def lines_of(ref: str, num_games: int = 1) -> list[str]:
    games = (playthrough(load_ruleset(ref), random.Random(seed)) for seed in range(num_games))
    return [str(position) for game in games for position in game.positions]


@pytest.mark.parametrize("top", [None, 2])
def test_many_lines_get_the_answers_of_few_lines_byte_for_byte(top: int | None) -> None:
    few = LineByLine(lambda rules: (solution_of(str(rules)).states, solution_of(str(rules)).float_values), top)
    many = ManyLines(lambda rules: solution_of(str(rules)), top)
    lines = [*ODD_LINES, *(line for ref in REFS for line in lines_of(ref))]
    random.Random(1).shuffle(lines)
    assert many.answer(lines) == few.answer(lines)
    assert few.answer(lines)[1] is True
    assert many.answer(lines_of("yahtzee"))[1] is False


@pytest.mark.parametrize("id", ["balut", "triple_yahtzee", "yamb"])
def test_late_positions_of_games_without_a_solution_are_answered(id: str) -> None:
    games = (playthrough(load_ruleset(id), random.Random(seed)) for seed in range(2))
    late = [str(p) for game in games for p in game.positions if not p.is_over and p.card.turns_left == 1]
    few, has_errors = LineByLine(table_of, None).answer(late)
    assert not has_errors
    assert [json.loads(line)["value"] for line in few.splitlines()] == [
        advise_unsolved(parse_position(line)).value for line in late
    ]
    assert ManyLines(solved_by_commands, None).answer(late) == (few, False)
    new = [f"{id} - - r{load_ruleset(id).rolls}"]
    text, has_errors = ManyLines(solved_by_commands, None).answer(new)
    assert (json.loads(text)["exact"], has_errors) == (False, False)
    assert LineByLine(table_of, None).answer(new) == (text, False)


def test_many_lines_are_answered_in_order_and_each_ruleset_is_solved_once(tmp_path: Path, cache: Path) -> None:
    lines = [*lines_of("crag", 20), "nonsense", *lines_of("crag", 20)]
    file = tmp_path / "lines.txt"
    file.write_text("\n".join(lines))
    assert file.stat().st_size > 50_000
    result = fivedice("advise", "--batch", str(file))
    assert (result.status, result.err) == (1, "")
    crag = solution_of("crag")
    expected, _ = LineByLine(lambda _: (crag.states, crag.float_values), None).answer(lines)
    assert result.out == expected
    assert len(list(cache.iterdir())) == 1


def start(*options: str, cache: Path) -> subprocess.Popen[str]:
    SOLUTION.save(solution_of("crag").ruleset, solution_of("crag"), cache)
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "fivedice", "advise", "--batch", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_program_that_waits_for_each_answer_gets_it(cache: Path) -> None:
    with start("-", cache=cache) as process:
        assert process.stdin
        assert process.stdout
        for line in lines_of("crag")[1:5]:
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["position"] == line
        process.stdin.close()
        assert process.wait() == 0


@pytest.mark.parametrize("ends_by", cases(["Ctrl-C"], full=["Ctrl-C", "closed pipe"]))
def test_an_end_amid_a_batch_leaves_no_traceback(tmp_path: Path, cache: Path, ends_by: str) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("\n".join(lines_of("crag", 20) * 20))
    with start(str(file), cache=cache) as process:
        assert process.stdout
        assert process.stderr
        assert json.loads(process.stdout.readline())["value"] > 100
        if ends_by == "Ctrl-C":
            process.send_signal(signal.SIGINT)
        else:
            process.stdout.close()
        assert process.wait() == (130 if ends_by == "Ctrl-C" else 141)
        assert process.stderr.read() == ""
