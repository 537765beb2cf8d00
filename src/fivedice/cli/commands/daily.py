"""`fivedice daily` and `fivedice storm`: the positions of a day, by themselves or at a server, and its daily game."""

import re
import sys
from datetime import date
from random import SystemRandom

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.cli.completed import DailyRules
from fivedice.cli.game.daily_tries import LocalTry, ServerTry, draw, play_try, server_address
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
    server: str | None = None,
    game: Flag = False,
    day: str | None = None,
    secret: str | None = None,
    json: Flag = False,
) -> None:
    """Decide ten positions, which are others every day; at a server, against everybody who plays there.

    Without a server, the positions follow from the date, and your result is not ranked.

    Parameters
    ----------
    rules
        yahtzee, kniffel or yatzy. The default is that of your language.
    server
        The address of a server, such as https://dice.example.org. The default is FIVEDICE_SERVER if it is set. Its day
        and your try count: one try a day, which continues where you stopped.
    game
        Play the daily game of the server instead: one whole game on the same dice for everybody.
    day
        Another day than today, such as 2026-11-25, for a person alone.
    secret
        The secret of that day, which a server has published: draws its positions again, to verify them.
    json
        Print the positions of a person alone as JSON instead of asking.
    """
    address = server_address(server)
    if game and not address:
        raise IllegalError("--game: the daily game needs --server")
    if address and json and secret is None and day is None:
        raise IllegalError("--json: a server shows its positions one after another, so give no --server with it")
    if address and day is None and secret is None:
        sys.exit(play_try(ServerTry(address, "game" if game else "ten", rules)))
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
    sys.exit(play_try(LocalTry("ten", drawn, puzzles)))


@prints(list[RungView])
def storm(
    *, rules: DailyRules | None = None, server: str | None = None, streak: Flag = False, json: Flag = False
) -> None:
    """Solve as many positions as you can in three minutes, from easy to hard; three mistakes end it.

    Without a server, the positions follow from the date, and your result is not ranked.

    Parameters
    ----------
    rules
        yahtzee, kniffel or yatzy. The default is that of your language.
    server
        The address of a server, such as https://dice.example.org. The default is FIVEDICE_SERVER if it is set.
    streak
        Play without a clock, until the first mistake.
    json
        Print the positions of a person alone with their rungs as JSON instead of asking.
    """
    kind: Kind = "streak" if streak else "storm"
    if address := server_address(server):
        sys.exit(play_try(ServerTry(address, kind, rules)))
    day = date.today()
    puzzles = draw("ladder", day, open_secret(day), rules)
    if json:
        print_json([RungView(puzzle.rung or 0, str(puzzle.position)) for puzzle in puzzles])
        return
    order = run_of([puzzle.rung or 0 for puzzle in puzzles], SystemRandom().randint(1, POOL // PER_RUNG))
    print(say("The positions of {day}, for you alone: your result is not ranked.", day=day.isoformat()))
    sys.exit(play_try(LocalTry(kind, day, [puzzles[index] for index in order])))
