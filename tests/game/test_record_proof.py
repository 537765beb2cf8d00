"""Proofs in records: they round-trip, invalid ones are refused with the line, and verification names an edit in words.

`tests/web/test_verify.py` tampers with every line of games of every ruleset.
"""

from dataclasses import replace

import pytest

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.cli.commands.records import verification_lines
from fivedice.game.action import Announce, Score
from fivedice.game.proof_notes import Questions, UndoneTurn, UsedHelp
from fivedice.game.record import parse_record
from fivedice.game.record_proof import RecordProof
from fivedice.game.verification import verify_record
from fivedice.rulesets import load_ruleset
from fivedice.views.to_dict import record_check_view
from tests.game.table_game import TABLE_DICE, table_game, with_proof
from tests.repository import ROOT

PAGE = ROOT / "docs" / "fair-dice.md"
HEX = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_a_proof_without_nonces_or_secret_survives() -> None:
    record = with_proof(table_game(replace(TABLE_DICE, nonces=()), max_turns=2), secret=None)
    assert "secret:" not in str(record)
    assert "nonce:" not in str(record)
    assert parse_record(str(record)) == record


UNDONE = (
    UndoneTurn(0, Score("threes"), (1,)),
    UndoneTurn(0, Score("full_house", is_scratch=True)),
    UndoneTurn(2, Score("chance"), (0, 1)),
)


def test_undone_turns_survive_in_their_order_before_the_dice() -> None:
    record = with_proof(table_game(max_turns=2), undone=UNDONE)
    text = str(record)
    assert parse_record(text) == record
    hidden = with_proof(record, secret=None)
    assert parse_record(str(hidden)) == hidden
    assert text[text.index("  undone") : text.index("  turn 0: ")].splitlines() == [
        "  undone: turn 0, score threes, after rolls of seat 1",
        "  undone: turn 0, scratch full_house",
        "  undone: turn 2, score chance, after rolls of seat 0, seat 1",
    ]
    undone = (UndoneTurn(2, Announce("ones_announced")),)
    record = with_proof(table_game(ruleset_ref="yamb", max_turns=2), undone=undone)
    assert parse_record(str(record)) == record
    assert "  undone: turn 2, announce ones_announced\n" in str(record)


@pytest.mark.parametrize(
    ("line", "kind", "sentence"),
    [
        ("turn 0", MalformedError, "line 23: undone 'turn 0': want a turn and an action, as in"),
        ("turn 0, keep 33", MalformedError, "line 23: undone 'turn 0, keep 33'"),
        ("turn 0, score threes, after rolls of seat 1, seat 0", MalformedError, "line 23: .* in ascending order"),
        ("turn 0, score threes, after rolls of seat 2", IllegalError, "line 23: .* the seats are 0 to 1, not 2"),
        ("turn 3, score threes", IllegalError, "line 23: undone turn 3: the game has 3 turns, from 0"),
        ("turn 1, score threes", IllegalError, "line 14: undone turn 1 is of greedy, and only a person takes an"),
        ("turn 0, score three", UnknownError, "line 14: yahtzee has no box 'three': did you mean 'threes'"),
        ("turn 2, score ones\n  undone: turn 0, score ones", IllegalError, "line 14: the undone turns are not in the"),
    ],
)
def test_an_invalid_undone_turn_is_refused_with_line_and_reason(
    line: str, kind: type[ValueError], sentence: str
) -> None:
    assert not GOOD_UNDONE.count(line + "\n")
    with pytest.raises(kind, match=sentence):
        parse_record(GOOD_UNDONE.replace("turn 0, score threes", line))


@pytest.mark.parametrize("help", [UsedHelp("none"), UsedHelp("tutor", (Questions(0, 3, 2),))])
def test_the_help_that_was_used_survives(help: UsedHelp) -> None:
    record = table_game(max_turns=2)
    assert record.proof
    assert parse_record(str(record)).proof == replace(record.proof, help=None)
    record = with_proof(record, help=help)
    assert parse_record(str(record)) == record
    assert f"  help: {help}\n  turn 0: " in str(record)


