"""`fivedice odds`: every seat's chance to win and to tie."""

import sys
from collections.abc import Iterator
from typing import Annotated

from cyclopts import Parameter

from fivedice.analysis.odds import Odds, require_opponents
from fivedice.analysis.odds import odds as find_odds
from fivedice.cli.progress import shown_progress
from fivedice.cli.solutions import solution_of
from fivedice.cli.text.output import Flag, print_json
from fivedice.cli.text.read_position import read_position
from fivedice.views.odds import odds_view

_SENTENCES = {
    "exact": "Exact: only seat {seat} has choices left, and it plays to win.",
    "endgame": "Exact: both seats play their last turns to win, without a mistake.",
    "independent": "Each seat is assumed to play for the highest expected score, whatever the others have.",
}


def odds(
    position: str, /, *rest: Annotated[str, Parameter(allow_leading_hyphen=True, show=False)], json: Flag = False
) -> None:
    """Show every seat's chance to win and to tie for the first place.

    Parameters
    ----------
    position
        A position with two or more cards in notation, such as "yahtzee chance=25/- @1 33456 r2".
    json
        Print JSON.
    """
    typed = read_position((position, *rest))
    parsed = typed.position
    typed.tell(sys.stderr if json else sys.stdout)
    require_opponents(parsed)
    solution = solution_of(parsed.ruleset)
    label = f"Weighing final scores in {parsed.ruleset.name}"
    with shown_progress() as progress:
        progress(label, None)
        found = find_odds(solution, parsed, progress=lambda done, seats: progress(label, done / seats))
    if json:
        print_json(odds_view(found))
    else:
        print("\n".join(odds_lines(found)))


def odds_lines(odds: Odds) -> Iterator[str]:
    """A line for each seat, and what the odds assume."""
    position = odds.position
    yield f"{'':<8}{'wins':>8}{'ties':>9}  expected score"
    for seat, each in enumerate(odds.seats):
        mark = "▸" if seat == position.seat and not position.is_over else " "
        score = f"{each.mean:.1f} ± {each.standard_deviation:.1f}" if each.standard_deviation else f"{each.mean:.0f}"
        yield f"{mark}seat {seat:<2}{100 * each.win:>7.1f} %{100 * each.tie:>7.1f} %  {score}"
    yield ""
    if position.is_over:
        yield "The game is over."
        return
    yield _SENTENCES[odds.method].format(seat=position.seat)
    if odds.method == "independent" and any(c.first_roll_wins for c in position.ruleset.categories):
        yield "A first roll that wins at once counts by its points only."
    if odds.method != "independent":
        yield "The expected scores are those of playing for points."
