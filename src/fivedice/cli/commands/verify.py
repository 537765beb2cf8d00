"""`fivedice verify`: recomputes every die of a record."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from fivedice.cli.records.read_record import read_record
from fivedice.cli.text.output import File, Flag, print_json
from fivedice.cli.text.plural import counted
from fivedice.game.verification import Verification, verify_record


def verify(
    file: File,
    /,
    *,
    json: Flag = False,
) -> None:
    """Verify a record's dice: recompute each one from the revealed secret, and say what that proves and what not.

    The exit status is 0 if everything agrees, 1 if a die or the commitment does not, and 2 if the record has no proof.

    Parameters
    ----------
    file
        A record, or - for standard input.
    json
        Print JSON.
    """
    verification = verify_record(read_record(file))
    if json:
        print_json(verification_data(verification))
    else:
        print("\n".join(verification_lines(verification)))
    sys.exit(1 if verification.problems else 0)


def verification_data(verification: Verification) -> dict[str, Any]:
    """The verification as plain data; turns, rolls and places count from 0."""
    proof = verification.proof
    return {
        "ok": not verification.problems,
        "table": proof.table,
        "commitment": proof.commitment,
        "nonces": list(proof.nonces),
        "dice": len(verification.dice),
        "undone": [
            {
                "turn": undone.turn,
                "action": str(undone.action),
                "rolled": list(undone.rolled),
                "foreseen": undone in verification.foreseen,
            }
            for undone in proof.undone
        ],
        "problems": verification.problems,
        "wrong": [
            {"turn": die.turn, "roll": die.roll, "place": die.place, "shown": die.shown, "made": die.made}
            for die in verification.wrong
        ],
    }


def verification_lines(verification: Verification) -> Iterator[str]:
    """The verification as text."""
    proof, problems = verification.proof, verification.problems
    yield f"Table {proof.table}, {verification.record.date}"
    yield f"  commitment  {proof.commitment}"
    for nonce in proof.nonces:
        yield f"  nonce       {_named(nonce, verification)}"
    yield f"  undone      {counted(len(proof.undone), 'turn')}"
    yield ""
    if problems:
        yield f"NOT AS COMMITTED ({len(verification.dice)} dice recomputed):"
        yield from (f"  {problem}" for problem in problems)
        yield "Turns, rolls and dice count from 0. The secret and the nonces do not produce this record."
        return
    yield f"All {len(verification.dice)} dice are those that the secret and the nonces produce,"
    yield "and the secret matches the commitment."
    yield ""
    yield "What this proves, if the commitment above is the one that you were shown before the first roll:"
    yield "- The dice were fixed before the first roll. No later action could change any of them."
    yield from _about_foresight(verification)
    yield from _about_nonces(proof.nonces)
    yield "What it does not prove:"
    yield "- that no game was discarded: the server could have started one, disliked it and never shown it;"
    yield "- that no player knew the secret: a friend of the server's owner, or one of its computer players;"
    yield "- that no other turn was undone: the server says so in the record, and the dice do not show it."


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
        yield "- No nonce was added: whoever chose the secret could have tried several and picked one they liked."


def _named(nonce: str, verification: Verification) -> str:
    """A nonce with the name of its seat."""
    who, number, value = nonce.split(" ")
    name = f" ({verification.record.seats[int(number)].name})" if who == "seat" else ""
    return f"{who} {number}{name} {value}"
