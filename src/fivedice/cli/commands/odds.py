"""`fivedice odds`: every seat's chance to win and to tie."""

from collections.abc import Iterator

from fivedice.analysis.odds.odds import Odds, require_opponents
from fivedice.analysis.odds.odds import odds as find_odds
from fivedice.analysis.simulated_chances import GAMES, simulated_odds
from fivedice.base.language import marked
from fivedice.cli.language import chosen
from fivedice.cli.progress import shown_step
from fivedice.cli.solutions import solution_or_approximation
from fivedice.cli.text.output import Flag, Rest, Whole, print_json, prints
from fivedice.cli.text.read_position import read_position
from fivedice.solver.approximate.approximate_solution import ApproximateSolution
from fivedice.views.odds import PositionOddsView, position_odds_view

_SENTENCES = {
    "exact": marked("Exact: only seat {seat} has choices left, and it plays to win."),
    "endgame": marked("Exact: both seats play their last turns to win, without a mistake."),
    "independent": marked("Each seat is assumed to play for the highest expected score, whatever the others have."),
    "simulated": marked(
        "≈ From {games} simulated games of each seat by learned values, whatever the others have. A chance is right to "
        "about {error} %."
    ),
}


@prints(PositionOddsView)
def odds(position: str, /, *rest: Rest, games: Whole | None = None, json: Flag = False) -> None:
    """Show every seat's chance to win and to tie for the first place.

    Parameters
    ----------
    position
        A position with two or more cards in notation, such as "yahtzee chance=25/- @1 33456 r2".
    games
        How many games to simulate for each seat, rounded up to a multiple of 8, where a game is too large to be
        computed; 4,096 by default.
    json
        Print JSON.
    """
    parsed = read_position((position, *rest)).told(json=json)
    require_opponents(parsed)
    solution = solution_or_approximation(parsed, games, all_seats=True)
    with shown_step(f"Weighing final scores in {parsed.ruleset.name}") as progress:
        if isinstance(solution, ApproximateSolution):
            found = simulated_odds(solution, parsed, games or GAMES, progress=progress)
        else:
            found = find_odds(solution, parsed, progress=progress)
    if json:
        print_json(position_odds_view(found))
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
    error = to.decimal(100 / odds.games**0.5) if odds.games else ""
    yield to.say(_SENTENCES[odds.method], seat=position.seat, games=odds.games, error=error)
    if odds.method == "independent" and any(c.first_roll_wins for c in position.ruleset.categories):
        yield to.say("A first roll that wins at once counts, but not that it takes the last turns from others.")
    if odds.method in ("exact", "endgame"):
        yield to.say("The expected scores are those of playing for points.")
