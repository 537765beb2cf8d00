"""`fivedice stats`: long-run figures of players, and a test of the dice."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from fivedice.analysis.fairness import ALPHA, DiceTest, dice_tests
from fivedice.analysis.player_figures import ErrorTotals, Estimate, PlayerFigures, player_figures
from fivedice.cli.records.record_file import records_folder
from fivedice.cli.records.record_set import read_records, reviews_of
from fivedice.cli.text.output import Flag, print_json
from fivedice.errors import UnknownError
from fivedice.game.wording import box_name

NUM_BOXES = 3
"""Boxes that are shown, those that cost most a decision first."""


def stats(*records: str, json: Flag = False) -> None:
    """Show long-run figures of every player in many records, and whether the dice look fair.

    Parameters
    ----------
    records
        Records, or folders of them; without any, your own in the data folder.
        One that cannot be read is named on standard error, and the exit status is then 1.
    json
        Print JSON.
    """
    found, status = read_records(records)
    if not found:
        raise UnknownError(f"there is no record in {', '.join(records) or records_folder()}")
    figures = player_figures(reviews_of(found, "its games count for the dice only"))
    tests = dice_tests(found)
    if json:
        print_json(stats_data(figures, tests))
    else:
        print("\n".join([*figure_lines(figures), *dice_lines(tests)]))
    sys.exit(status)


def stats_data(figures: Sequence[PlayerFigures], tests: Sequence[DiceTest]) -> dict[str, Any]:
    """Figures and tests as plain data."""
    return {
        "players": [
            {
                "player": one.name,
                "ruleset": str(one.ruleset),
                "digest": one.ruleset.digest,
                "games": one.score.num,
                "score": _estimate_data(one.score),
                "dice_neutral": _estimate_data(one.dice_neutral),
                "luck": _estimate_data(one.luck),
                "error_rate": one.errors.rate,
                "level": one.errors.level.name if one.errors.level else None,
                "by_kind": {kind: _errors_data(errors) for kind, errors in one.by_kind.items()},
                "by_box": {box: _errors_data(errors) for box, errors in one.by_box.items()},
            }
            for one in figures
        ],
        "alpha": ALPHA,
        "dice": [
            {
                "test": test.name,
                "question": test.question,
                "sample": test.sample,
                "statistic": test.statistic,
                "p": test.p,
                "adjusted": test.adjusted,
                "is_unusual": test.is_unusual,
            }
            for test in tests
        ],
    }


def figure_lines(figures: Sequence[PlayerFigures]) -> Iterator[str]:
    """The players' figures for a person."""
    for one in figures:
        games = f"{one.score.num} game{'s' if one.score.num > 1 else ''}"
        yield f"{one.name}, {games} of {one.ruleset}"
        yield f"  score            {_interval(one.score)}"
        yield f"  dice-neutral     {_interval(one.dice_neutral)}"
        yield f"  luck             {_interval(one.luck)}"
        kinds = ", ".join(f"{kind} {errors.rate:.2f}" for kind, errors in one.by_kind.items())
        yield f"  lost a game      {one.errors.loss / one.score.num:8.1f}"
        yield f"  lost a decision  {one.errors.rate:8.2f}   ({kinds})"
        if one.errors.level:
            yield f"  level            {one.errors.level.name}: {one.errors.level.about}"
        dear = sorted(one.by_box.items(), key=lambda item: -item[1].rate)[:NUM_BOXES]
        boxes = ", ".join(
            f"{box_name(one.ruleset, box)} {errors.rate:.2f}" for box, errors in dear if errors.rate >= 0.005
        )
        if boxes:
            yield f"  dearest boxes    {boxes}"
        yield ""
    if figures:
        yield "± is a 95 % interval of the mean. A dice-neutral score is what the decisions were worth without luck."
        yield "Luck and losses of a game are not independent, because a bad keep changes what a roll can bring."
    else:
        yield "No finished game has figures."


def dice_lines(tests: Sequence[DiceTest]) -> Iterator[str]:
    """What the tests of the dice say, in words."""
    yield ""
    if not tests:
        yield "The dice: too few rolls to say anything."
        return
    unusual = [test for test in tests if test.is_unusual]
    yield "The dice" + (": unusual." if unusual else ": nothing unusual.")
    for test in tests:
        chance = f"{100 * test.p:.2g} %" if test.p >= 0.0001 else "less than 0.01 %"
        mark = "  UNUSUAL" if test.is_unusual else ""
        sample = f"{test.sample:,} {'rolls' if test.name == 'pairs' else 'dice '}"
        yield f"  {test.question:<60}{sample:>14}{chance:>18}{mark}"
    yield "The percentage is how often fair dice look at least as uneven. A test is called unusual when, corrected for"
    yield f"the number of tests, fair dice would do so in fewer than {100 * ALPHA:.0f} in 100 such collections."


def _estimate_data(estimate: Estimate) -> dict[str, float | int | None]:
    return {"mean": estimate.mean, "half_width": estimate.half_width, "games": estimate.num}


def _errors_data(errors: ErrorTotals) -> dict[str, float | int]:
    return {"loss": errors.loss, "unforced_decisions": errors.num_unforced, "error_rate": errors.rate}


def _interval(estimate: Estimate) -> str:
    width = f" ± {estimate.half_width:.1f}" if estimate.half_width is not None else ""
    return f"{estimate.mean:8.1f}{width}"
