"""`fivedice advise --rival`: the chance of every action to win against the other cards."""

from collections.abc import Iterator

from fivedice.analysis.advice import Advice
from fivedice.analysis.odds.odds import require_opponents
from fivedice.analysis.odds.winning import EXACT_TURNS, advise_rival, plays_to_win
from fivedice.cli.language import chosen
from fivedice.cli.progress import shown_progress
from fivedice.cli.solutions import solution_of
from fivedice.cli.text.advice import advice_lines
from fivedice.cli.text.chance_table import chance_table, chance_text
from fivedice.cli.text.output import print_json
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
        yield chosen().say("With more than {n} turns left, a rival plays for points:", n=EXACT_TURNS)
    yield from advice_lines(advice, top)


def _rival_lines(advice: Advice, top: int | None) -> Iterator[str]:
    """The best chance to win, then the `top` best actions with their chances, best first."""
    to, chance = chosen(), chance_text(advice.value)
    if not advice.actions:
        yield to.say("Before the roll: the chance to win is {chance}, if a tie counts half.", chance=chance)
        return
    yield to.say("Best chance to win: {chance}, if a tie counts half.", chance=chance)
    yield from chance_table(advice.position, advice.actions, [each.value for each in advice.actions[:top]], top)
