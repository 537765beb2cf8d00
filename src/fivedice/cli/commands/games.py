"""`fivedice games`: your saved games, and how to review or resume each."""

import shlex
import sys
from collections.abc import Iterator, Sequence

from fivedice.base.errors import MalformedError
from fivedice.cli.files.record_file import records_folder
from fivedice.cli.files.saved_games import SavedGame, saved_games
from fivedice.cli.progress import warn
from fivedice.cli.text.output import Flag, Whole, print_json, prints
from fivedice.views.printed import SavedGameView, SavedSeatView


@prints(list[SavedGameView])
def games(*, last: Whole = 10, all: Flag = False, json: Flag = False) -> None:
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
    if last < 0:
        raise MalformedError(f"--last {last}: want a number from 0")
    found, problems = saved_games()
    for problem in problems:
        warn(problem)
    if json:
        print_json([_view(game) for game in found])
    else:
        print("\n".join(_lines(found, len(found) if all else last)))
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
    ruleset = game.ruleset
    rules = ruleset.name if ruleset else game.rules
    if not game.is_over:
        rules += f", round {game.round}" + (f" of {ruleset.rounds}" if ruleset else "")
    yield f"  {game.date:%Y-%m-%d %H:%M}  {rules}: {_scores(game)}"
    yield f"      {_command(game)}"


def _scores(game: SavedGame) -> str:
    """The totals by seat, and who won: `Ann 243, greedy 231, Ann won by 12`."""
    text = ", ".join(f"{seat.name} {total}" for seat, total in zip(game.seats, game.totals, strict=True))
    if game.outcome == "given up":
        return f"{text}; given up"
    if len(game.seats) == 1 or not game.is_over:
        return text
    names = [game.seats[winner].name for winner in game.winners]
    if len(names) > 1:
        return f"{text}; shared by {', '.join(names[:-1])} and {names[-1]}"
    [winner] = game.winners
    if game.is_cut_short:
        return f"{text}; {names[0]} won by resignation"
    margin = game.totals[winner] - max(game.totals[:winner] + game.totals[winner + 1 :])
    return f"{text}; {names[0]} won" + (f" by {margin}" if margin > 0 else "")


def _command(game: SavedGame) -> str:
    """The command that resumes a game of this computer, and reviews any other."""
    return f"fivedice {'play --resume' if game.can_resume else 'review'} {shlex.quote(game.name)}"


def _view(game: SavedGame) -> SavedGameView:
    seats = [SavedSeatView(seat.name, seat.kind, total) for seat, total in zip(game.seats, game.totals, strict=True)]
    return SavedGameView(
        game.name,
        str(game.file),
        game.rules,
        game.digest,
        game.when,
        seats,
        game.round,
        game.is_over,
        list(game.winners),
        _command(game),
    )
