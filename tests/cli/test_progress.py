"""Progress of long work: every step has a label, work is shown once, and kernels are compiled once."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from numba import types

from fivedice.analysis.reviews.perfect_scores import perfect_scores
from fivedice.cli import solutions
from fivedice.cli.compiling import BLAS, compile_listing, compile_sums, compiling_beside
from fivedice.cli.progress import Progress, shown_progress
from fivedice.solver.kernels.layers import solve_cards
from fivedice.solver.kernels.policy_transitions import list_transitions
from fivedice.solver.kernels.row_sums import (
    find_ranges,
    spread_chances,
    sum_components,
    sum_distributions,
    sum_moments,
)
from fivedice.solver.play.moments import find_moments
from fivedice.solver.slips import Slips
from tests.cli.run_command import fivedice
from tests.kernels import compiles
from tests.solutions import breakdown_of, solution_of


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

    monkeypatch.setattr(solutions, "shown_progress", noted)
    solutions.solution_of.cache_clear()
    return found


def test_each_step_of_a_review_has_a_label(labels: list[str], tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    fivedice("play", "--rules", "crag", "--seats", "random", "--seed", "1", "--record", str(file))
    assert fivedice("review", str(file)).status == 0
    steps = [label for label in labels if label != solutions.COMPILING]
    assert steps == ["Solving Crag", "Following the best play in Crag"]
    labels.clear()
    assert fivedice("review", str(file), "--full").status == 0
    assert labels == []  # everything is saved


def test_a_quiz_finds_its_reasons_before_the_first_question(labels: list[str], own_cache: Path) -> None:
    assert fivedice("quiz", "--rules", "crag", "--seed", "1", lines="q\n").status == 0
    assert "Following the best play in Crag" in labels
    assert sorted(file.suffix for file in own_cache.iterdir()) == [".breakdown", ".solution"]


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


def is_for_optimal_play(signature: tuple[types.Type, ...]) -> bool:
    """Whether a kernel was compiled without a risk parameter, the only number with a fraction, and without slips."""
    return types.float64 not in signature and all(
        getattr(one, "instance_class", None) is not Slips for one in signature
    )


@compiles
def test_both_processes_compile_exactly_what_is_called() -> None:
    compile_listing()
    compile_sums(["breakdown", "perfect_scores", "moments"])
    crag = solution_of("crag")
    breakdown_of("crag").of_keep(0, 0, 1)
    perfect_scores(crag)
    find_moments(crag)
    # Certainty equivalents and levels have kernels of their own, which other tests of this process may call.
    for kernel in (list_transitions, solve_cards):
        assert len(list(filter(is_for_optimal_play, kernel.signatures))) == 1
    for kernel in (spread_chances, sum_components, sum_moments, find_ranges, sum_distributions):
        assert len(kernel.signatures) == 1


@compiles
def test_commands_that_solve_import_no_linear_algebra(tmp_path: Path) -> None:
    code = "import sys; from fivedice.cli.app import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", code, "solve", "crag"]
    environment = {**os.environ, "FIVEDICE_CACHE": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)  # noqa: S603
    modules = done.stderr.split()
    assert "numba.np.arraymath" in modules
    assert "scipy.linalg" not in modules
    assert BLAS not in modules


def test_no_second_process_starts_if_the_solver_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    solution_of("crag")
    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: pytest.fail("a process was started"))
    parts = ["breakdown", "perfect_scores"]
    with compiling_beside(parts) as wait:
        wait()


def test_the_second_process_ends_with_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.cli.compiling.is_compiled", lambda _: False)
    started: list[subprocess.Popen[bytes]] = []

    class Process(subprocess.Popen[bytes]):
        def __init__(self, command: list[str], **options: Any) -> None:
            super().__init__(command, **options)
            started.append(self)

    monkeypatch.setattr("subprocess.Popen", Process)
    with pytest.raises(KeyboardInterrupt), compiling_beside(["luck"]):
        raise KeyboardInterrupt
    [process] = started
    assert process.poll() is not None
