"""`fivedice verify`: makes every die of a record again."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from fivedice.cli.records.read_record import read_record
from fivedice.cli.text.output import File, Flag, print_json
from fivedice.game.verification import Verification, verify_record


def verify(
    file: File,
    /,
    *,
    json: Flag = False,
) -> None:
    """Make every die of a record again from its secret, and say what that proves and what it does not.

    The exit status is 0 if everything agrees, 1 if a die or the commitment does not, 2 if there is nothing to check.

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
    """The verification as plain data; turn, roll and place are counted from 0."""
    proof = verification.proof
    return {
        "ok": not verification.problems,
        "table": proof.table,
        "commitment": proof.commitment,
        "nonces": list(proof.nonces),
        "dice": len(verification.dice),
        "problems": verification.problems,
        "wrong": [
            {"turn": die.turn, "roll": die.roll, "place": die.place, "shown": die.shown, "made": die.made}
            for die in verification.wrong
        ],
    }


def verification_lines(verification: Verification) -> Iterator[str]:
    """The verification for a person."""
    proof, problems = verification.proof, verification.problems
    yield f"Table {proof.table}, {verification.record.date}"
    yield f"  commitment  {proof.commitment}"
    for nonce in proof.nonces:
        yield f"  nonce       {_named(nonce, verification)}"
    yield ""
    if problems:
        yield f"NOT AS COMMITTED ({len(verification.dice)} dice made again):"
        yield from (f"  {problem}" for problem in problems)
        yield "Turns, rolls and dice are counted from 0. This record is not what the secret and the nonces make."
        return
    yield f"All {len(verification.dice)} dice are what the secret and the nonces make them,"
    yield "and the secret is the one committed to."
    yield ""
    yield "What this proves, if the commitment above is the one that you were shown before the first roll:"
    yield "- The dice were fixed before the first roll. Nothing that anyone did or kept afterwards could change one."
    yield "- Only someone who knew the secret could have influenced or foreseen them."
    yield from _about_nonces(proof.nonces)
    yield "What it does not prove:"
    yield "- that no game was dropped: one that the server began, disliked and never showed;"
    yield "- that nobody who played knew the secret: a friend of the server's, or one of its computer players."


def _about_nonces(nonces: Sequence[str]) -> Iterator[str]:
    if nonces:
        yield "- If a nonce above is yours, and came after the commitment, the secret was not chosen to suit the dice."
        yield f"  The last nonce is that of {nonces[-1].rpartition(' ')[0]}: only they can be sure that nobody who knew"
        yield "  the secret saw all the other nonces before entering one."
    else:
        yield "- No nonce was added: whoever chose the secret could have tried several and taken the one they liked."


def _named(nonce: str, verification: Verification) -> str:
    """A nonce with the name of its seat."""
    who, number, value = nonce.split(" ")
    name = f" ({verification.record.seats[int(number)].name})" if who == "seat" else ""
    return f"{who} {number}{name} {value}"
