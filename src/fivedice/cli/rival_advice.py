"""`fivedice advise --rival`: the chance of every action to win against the other cards."""

from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size

from fivedice.analysis.advice import Advice
from fivedice.analysis.odds import require_opponents
from fivedice.analysis.winning import EXACT_TURNS, advise_rival, plays_to_win
from fivedice.cli.progress import shown_progress
from fivedice.cli.solutions import solution_of
from fivedice.cli.text.advice import advice_lines
from fivedice.cli.text.dice import to_do_text
from fivedice.cli.text.output import print_json
from fivedice.cli.text.targets import chance_text
from fivedice.game.position import Position
from fivedice.views.advice import advised_position_view, rival_advice_view


def show_rival_advice(position: Position, *, top: int | None, json: bool) -> None:
    """Print the legal actions of a position by their chance to win, with progress on standard error.

    Raises `IllegalError` for a position with one card.
    """
    require_opponents(position)
    solution = solution_of(position.ruleset)
    with shown_progress() as progress:
        progress("Finding the chances to win", None)
        advice = advise_rival(solution, position)
    is_chance = plays_to_win(position)
    if json:
        print_json(rival_advice_view(advice, top) if is_chance else advised_position_view(advice, top))
    else:
        print("\n".join(_rival_lines(advice, top) if is_chance else _early_lines(advice, top)))


def _early_lines(advice: Advice, top: int | None) -> Iterator[str]:
    if advice.actions:
        yield f"With more than {EXACT_TURNS} turns left, a rival plays for points:"
    yield from advice_lines(advice, top)


def _rival_lines(advice: Advice, top: int | None) -> Iterator[str]:
    """The best chance to win, then the `top` best actions with their chances, best first."""
    if not advice.actions:
        yield f"Before the roll: the chance to win is {chance_text(advice.value)}, if a tie counts half."
        return
    yield f"Best chance to win: {chance_text(advice.value)}, if a tie counts half."
    shown = advice.actions[:top]
    labels = [to_do_text(advice.position, advised.action) for advised in shown]
    width = max(map(cell_len, labels))
    yield f"{'':<{width}}      chance    loss  points"
    for label, advised in zip(labels, shown, strict=True):
        points = "" if advised.points is None else str(advised.points)
        chance = chance_text(advised.value)
        yield f"{set_cell_size(label, width)}  {chance:>10}  {100 * advised.loss:6.1f}  {points:>6}".rstrip()
    num_hidden = len(advice.actions) - len(shown)
    if num_hidden:
        least = 100 * advice.actions[len(shown)].loss
        yield f"and {num_hidden} more, each at least {least:.1f} percentage points below the best"
