"""Advice as a table of text, one line per action."""

from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size

from fivedice.analysis.advice import Advice
from fivedice.cli.text.dice import to_do_text


def advice_lines(advice: Advice, top: int | None = None) -> Iterator[str]:
    """The `top` best actions with value, loss and points, best first."""
    if not advice.actions:
        if advice.position.is_over:
            yield f"The game is over: the score is {advice.value:.1f}."
        else:
            yield f"Before the roll: the expected final score is {advice.value:.1f}."
        return
    shown = advice.actions[:top]
    labels = [to_do_text(advice.position, advised.action) for advised in shown]
    width = max(map(cell_len, labels))
    yield f"{'':<{width}}   value    loss  points"
    for label, advised in zip(labels, shown, strict=True):
        points = "" if advised.points is None else str(advised.points)
        yield f"{set_cell_size(label, width)}  {advised.value:6.1f}  {advised.loss:6.1f}  {points:>6}".rstrip()
    num_hidden = len(advice.actions) - len(shown)
    if num_hidden:
        yield f"and {num_hidden} more, each at least {advice.actions[len(shown)].loss:.1f} below the best"
