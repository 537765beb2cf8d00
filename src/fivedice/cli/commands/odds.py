"""`fivedice odds`: every seat's chance to win and to tie."""

from collections.abc import Iterator

from fivedice.analysis.odds.odds import Odds, require_opponents
from fivedice.analysis.odds.odds import odds as find_odds
from fivedice.cli.language import chosen
from fivedice.cli.progress import shown_progress
from fivedice.cli.solutions import solution_for
from fivedice.cli.text.output import Flag, Rest, print_json
from fivedice.cli.text.read_position import read_position
from fivedice.language import marked
from fivedice.views.odds import odds_view

_SENTENCES = {
    "exact": marked("Exact: only seat {seat} has choices left, and it plays to win."),
    "endgame": marked("Exact: both seats play their last turns to win, without a mistake."),
    "independent": marked("Each seat is assumed to play for the highest expected score, whatever the others have."),
}


def odds(position: str, /, *rest: Rest, json: Flag = False) -> None:
    """Show every seat's chance to win and to tie for the first place.

    Parameters
    ----------
    position
        A position with two or more cards in notation, such as "yahtzee chance=25/- @1 33456 r2".
    json
        Print JSON.
    """
    parsed = read_position((position, *rest)).told(json=json)
    require_opponents(parsed)
    solution = solution_for(parsed, all_seats=True)
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
    to, position = chosen(), odds.position
    labels = [to.say("seat {n}", n=seat) for seat in range(len(odds.seats))]
    width = max(7, *map(len, labels))
    wins, ties, score = to.say("wins").rjust(8), to.say("ties").rjust(8), to.say("expected score")
    yield f"{'':<{width + 1}}{wins} {ties}  {score}"
    for seat, each in enumerate(odds.seats):
        mark = "▸" if seat == position.seat and not position.is_over else " "
        spread = each.standard_deviation
        score = f"{to.decimal(each.mean)} ± {to.decimal(spread)}" if spread else f"{each.mean:.0f}"
        win, tie = (f"{to.decimal(100 * chance):>{len(wins) - 1}} %" for chance in (each.win, each.tie))
        yield f"{mark}{labels[seat]:<{width}}{win}{tie}  {score}"
    yield ""
    if position.is_over:
        yield to.say("The game is over.")
        return
    yield to.say(_SENTENCES[odds.method], seat=position.seat)
    if odds.method == "independent" and any(c.first_roll_wins for c in position.ruleset.categories):
        yield to.say("A first roll that wins at once counts, but not that it takes the last turns from others.")
    if odds.method != "independent":
        yield to.say("The expected scores are those of playing for points.")
