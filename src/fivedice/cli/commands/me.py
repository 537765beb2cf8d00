"""`fivedice me` and `fivedice stats`: how you play, from your saved games, and figures of all players and dice."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

from fivedice.analysis.dice_counts import count, rolled_in
from fivedice.analysis.reviews.estimate import LEAST_GAMES, Estimate
from fivedice.analysis.reviews.player_figures import PlayerFigures, player_figures
from fivedice.analysis.reviews.progress import PERIOD_GAMES, streak
from fivedice.base.errors import UnknownError, shown, suggest
from fivedice.cli.files.record_file import records_folder
from fivedice.cli.files.record_set import began_on, local_day, read_records, reviews_of
from fivedice.cli.language import say
from fivedice.cli.options import Flag, Json, Records, Rules
from fivedice.cli.solutions import part_of, prepare
from fivedice.cli.text.output import counted, paragraph, prints, show, terminal_width, wrapped
from fivedice.cli.text.player_progress import other_rules, progress_lines
from fivedice.game.record import Record
from fivedice.game.record_lines import began_at
from fivedice.players.rating import Rating, result_of
from fivedice.players.strength import over_all
from fivedice.rulesets import load_ruleset
from fivedice.simulation.perfect_scores import PERFECT_SCORES
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.tables.states import States
from fivedice.views.evaluation import rating_view
from fivedice.views.figures import DiceView, MyFiguresView, StatsView, dice_view, figures_view


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
    strength = over_all(one.strength for one in views)
    found = MyFiguresView(views, days, strength, rating_view(rating) if rating else None)
    others = {str(rules): num for rules, num in played.items() if rules != ruleset}
    lines = progress_lines(found, ruleset, terminal_width(), is_full=full)
    show(found, chain(lines, other_rules(others)), json=json)
    sys.exit(status)


def _perfect_games(figures: PlayerFigures) -> Distribution | None:
    """The scores of perfect games, if they are of use and known for such rules."""
    is_wanted = len(figures.complete) >= LEAST_GAMES and States(figures.ruleset).has_kernels
    return part_of(PERFECT_SCORES, prepare(figures.ruleset, PERFECT_SCORES)) if is_wanted else None


def _rating(records: Sequence[Record], name: str) -> Rating | None:
    """The rating of a player by the results of their rated games of several seats; None without one."""
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
    return {seat.name for seat in record.seats if seat.kind == "human"}


@prints(StatsView)
def stats(*records: Records, json: Json = False) -> None:
    """Show long-run figures of every player in many records, and test whether the dice look fair.

    Parameters
    ----------
    records
        Records, by file or by name in fivedice games, or folders of records; by default your own, from the data folder.
        An unreadable record is reported on standard error, and the exit status is then 1.
    """
    loaded, status = read_records(records)
    if not loaded:
        raise UnknownError(f"there is no record in {', '.join(records) or records_folder()}")
    figures = player_figures(reviews_of(loaded, "its games count for the dice only"))
    dice = dice_view(count(chain.from_iterable(map(rolled_in, loaded))))
    width, view = terminal_width(), StatsView([figures_view(player) for player in figures], dice)
    show(view, chain(figure_lines(figures, width), dice_lines(dice, width)), json=json)
    sys.exit(status)


def figure_lines(figures: Sequence[PlayerFigures], width: int = 80) -> Iterator[Text]:
    """The players' figures as text, at most `width` characters wide."""
    for player in figures:
        yield from _player_lines(player, width)
        yield Text()
    if not figures:
        yield Text("There are no figures: no complete game was found.")


def dice_lines(dice: DiceView, width: int = 80) -> Iterator[Text]:
    """The results of the dice tests as text, at most `width` characters wide."""
    if not dice.tests:
        yield Text("The dice: none was rolled.")
        return
    is_unusual = any(test.is_unusual for test in dice.tests)
    yield Text("The dice: unusual." if is_unusual else f"The dice: nothing unusual in {dice.dice:,}.", style="bold")
    for test in dice.tests:
        sample = f"{test.sample:,} {'rolls' if test.name == 'pairs' else 'dice'}"
        question = wrapped(f"{test.question} ({sample}){': unusual' if test.is_unusual else ''}", width, " " * 16)
        line = Text(f"{_worth(test.evidence):>14}  ", style="bold" if test.is_unusual else "")
        yield line.append(question[0].lstrip(), style="not bold")
        yield from map(Text, question[1:])
    yield from paragraph(
        "The numbers say what a bet of 1 against fair dice, at fair odds, would be worth by now. A question is called "
        f"unusual from {dice.threshold:,.0f} on: with fair dice, the chance that this ever happens to any of them is "
        f"at most {100 * dice.alpha:g} %, however often you look.",
        width,
        style="dim",
    )


def _worth(evidence: float) -> str:
    """What a bet of 1 is worth, in a few digits."""
    if evidence < 0.01:
        return "under 0.01"
    return f"{evidence:,.2f}" if evidence < 10 else f"{evidence:,.0f}"


def _player_lines(player: PlayerFigures, width: int) -> Iterator[Text]:
    num = player.score.num
    heading = Text(player.name, style="bold")
    heading.append(f", {counted(num, 'game')} of {player.ruleset}", style="not bold")
    yield from heading.wrap(Console(width=width), width)
    yield Text(f"  score           {_interval(player.score)}")
    if player.num_outright:
        yield Text(f"  won outright    {player.num_outright:5} {'game' if player.num_outright == 1 else 'games'}")
    if player.num_cut_short:
        yield Text(f"  cut short       {player.num_cut_short:5} by another player's outright win")
    yield Text(f"  luck            {_interval(player.luck)}")
    yield Text(f"  lost per game   {player.errors.loss / num:7.1f} points")
    if player.errors.level:
        yield from paragraph(f"level {player.errors.level.name}: {player.errors.level.about}", width, "  ")


def _interval(estimate: Estimate) -> str:
    if estimate.half_width is None:
        return f"{estimate.mean:7.1f}"
    width = f" ± {estimate.half_width:.1f}" if estimate.num >= PERIOD_GAMES else " (too few games for an interval)"
    return f"{estimate.mean:7.1f}{width}"
