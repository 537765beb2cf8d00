"""Progress of long work: every step has a label, and work is shown once."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fivedice.cli import progress, solutions
from fivedice.cli.progress import Progress, shown_progress
from tests.cli.run_command import fivedice, played


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
