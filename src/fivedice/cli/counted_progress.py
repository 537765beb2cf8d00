"""`counted_progress`: how far many equal pieces of work are, with the rate, the time left and a figure so far."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from rich import progress as bars
from rich.console import Console

from fivedice.cli.progress import TimeLeft

Count = Callable[[int, str], None]
"""Called with the number done and what is known so far."""


@contextmanager
def counted_progress(label: str, total: int, done: int = 0) -> Iterator[Count]:
    """A line on standard error if that is a terminal. `done` is what was done before."""
    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(20),
        bars.TaskProgressColumn(),
        TimeLeft(),
        bars.TextColumn("{task.fields[known]}"),
    )
    began = perf_counter()
    console = Console(stderr=True)
    with bars.Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(label, total=total, completed=done, known="")

        def count(number: int, known: str) -> None:
            rate = (number - done) / max(1e-9, perf_counter() - began)
            bar.update(task, completed=number, known=f"{rate:,.0f} a second, {known}" if number > done else known)

        yield count
