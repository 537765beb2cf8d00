"""`fivedice daily` and `fivedice storm`: the positions of a day."""

import re
import sys
from datetime import date
from random import SystemRandom

from fivedice.base.errors import MalformedError
from fivedice.cli.completed import DailyRules
from fivedice.cli.game.daily_tries import DailyTry, draw, play_try
from fivedice.cli.language import say
from fivedice.cli.text.output import Flag, print_json, prints
from fivedice.daily.choice import PER_RUNG, POOL, run_of
from fivedice.daily.days import number_of, open_secret, parse_day
from fivedice.daily.results import Kind
from fivedice.game.proof import commitment
from fivedice.views.printed import DrawnDayView, RungView


@prints(DrawnDayView)
def daily(
    *,
    rules: DailyRules | None = None,
    day: str | None = None,
    secret: str | None = None,
    json: Flag = False,
) -> None:
    """Decide ten positions, which are others every day.

    The positions follow from the date, and your result is not ranked: a server ranks on its page.

    Parameters
    ----------
    rules
        yahtzee, kniffel or yatzy. The default is that of your language.
    day
        Another day than today, such as 2026-11-25.
    secret
        The secret of that day, which a server has published: draws its positions again, to verify them.
    json
        Print the positions as JSON instead of asking.
    """
    if secret is not None and not re.fullmatch("[0-9a-f]{64}", secret):
        raise MalformedError("--secret: want 64 digits 0-9 a-f")
    drawn = date.today() if day is None else parse_day(day)
    key = open_secret(drawn) if secret is None else bytes.fromhex(secret)
    puzzles = draw("ten", drawn, key, rules)
    if json:
        lines = [str(puzzle.position) for puzzle in puzzles]
        print_json(DrawnDayView(drawn.isoformat(), number_of(drawn), commitment(key), lines))
        return
    print(say("The ten positions of {day}, for you alone: your result is not ranked.", day=drawn.isoformat()))
    sys.exit(play_try(DailyTry("ten", drawn, puzzles)))


@prints(list[RungView])
def storm(*, rules: DailyRules | None = None, streak: Flag = False, json: Flag = False) -> None:
    """Solve as many positions as you can in three minutes, from easy to hard; three mistakes end it.

    The positions follow from the date, and your result is not ranked: a server ranks on its page.

    Parameters
    ----------
    rules
        yahtzee, kniffel or yatzy. The default is that of your language.
    streak
        Play without a clock, until the first mistake.
    json
        Print the positions with their rungs as JSON instead of asking.
    """
    kind: Kind = "streak" if streak else "storm"
    day = date.today()
    puzzles = draw("ladder", day, open_secret(day), rules)
    if json:
        print_json([RungView(puzzle.rung or 0, str(puzzle.position)) for puzzle in puzzles])
        return
    order = run_of([puzzle.rung or 0 for puzzle in puzzles], SystemRandom().randint(1, POOL // PER_RUNG))
    print(say("The positions of {day}, for you alone: your result is not ranked.", day=day.isoformat()))
    sys.exit(play_try(DailyTry(kind, day, [puzzles[index] for index in order])))
