"""`fivedice games`, `verify` and `replay`: your saved games, and what a record proves and shows."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Annotated

from msgspec import UNSET

from fivedice.base.errors import MalformedError
from fivedice.cli.files.record_file import records_folder
from fivedice.cli.files.saved_games import SavedGame, named, read_record, saved_games, text_of_record
from fivedice.cli.options import Flag, Json, RecordFile, Whole, within
from fivedice.cli.progress import warn
from fivedice.cli.text.cards import result_lines
from fivedice.cli.text.output import counted, prints, show
from fivedice.game.record import Record
from fivedice.game.record_lines import read_lines
from fivedice.game.record_proof import BROWSER
from fivedice.game.seats import Seat, parse_seats
from fivedice.game.verification import Verification, verify_lines
from fivedice.rulesets import load_ruleset
from fivedice.views.printed import VerificationView
from fivedice.views.to_dict import RecordCheckView, RecordView, record_check_view, record_view

SHOWN_PROBLEMS = 5


@prints(VerificationView)
def verify(file: RecordFile, /, *, json: Json = False) -> None:
    """Verify a record: recompute its dice from the revealed secret, replay its points, and say what that proves.

    The exit status is 0 if everything agrees, 1 if a die, the commitment, who began, the points or the result do not,
    and 2 if the record has no proof or cannot be read.
    """
    text = text_of_record(file)
    with named(file):
        lines = read_lines(text)
    verification, points = verify_lines(lines), record_check_view(text, load_ruleset)
    show(verification_view(verification, points), verification_lines(verification, points), json=json)
    sys.exit(0 if points.ok and not verification.problems else 1)


def verification_view(verification: Verification, points: RecordCheckView | None = None) -> VerificationView:
    """The verification of a record's dice, and of its points if they were checked."""
    proof, problems = verification.proof, verification.problems
    return VerificationView(
        ok=not problems and (points is None or points.ok),
        table=proof.table,
        commitment=proof.commitment,
        offline=proof.source == BROWSER,
        nonces=list(proof.nonces),
        began=verification.began,
        first=verification.lines.first,
        dice=verification.dice,
        problems=list(problems),
        points=points or UNSET,
    )


def verification_lines(verification: Verification, points: RecordCheckView) -> Iterator[str]:
    """The verification as text."""
    proof, lines, first = verification.proof, verification.lines, verification.lines.first
    seats: tuple[Seat, ...] = ()
    with suppress(MalformedError):  # the replay of the points says why
        seats = parse_seats(lines.header["seats"])
    opening = [problem for problem in verification.problems if problem.kind == "opening"]
    dice = f"all {verification.dice} are those of the secret, which matches the commitment"
    if num_wrong := len(verification.problems) - len(opening):
        dice = f"NOT AS COMMITTED: {counted(num_wrong, 'difference')} (below)"
    rules = f"{lines.header['ruleset']}, digest {lines.header['digest']}"
    if is_about_rules(points):
        rules = f"WRONG: line {points.line}: {points.problem}"
    began = f"seat {first}: not proved, since the record does not say how it was decided"
    if verification.began == "chosen":
        began = f"seat {first}: chosen, not rolled"
    elif verification.began == "rolled":
        began = f"NOT AS COMMITTED: seat {first} (below)" if opening else f"seat {first}, by dice: those of the secret"
    yield f"Table {proof.table}, {lines.header['date']}"
    yield f"  commitment  {proof.commitment}"
    for nonce in proof.nonces:
        yield f"  nonce       {_named(nonce, seats)}"
    yield ""
    yield f"  dice        {dice}"
    yield f"  points      {_about_points(points, verification)}"
    yield f"  rules       {rules}"
    yield f"  who began   {began}"
    yield f"  undone      {counted(len(proof.undone), 'turn')}, says the record: the dice do not show it"
    yield f"  help        {f'{proof.help}, says the record: ' if proof.help else ''}not proved"
    yield "  names       not proved"
    yield "  date        not proved"
    if verification.problems:
        yield ""
        for problem in verification.problems[:SHOWN_PROBLEMS]:
            yield str(problem)
            yield from (f"  line {number}: {lines.text[number - 1].strip()}" for number in problem.lines)
        if len(verification.problems) > SHOWN_PROBLEMS:
            yield f"and {len(verification.problems) - SHOWN_PROBLEMS} more"
        yield "The secret and the nonces do not produce this record."
    if verification.problems or not points.ok:
        return
    yield ""
    if proof.source == BROWSER:
        yield "This proves nothing about the dice:"
        yield "the game was played offline, and the player's browser chose the secret."
        return
    yield "What this proves, if the commitment above is the one that you were shown before the first roll:"
    yield "- The dice were fixed before the first roll. No later action could change any of them."
    yield from _about_foresight(verification)
    yield from _about_nonces(proof.nonces)
    yield "What it does not prove:"
    yield "- that no game was discarded: the server could have started one, disliked it and never shown it;"
    yield "- that no player knew the secret: a friend of the server's owner, or one of its computer players;"
    yield "- that no other turn was undone: the server says so in the record, and the dice do not show it;"
    yield "- who played, when, and with what help;"
    yield "- that no other decisions were made than those written down, where the dice allow them."


