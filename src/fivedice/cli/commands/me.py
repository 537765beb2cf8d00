"""`fivedice me`: how you play, from your saved games."""

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fivedice.analysis.reviews.estimate import LEAST_GAMES
from fivedice.analysis.reviews.player_figures import PlayerFigures, player_figures
from fivedice.analysis.streak import streak
from fivedice.base.errors import UnknownError, shown, suggest
from fivedice.cli.files.record_file import records_folder
from fivedice.cli.files.record_set import began_on, local_day, read_records, reviews_of
from fivedice.cli.language import say
from fivedice.cli.options import Flag, Rules
from fivedice.cli.solutions import part_of, prepare
from fivedice.cli.text.output import prints, show, terminal_width
from fivedice.cli.text.player_progress import other_rules, progress_lines
from fivedice.game.record import Record
from fivedice.game.record_lines import began_at
from fivedice.rulesets import load_ruleset
from fivedice.simulation.perfect_scores import PERFECT_SCORES
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.tables.states import States
from fivedice.views.evaluation import overall_view, rating_view
from fivedice.views.figures import MyFiguresView, figures_view

if TYPE_CHECKING:
    from fivedice.players.rating import Rating


@prints(MyFiguresView)
def me(
    *,
    player: str | None = None,
    rules: Annotated[
        Rules | None, Parameter(help="The ruleset; by default the one with the most finished games.")
    ] = None,
    full: Flag = False,
    json: Flag = False,
) -> None:
    """Show your progress: points lost over time, where you lose them, scores beside perfect play, luck and streaks.

    Parameters
    ----------
    player
        The name of the person; by default the one with the most finished games.
    full
        Show an example of each kind of decision.
    json
        Print the figures under all rulesets as JSON.
    """
    records, status = read_records(())
    name = _person(records, player)
    own = [record for record in records if record.is_over and name in _people(record)]
    days, rating = streak(map(began_on, own), local_day()), _rating(own, name)
    played = Counter(record.ruleset for record in own)
    ruleset = load_ruleset(rules) if rules else played.most_common(1)[0][0]
    if ruleset not in played:
        raise UnknownError(say("--rules {rules}: {name} has finished no such game", rules=ruleset, name=name))
    shown = [record for record in own if json or record.ruleset == ruleset]
    figures = [one for one in player_figures(reviews_of(shown, say("it has no figures"))) if one.name == name]
    views = [figures_view(one, _perfect_games(one)) for one in figures]
    strength = overall_view(one.strength for one in views if one.strength)
    found = MyFiguresView(views, days, strength, rating_view(rating) if rating else None)
    others = {str(rules): num for rules, num in played.items() if rules != ruleset}
    lines = progress_lines(found, ruleset, terminal_width(), is_full=full)
    show(found, chain(lines, other_rules(others)), json=json)
    sys.exit(status)


def _perfect_games(figures: PlayerFigures) -> Distribution | None:
    """The scores of perfect games, if they are of use and known for such rules."""
    is_wanted = len(figures.complete) >= LEAST_GAMES and States(figures.ruleset).has_kernels
    return part_of(PERFECT_SCORES, prepare(figures.ruleset, PERFECT_SCORES)) if is_wanted else None


def _rating(records: Sequence[Record], name: str) -> "Rating | None":
    """The rating of a player by the results of their rated games of several seats; None without one."""
    from fivedice.players.rating import Rating, result_of

    known: dict[str, Rating] = {}
    for record in sorted(records, key=lambda one: began_at(one.date)):
        names = [seat.name for seat in record.seats]
        result = result_of(record)
        if result and len(set(names)) == len(names):
            before = {seat: known[names[seat]] for seat in result.people if names[seat] in known}
            known |= {names[seat]: one for seat, one in result.rate(before).items()}
    return known.get(name)


def _person(records: Sequence[Record], player: str | None) -> str:
    """The name of the person; raises `UnknownError` if nobody has finished a game, or not this one."""
    counts = Counter(name for record in records if record.is_over for name in _people(record))
    if not counts:
        raise UnknownError(say("no finished game of a person in {folder}: play a game first", folder=records_folder()))
    if player is not None and player not in counts:
        raise UnknownError(
            say(
                "--player {name} has finished no game: {suggestion}",
                name=shown(player),
                suggestion=suggest(player, counts),
            )
        )
    return player or counts.most_common(1)[0][0]


def _people(record: Record) -> set[str]:
    """The names of the people in a game."""
    return {seat.name for seat in record.seats if seat.kind == "human"}
