"""Verification: games played with the dice of a table pass, and an edit is named in words.

`tests/web/test_verify.py` tampers with every line of games of every ruleset.
"""

from dataclasses import replace

import pytest

from fivedice.base.errors import IllegalError, UnknownError
from fivedice.cli.commands.records import verification_lines
from fivedice.game.action import Score
from fivedice.game.proof_notes import UndoneTurn
from fivedice.game.record import parse_record
from fivedice.game.verification import verify_record
from fivedice.rulesets import load_ruleset
from fivedice.views.to_dict import record_check_view
from tests.game.table_game import table_game, with_proof
from tests.repository import ROOT

DOCUMENTED = (ROOT / "docs" / "fair-dice.md").read_text(encoding="utf-8")
IN_DOCS = DOCUMENTED[DOCUMENTED.index("fivedice record 1") :].partition("```")[0]


def test_the_record_in_the_documentation_is_valid_and_verified() -> None:
    record = parse_record(IN_DOCS)
    assert str(record) == IN_DOCS
    verification = verify_record(record)
    assert (verification.dice, verification.problems) == (31, ())


@pytest.mark.parametrize(
    ("old", "new", "sentence", "lines"),
    [
        ("356, 13356,", "356, 13456,", "turn 2, second roll: the record says 13456, the secret gives 13356", (11,)),
        ("33651,", "43651,", "turn 2, second roll: the record says 43651, the secret gives 33651", (25,)),
        ("56, 13456, s", "5, 13456, s", "turn 2, third roll: the two lines keep 35 / 3_65_ of 33651, which", (11, 25)),
        ("keep 3_65_", "keep 3_66_", "turn 2, third roll: the two lines keep 356 / 3_66_ of 33651, which", (11, 25)),
        ("keep 3_65_", "keep 3_65", "turn 2, third roll: the two lines keep 356 / 3_65 of 33651, which", (11, 25)),
        ("16666, keep 6666, 46666", "16666", "turn 4: the record has 2 rolls, its proof 3", (13, 27)),
        ("turn 3: 26656", "turn 3: 2665", "turn 4, first roll: the record says 25666, the secret gives 2566", (13,)),
        ("1: 13456", "1: 1456", "turn 1, first roll: the record says 1456, the secret gives 13456", (10,)),
        ("first: 1", "first: 0", "who began: the record says seat 0, the secret gives seat 1", (6,)),
        ("secret: 00", "secret: 01", "the secret is not the one committed to: its SHA-256 is ", (18, 23)),
        ("1: 13456", "1: 11111\n0: 13456", "the record has 5 turns with dice, its proof 4; here", (10, 25)),
        (", keep 666_6, 66646\n", "\n  turn 4: 1", "the record has 4 turns with dice, its proof 5; here", (28,)),
    ],
)
def test_an_edit_is_named_in_words_with_its_line(old: str, new: str, sentence: str, lines: tuple[int, ...]) -> None:
    assert IN_DOCS.count(old) == 1
    problem = verify_record(IN_DOCS.replace(old, new)).problems[0]
    assert str(problem).startswith(sentence)
    assert problem.lines == lines


def test_the_sentence_in_the_documentation_is_that_of_the_command() -> None:
    edited = IN_DOCS.replace("356, 13356,", "356, 13456,")
    verification = verify_record(edited)
    written = "\n".join(verification_lines(verification, record_check_view(edited, load_ruleset)))
    assert DOCUMENTED.split("in words, with its line:\n\n```\n")[1].partition("```")[0] in written


def test_only_an_opening_by_dice_is_verified_once_a_roll_shows_how_many_dice_decide_it() -> None:
    for opening, began in {"first": "chosen", "random": "rolled", "highest_roll": "rolled", "": "unknown"}.items():
        record = with_proof(table_game(opening=opening or "first", max_turns=1), opening=opening)
        verification = verify_record(record)
        assert (verification.began, verification.problems) == (began, ())
    record = table_game(opening="highest_roll", max_turns=0)
    assert record.proof
    text = str(record)
    without_turns = text.replace(f"{record.turns[0]}\n", "").replace(f"  turn 0: {record.proof.turns[0]}\n", "")
    assert verify_record(without_turns).began == "unknown"


def test_dice_are_foreseen_if_a_persons_seat_had_rolled_before_a_turn_was_undone() -> None:
    undone = [UndoneTurn(0, Score("ones"), rolled) for rolled in [(), (1,), (0,), (0, 1)]]
    verification = verify_record(with_proof(table_game(max_turns=4), undone=tuple(undone)))
    assert verification.problems == ()
    assert verification.foreseen == tuple(undone[2:])


def test_verification_needs_a_proof_with_its_secret() -> None:
    record = table_game(max_turns=0)
    with pytest.raises(UnknownError, match="the record carries no proof"):
        verify_record(replace(record, proof=None))
    with pytest.raises(
        IllegalError, match=r"the secret of table k7Qm2x is not revealed yet: .* no later than 30 days after"
    ):
        verify_record(with_proof(record, secret=None))
