"""What standard error shows beside the output: `shown_progress`, what is being computed, with the time left where that
is known; `counted_progress`, how many of equal pieces of work are done; and warnings.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import TypeAlias

from rich import progress as bars
from rich.console import Console

Progress: TypeAlias = Callable[[str, float | None], None]
"""Called with a label and the progress from 0 to 1, or None if that is unknown."""

Warn: TypeAlias = Callable[[str], None]
"""Called with a sentence about a problem that does not stop the work."""

_current: ContextVar[Progress | None] = ContextVar("progress", default=None)
_warned: ContextVar[Warn | None] = ContextVar("warned", default=None)


def step_text(label: str, share: float | None) -> str:
    """What is being computed, with the share that is done if that is known."""
    return label if share is None else f"{label} {share:.0%}".replace("%", " %")


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """A progress bar on standard error if that is a terminal; within another one, that one."""
    outer = _current.get()
    if outer:
        yield outer
        return
    with _bar() as bar:
        task = bar.add_task("", total=None, visible=False, known="")
        last = ""

        def progress(label: str, share: float | None) -> None:
            nonlocal last
            if label != last:
                bar.reset(task, description=label, total=1.0, visible=True)
                last = label
            bar.update(task, completed=share or 0.0)
            bar.tasks[0].total = None if share is None else 1.0  # `update` ignores None

        with progress_to(progress):
            yield progress


@contextmanager
def shown_step(label: str) -> Iterator[Callable[[float, float], None]]:
    """As `shown_progress` for one step, of which so much is done of so much."""
    with shown_progress() as progress:
        progress(label, None)
        yield lambda done, whole: progress(label, done / whole)


@contextmanager
def progress_to(progress: Progress, warned: Warn | None = None) -> Iterator[None]:
    """Give progress, and warnings, to functions instead of standard error, in the block."""
    token, warning_token = _current.set(progress), _warned.set(warned or _warned.get())
    try:
        yield
    finally:
        _current.reset(token)
        _warned.reset(warning_token)


def warn(sentence: str) -> None:
    """Print a warning to standard error, or give it to the function of `progress_to`."""
    if warned := _warned.get():
        warned(sentence)
    else:
        print(f"fivedice: {sentence}", file=sys.stderr)


Count = Callable[[int, str], None]
"""Called with the number done and what is known so far."""


@contextmanager
def counted_progress(label: str, total: int) -> Iterator[Count]:
    """A line on standard error if that is a terminal."""
    began = perf_counter()
    with _bar() as bar:
        task = bar.add_task(label, total=total, known="")

        def count(number: int, known: str) -> None:
            rate = number / max(1e-9, perf_counter() - began)
            bar.update(task, completed=number, known=f"{rate:,.0f} a second, {known}" if number else known)

        yield count


def _bar() -> bars.Progress:
    """A bar on standard error, with what is known in the field of this name."""
    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(20),
        bars.TaskProgressColumn(),
        bars.TimeRemainingColumn(compact=True),
        bars.TextColumn("{task.fields[known]}"),
    )
    return bars.Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
