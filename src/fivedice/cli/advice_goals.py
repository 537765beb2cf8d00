"""Advice for other goals than the expected score: `fivedice advise --target` and `--rival`.

Also `outright_parts`, which splits values under rules where a first roll can win the game.
"""

from collections.abc import Iterator

from fivedice.analysis.advice import Advice
from fivedice.analysis.chances import Outright, outright_before, outright_of
from fivedice.analysis.endgames import EXACT_TURNS, advise_rival, plays_to_win
from fivedice.analysis.odds import require_opponents
from fivedice.analysis.targets import advise_for_target
from fivedice.cli.language import chosen
from fivedice.cli.progress import shown_step
from fivedice.cli.solutions import part_of, solution_for
from fivedice.cli.text.advice import advice_lines, chance_table, chance_text, target_advice_lines
from fivedice.cli.text.output import show
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.saved.store import BREAKDOWN
from fivedice.views.advice import advised_position_view, chance_advice_view


def show_target_advice(position: Position, target: int, *, top: int | None, json: bool) -> None:
    """Print the legal actions of a position by their chance to reach the target, with progress on standard error."""
    solution = solution_for(position)
    with shown_step(f"Finding the chance of {target}") as progress:
        advice = advise_for_target(solution, position, target, progress=progress)
    show(chance_advice_view(advice, target, top), target_advice_lines(advice, target, top), json=json)


def show_rival_advice(position: Position, *, top: int | None, json: bool) -> None:
    """Print the legal actions of a position by their chance to win, with progress on standard error.

    Raises `IllegalError` for a position with one card.
    """
    require_opponents(position)
    solution = solution_for(position, all_seats=True)
    with shown_step("Finding the chances to win"):
        advice = advise_rival(solution, position)
    view = chance_advice_view(advice, top=top) if plays_to_win(position) else advised_position_view(advice, top)
    show(view, _rival_lines(advice, top), json=json)


def _rival_lines(advice: Advice, top: int | None) -> Iterator[str]:
    """The best chance to win, then the `top` best actions with their chances, best first; early on, their values."""
    to, chance = chosen(), chance_text(advice.value)
    if not plays_to_win(advice.position):
        if advice.actions:
            yield to.say("With more than {n} turns left, a rival plays for points:", n=EXACT_TURNS)
        yield from advice_lines(advice, top)
        return
    if not advice.actions:
        yield to.say("Before the roll: the chance to win is {chance}, if a tie counts half.", chance=chance)
        return
    yield to.say("Best chance to win: {chance}, if a tie counts half.", chance=chance)
    yield from chance_table(advice.position, advice.actions, [each.value for each in advice.actions[:top]], top)


def outright_parts(advice: Advice) -> dict[Action | None, Outright] | None:
    """The part of every action, or as that of None the part of the position before its roll.

    None if the breakdown, from which they are read, takes too much memory.
    """
    position = advice.position
    solution = solution_for(position)
    breakdown = find_breakdown(solution) if solution.states.starts else part_of(BREAKDOWN, solution)
    if breakdown is None:
        return None
    if not advice.actions:
        return {None: outright_before(breakdown, position)}
    return {advised.action: outright_of(breakdown, position, advised.action) for advised in advice.actions}