@pytest.mark.parametrize(
    ("line", "kind", "sentence"),
    [
        ("everything", MalformedError, "line 23: help 'everything': want one of none, after, tutor, always, and"),
        ("tutor, seat 0 asked 0 changed 0", MalformedError, "line 23: help 'tutor, seat 0 asked 0"),
        ("tutor, seat 0 asked 1 changed 0, seat 0 asked 1 changed 0", MalformedError, "line 23: .* ascending order"),
        ("tutor, seat 0 asked 1 changed 2", IllegalError, "line 23: .* want no more changed than asked"),
        ("tutor, seat 2 asked 1 changed 0", IllegalError, "line 23: .* the seats are 0 to 1"),
        ("tutor, seat 1 asked 1 changed 0", IllegalError, "line 14: .* this is greedy, and the tutor asks only people"),
    ],
)
def test_invalid_help_is_refused_with_line_and_reason(line: str, kind: type[ValueError], sentence: str) -> None:
    with pytest.raises(kind, match=sentence):
        parse_record(GOOD.replace("  turn 0: ", f"  help: {line}\n  turn 0: "))


def test_a_further_step_removes_the_proof() -> None:
    record = table_game(max_turns=0)
    assert record.proof
    assert record.play(Score("chance")).proof is None
    assert record.play(Score("chance")).roll((1, 1, 1, 1, 1)).proof is None


def test_the_secret_is_not_in_the_repr() -> None:
    record = table_game(max_turns=0)
    assert TABLE_DICE.secret.hex() in str(record)
    assert TABLE_DICE.secret.hex() not in repr(record)
    assert repr(TABLE_DICE.secret) not in repr(record)


GOOD = str(table_game(opening="highest_roll", max_turns=2, seed=5))
GOOD_UNDONE = str(with_proof(table_game(max_turns=2, seed=5), undone=(UndoneTurn(0, Score("threes")),)))
FAULTS = [
    ("  scheme: fivedice dice 1", "  scheme: fivedice dice 2", UnknownError, "line 15: there is no scheme"),
    ("  scheme: fivedice dice 1\n", "", MalformedError, "line 15: want 'scheme: …', found 'table: k7Qm2x'"),
    ("table: k7Qm2x", "table: k7 Qm2x", MalformedError, "line 16: table 'k7 Qm2x': want 1 to 64"),
    (f"commitment: {HEX}", "commitment: 630d", MalformedError, "line 17: commitment '630d': want 64 digits"),
    ("faces: 6", "faces: 1", MalformedError, "line 18: faces '1': want 2 to 20"),  # who begins would be rolled for ever
    ("faces: 6", "faces: 8", IllegalError, "line 14: the proof is of dice with 8 faces, but the game has 6"),
    ("opening: highest_roll", "opening: oldest", UnknownError, "line 19: there is no opening 'oldest'"),
    ("nonce: seat 0 5f3a", "nonce: 5f3a", MalformedError, "line 20: nonce '5f3a': want 'seat N HEX'"),
    ("nonce: seat 0 5f3a", "nonce: seat 2 5f3a", IllegalError, "line 20: nonce 'seat 2 5f3a': the seats are 0 to 1"),
    ("nonce: seat 0 5f3a", "\n".join(["nonce: seat 0 5f3a"] * 64), IllegalError, "line 84: 65 nonces"),
    ("secret: 0001", "secret: 001", MalformedError, "line 22: this is not a secret: want 64 digits"),
    ("turn 0: ", "turn 1: ", MalformedError, "line 23: want 'turn 0: …', found 'turn 1: "),
    (GOOD[-9:], f"{GOOD[-9:]}  turn 3: 11111\n", MalformedError, "line 26: 'turn 3: 11111' comes after the end of the"),
    ("turn 1: ", "turn one: ", MalformedError, "line 24: want 'turn 1: …'"),
]


@pytest.mark.parametrize(("old", "new", "kind", "sentence"), FAULTS)
def test_an_invalid_proof_is_refused_with_line_and_reason(
    old: str, new: str, kind: type[ValueError], sentence: str
) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(kind, match=sentence):
        parse_record(GOOD.replace(old, new))


def test_dice_that_contradict_a_turn_are_refused_with_their_line() -> None:
    *head, last = GOOD.splitlines()
    with pytest.raises(IllegalError, match=f"line {len(head) + 1}: the roll .* is not that of '"):
        parse_record("\n".join([*head, f"{last[:-1]}{int(last[-1]) % 6 + 1}"]))


def test_a_proof_with_fewer_turns_is_refused() -> None:
    record = table_game(max_turns=1)
    with pytest.raises(IllegalError, match="the proof has 0 turns, but the game 2"):
        record.with_proof(RecordProof("t", HEX, 6))


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


def test_verification_needs_a_proof_with_its_secret() -> None:
    record = table_game(max_turns=0)
    with pytest.raises(UnknownError, match="the record carries no proof"):
        verify_record(replace(record, proof=None))
    with pytest.raises(
        IllegalError, match=r"the secret of table k7Qm2x is not revealed yet: .* no later than 30 days after"
    ):
        verify_record(with_proof(record, secret=None))
