"""`fivedice storm`: positions up a ladder of difficulty, for three minutes or until the first mistake."""

import sys
from datetime import date
from random import SystemRandom

from fivedice.cli.completed import DailyRules
from fivedice.cli.game.daily_tries import LocalTry, ServerTry, draw, play_try, server_address
from fivedice.cli.language import say
from fivedice.cli.text.output import Flag, print_json, prints
from fivedice.daily.choice import PER_RUNG, POOL, run_of
from fivedice.daily.days import open_secret
from fivedice.daily.results import Kind
from fivedice.views.printed import RungView


@prints(list[RungView])
def storm(
    *, rules: DailyRules | None = None, server: str | None = None, streak: Flag = False, json: Flag = False
) -> None:
    """Solve as many positions as you can in three minutes, from easy to hard; three mistakes end it.

    Without a server the positions follow from the date, and nobody else ranks the result.

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
    print(say("The positions of {day} for you alone: nobody else ranks them.", day=day.isoformat()))
    sys.exit(play_try(LocalTry(kind, day, [puzzles[index] for index in order])))
