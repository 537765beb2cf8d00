"""`fivedice stats`: long-run figures of players, and tests of the dice."""

import sys
from collections.abc import Iterator, Sequence
from itertools import chain

from rich.console import Console
from rich.text import Text

from fivedice.analysis.dice_counts import count, rolled_in
from fivedice.analysis.reviews.estimate import Estimate
from fivedice.analysis.reviews.player_figures import PlayerFigures, player_figures
from fivedice.analysis.reviews.progress import PERIOD_GAMES
from fivedice.base.errors import UnknownError
from fivedice.cli.files.record_file import records_folder
from fivedice.cli.files.record_set import read_records, reviews_of
from fivedice.cli.options import Json, Records
from fivedice.cli.text.output import counted, paragraph, prints, show, terminal_width, wrapped
from fivedice.views.figures import DiceView, StatsView, dice_view, figures_view


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
