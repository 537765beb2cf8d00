"""`fivedice stats`: long-run figures of players, and tests of the dice."""

import sys
from collections.abc import Iterator, Sequence
from itertools import chain

from fivedice.analysis.dice_counts import count, rolled_in
from fivedice.analysis.player_figures import Estimate, PlayerFigures, player_figures
from fivedice.cli.records.record_file import records_folder
from fivedice.cli.records.record_set import read_records, reviews_of
from fivedice.cli.text.output import Flag, print_json
from fivedice.errors import UnknownError
from fivedice.game.wording import box_name
from fivedice.views.dice import DiceView, dice_view
from fivedice.views.figures import StatsView, figures_view

NUM_BOXES = 3
"""How many boxes are shown, those with the highest error rate first."""


def stats(*records: str, json: Flag = False) -> None:
    """Show long-run figures of every player in many records, and test whether the dice look fair.

    Parameters
    ----------
    records
        Records, or folders of records; by default your own, from the data folder.
        An unreadable record is reported on standard error, and the exit status is then 1.
    json
        Print JSON.
    """
    loaded, status = read_records(records)
    if not loaded:
        raise UnknownError(f"there is no record in {', '.join(records) or records_folder()}")
    figures = player_figures(reviews_of(loaded, "its games count for the dice only"))
    dice = dice_view(count(chain.from_iterable(map(rolled_in, loaded))))
    if json:
        print_json(StatsView([figures_view(player) for player in figures], dice))
    else:
        print("\n".join([*figure_lines(figures), *dice_lines(dice)]))
    sys.exit(status)


def figure_lines(figures: Sequence[PlayerFigures]) -> Iterator[str]:
    """The players' figures as text."""
    for player in figures:
        num = player.score.num
        yield f"{player.name}, {num} game{'s' if num > 1 else ''} of {player.ruleset}"
        yield f"  score            {_interval(player.score)}"
        yield f"  dice-neutral     {_interval(player.dice_neutral)}"
        yield f"  luck             {_interval(player.luck)}"
        kinds = ", ".join(f"{kind} {errors.rate:.2f}" for kind, errors in player.by_kind.items())
        yield f"  lost a game      {player.errors.loss / num:8.1f}"
        yield f"  lost a decision  {player.errors.rate:8.2f}   ({kinds})"
        if player.errors.level:
            yield f"  level            {player.errors.level.name}: {player.errors.level.about}"
        costliest = sorted(player.by_box.items(), key=lambda item: -item[1].rate)[:NUM_BOXES]
        boxes = ", ".join(
            f"{box_name(player.ruleset, box)} {errors.rate:.2f}" for box, errors in costliest if errors.rate >= 0.005
        )
        if boxes:
            yield f"  costliest boxes  {boxes}"
        yield ""
    if figures:
        yield "± is a 95 % interval of the mean. A dice-neutral score is what the decisions were worth without luck."
        yield "Luck and losses of a game are not independent, because a bad keep changes what a roll can bring."
    else:
        yield "There are no figures: no complete game was found."


def dice_lines(dice: DiceView) -> Iterator[str]:
    """The results of the dice tests as text."""
    yield ""
    if not dice.tests:
        yield "The dice: too few rolls to test."
        return
    is_unusual = any(test.is_unusual for test in dice.tests)
    yield f"The dice: {'unusual' if is_unusual else 'nothing unusual'}."
    for test in dice.tests:
        chance = f"{100 * test.p:.2g} %" if test.p >= 0.0001 else "less than 0.01 %"
        mark = "  UNUSUAL" if test.is_unusual else ""
        sample = f"{test.sample:,} {'rolls' if test.name == 'pairs' else 'dice '}"
        yield f"  {test.question:<60}{sample:>14}{chance:>18}{mark}"
    yield "The percentage is how often fair dice look at least as uneven. A test is unusual if, corrected for the"
    yield f"number of tests, fair dice would look like this in fewer than {100 * dice.alpha:.0f} in 100 collections."


def _interval(estimate: Estimate) -> str:
    width = f" ± {estimate.half_width:.1f}" if estimate.half_width is not None else ""
    return f"{estimate.mean:8.1f}{width}"
