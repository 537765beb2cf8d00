"""`fivedice games`: your saved games, and how to review or resume each."""

import sys
from collections.abc import Iterator, Sequence
from typing import Annotated

from fivedice.cli.files.record_file import records_folder
from fivedice.cli.files.saved_games import SavedGame, saved_games
from fivedice.cli.options import Flag, Whole, within
from fivedice.cli.progress import warn
from fivedice.cli.text.output import prints, show
from fivedice.rulesets import load_ruleset


@prints(list[SavedGame])
def games(*, last: Annotated[Whole, within(0)] = 10, all: Flag = False, json: Flag = False) -> None:
    """List your saved games with their scores, the latest first, and how to review or resume each.

    Unfinished games are always listed. An unreadable record is reported on standard error, and the exit status is
    then 1.

    Parameters
    ----------
    last
        List this many finished games.
    all
        List all finished games.
    json
        Print all games as JSON.
    """
    found, problems = saved_games()
    for problem in problems:
        warn(problem)
    show(found, _lines(found, len(found) if all else last), json=json)
    sys.exit(1 if problems else 0)


def _lines(found: Sequence[SavedGame], last: int) -> Iterator[str]:
    if not found:
        yield "There are no saved games yet: begin one with fivedice play."
        return
    unfinished = [game for game in found if not game.is_over]
    finished = [game for game in found if game.is_over]
    if unfinished:
        yield "Unfinished"
        for game in unfinished:
            yield from _game_lines(game)
    if unfinished and finished:
        yield ""
    if finished:
        yield "Finished"
        for game in finished[:last]:
            yield from _game_lines(game)
        if len(finished) > last:
            yield f"  and {len(finished) - last} more: fivedice games --all"
    yield ""
    yield f"The records are in {records_folder()}"


def _game_lines(game: SavedGame) -> Iterator[str]:
    rules = game.ruleset
    try:
        ruleset = load_ruleset(rules)
    except (ValueError, OSError):  # of a file that is not there any more
        played = f", round {game.round}"
    else:
        rules, played = ruleset.name, f", round {game.round} of {ruleset.rounds}"
    yield f"  {game.began:%Y-%m-%d %H:%M}  {rules}{'' if game.is_over else played}: {_scores(game)}"
    yield f"      {game.command}"


def _scores(game: SavedGame) -> str:
    """The totals by seat, and who won: `Ann 243, greedy 231, Ann won by 12`."""
    text = ", ".join(f"{seat.name} {seat.total}" for seat in game.seats)
    if game.outcome == "given up":
        return f"{text}; given up"
    if len(game.seats) == 1 or not game.is_over:
        return text
    names = [game.seats[winner].name for winner in game.winners]
    if len(names) > 1:
        return f"{text}; shared by {', '.join(names[:-1])} and {names[-1]}"
    if game.is_cut_short:
        return f"{text}; {names[0]} won by resignation"
    best, second = sorted((seat.total for seat in game.seats), reverse=True)[:2]
    return f"{text}; {names[0]} won" + (f" by {best - second}" if best > second else "")