def _about_points(points: RecordCheckView, verification: Verification) -> str:
    if points.ok:
        return f"they follow from the turns by the rules, and so does the result: {points.result}"
    if is_about_rules(points):
        return "NOT CHECKED, because of the rules"
    if any(points.line in problem.lines for problem in verification.problems):
        return f"NOT CHECKED, since line {points.line} is not as committed"
    where = f"line {points.line}: " if points.line else ""
    return f"WRONG: {where}{points.problem}"


def is_about_rules(points: RecordCheckView) -> bool:
    """Whether the points could not be replayed because the rules are not those that the record names."""
    return points.part in ("ruleset", "options", "digest")


def _about_foresight(verification: Verification) -> Iterator[str]:
    """Who could have foreseen dice: those that were rolled before a turn was undone come up again."""
    foreseen = len(verification.foreseen)
    after_computers = sum(bool(undone.rolled) for undone in verification.proof.undone) - foreseen
    if foreseen:
        yield "- Only someone who knew the secret could have influenced them."
        yield f"  But dice were foreseen. Turns undone after a person's seat had rolled: {foreseen}."
        yield "  The same dice came up again when the turn had gone on."
    elif after_computers:
        yield "- Only someone who knew the secret could have influenced them, or foreseen dice of a person's seat."
    else:
        yield "- Only someone who knew the secret could have influenced or foreseen them."
    if after_computers:
        yield f"  Turns undone after only computer players had rolled: {after_computers}."
        yield "  Their dice came up again, so they were known when the turn went on."


def _about_nonces(nonces: Sequence[str]) -> Iterator[str]:
    if nonces:
        yield "- If a nonce above is yours, and you entered it after the commitment, the secret was not chosen for the"
        yield f"  dice it gives. The last nonce is that of {nonces[-1].rpartition(' ')[0]}: only they can be sure that"
        yield "  nobody who knew the secret saw all the other nonces before entering one."
    else:
        yield "- No nonce was added: the person who chose the secret could have tried several and picked one."


def _named(nonce: str, seats: Sequence[Seat]) -> str:
    """A nonce with the name of its seat."""
    who, number, value = nonce.split(" ")
    name = f" ({seats[int(number)].name})" if who == "seat" and seats else ""
    return f"{who} {number}{name} {value}"


@prints(RecordView)
def replay(file: RecordFile, /, *, json: Json = False) -> None:
    """Check that a record replays to its result, and print its turns and the final cards."""
    record = read_record(file)
    show(record_view(record), _replayed_lines(record), json=json)


def _replayed_lines(record: Record) -> Iterator[str]:
    yield f"{record.ruleset.name} ({record.ruleset}), {record.date}"
    yield ""
    for line in record.lines:
        seat, _, steps = line.partition(": ")
        yield f"{record.seats[int(seat)].name}: {steps}"
    yield ""
    yield from result_lines(record)


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
    # Who won on a first roll, or after a leader resigned, may have less than others.
    lead = game.seats[game.winners[0]].total - sorted(seat.total for seat in game.seats)[-2]
    return f"{text}; {names[0]} won" + (f" by {lead}" if lead > 0 else "")
