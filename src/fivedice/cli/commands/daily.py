"""`fivedice daily`: the ten positions of today, or a server's daily game."""

import sys
from datetime import date

from fivedice.cli.game.daily_tries import LocalTry, ServerTry, draw, play_try, server_address
from fivedice.cli.language import say
from fivedice.cli.text.output import Flag, print_json
from fivedice.daily.days import number_of
from fivedice.errors import IllegalError


def daily(*, rules: str | None = None, server: str | None = None, game: Flag = False, json: Flag = False) -> None:
    """Decide ten positions, which are others every day; at a server, against everybody who plays there.

    Without a server the positions follow from the date, and nobody else ranks the result.

    Parameters
    ----------
    rules
        yahtzee, kniffel or yatzy. The default is that of your language.
    server
        The address of a server, such as https://dice.example.org. The default is FIVEDICE_SERVER if it is set. Its day
        and your try count: one try a day, which continues where you stopped.
    game
        Play the daily game of the server instead: one whole game on the same dice for everybody.
    json
        Print the positions of a person alone as JSON instead of asking.
    """
    address = server_address(server)
    if game and not address:
        raise IllegalError("--game: the daily game needs --server")
    if address and json:
        raise IllegalError("--json: a server shows its positions one after another, so give no --server with it")
    if address:
        sys.exit(play_try(ServerTry(address, "game" if game else "ten", rules)))
    day = date.today()
    puzzles = draw("ten", day, rules)
    if json:
        lines = [str(puzzle.position) for puzzle in puzzles]
        print_json({"day": day.isoformat(), "number": number_of(day), "positions": lines})
        return
    print(say("The ten positions of {day} for you alone: nobody else ranks them.", day=day.isoformat()))
    sys.exit(play_try(LocalTry("ten", day, puzzles)))
