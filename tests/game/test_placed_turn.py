"""The dice of a table and their places: the documented test vectors, exact uniformity, and what affects a die; the
text of turns in place order, and contradictions within it or with the record's turn."""

import hmac
import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import chain, islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.game.action import Keep
from fivedice.game.placed_turn import PlacedRoll, PlacedTurn, parse_placed_turn, places_of
from fivedice.game.proof import MAX_NONCES, TableDice, check_nonce, check_table, face_from
from fivedice.game.turn import Turn
from tests.repository import ROOT

TEXT = "31435, keep 3__3_, 36332, keep _____, 11111"


def faces(digits: str) -> tuple[int, ...]:
    return tuple(map(int, digits))


@pytest.mark.parametrize(
    ("text", "kind", "sentence"),
    [
        ("", MalformedError, "want the faces in place order"),
        ("31435, keep 3__3_", MalformedError, "want the faces in place order"),
        ("31435, keep 3__3_, 36332, 36332", MalformedError, "want the faces in place order"),
        ("31435, keep 3__3, 36332", MalformedError, "5 dice, but 4 places"),
        ("31435, keep 3__3_, 3633", MalformedError, "4 dice, but 5 places"),
        ("31435, keep 3__3, 3633", IllegalError, "5 dice became 4"),
        ("31435, keep 3__3_, 36342", IllegalError, "the die at place 3 was kept as 3, but shows 4 after the roll"),
        ("31435, keep 4__3_, 36332", IllegalError, "the dice that were kept come to '31435, keep 3__3_, 36332'"),
    ],
)
def test_an_inconsistent_text_is_refused(text: str, kind: type[ValueError], sentence: str) -> None:
    with pytest.raises(kind, match=sentence):
        parse_placed_turn(text)


def test_a_roll_has_a_mark_for_every_die_and_the_first_keeps_none() -> None:
    with pytest.raises(MalformedError, match="2 dice, but 1 places kept or not: want one for each die"):
        PlacedRoll((1, 2), (True,))
    with pytest.raises(IllegalError, match="nothing can be kept before the first roll"):
        PlacedTurn((PlacedRoll((1, 2), (True, False)),))


@pytest.mark.parametrize(
    ("rolls", "keeps", "sentence"),
    [
        (["13345", "23336"], ["33"], "3 rolls in places, but 2 in '0: 13345, keep 33, 23336'"),
        (["13345", "23336", "11112"], ["33", ""], "the roll 11111 is not that of"),
        (["13346", "23336", "11111"], ["33", ""], "the roll 31435 is not that of"),
        (["13345", "23336", "11111"], ["3", ""], "keep 33 in places is not 'keep 3' of"),
    ],
)
def test_places_that_contradict_the_turn_are_refused(rolls: list[str], keeps: list[str], sentence: str) -> None:
    turn = Turn(0, tuple(map(faces, rolls)), tuple(Keep(faces(keep)) for keep in keeps))
    with pytest.raises(IllegalError, match=sentence):
        parse_placed_turn(TEXT).check(turn)


def marks(text: str) -> tuple[bool, ...]:
    return tuple(mark == "x" for mark in text)


@pytest.mark.parametrize(
    ("keep", "places", "kept", "expected"),
    [
        ((3, 3), "33436", ".....", "xx..."),
        ((3, 3), "33436", ".x.x.", ".x.x."),  # kept dice stay in their places
        ((3, 3), "33436", "...x.", "x..x."),
        ((3, 6), "33436", "..xx.", "...xx"),
        ((), "33436", "xxxxx", "....."),
        ((3, 3, 3, 4, 6), "33436", ".....", "xxxxx"),
    ],
)
def test_a_keep_prefers_dice_that_were_kept_before(
    keep: tuple[int, ...], places: str, kept: str, expected: str
) -> None:
    assert places_of(Keep(keep), tuple(map(int, places)), marks(kept)) == marks(expected)


@given(st.lists(st.tuples(st.integers(1, 6), st.booleans(), st.booleans()), max_size=8))
def test_a_keep_marks_exactly_its_dice(dice: list[tuple[int, bool, bool]]) -> None:
    places, kept = tuple(die for die, _, _ in dice), [is_kept for _, is_kept, _ in dice]
    keep = Keep(tuple(die for die, _, is_wanted in dice if is_wanted))
    found = places_of(keep, places, kept)
    assert Keep(tuple(die for die, is_marked in zip(places, found, strict=True) if is_marked)) == keep
    with pytest.raises(IllegalError, match=r"keep 9: the roll .* does not contain 9"):
        places_of(Keep((9,)), places)


def test_faces_from_10_on_are_letters() -> None:
    turn = PlacedTurn.start((10, 3, 20)).roll((10, 9, 11), (True, False, False))
    assert str(turn) == "a3k, keep a__, a9b"
    assert parse_placed_turn(str(turn)) == turn


PAGE = (ROOT / "docs" / "fair-dice.md").read_text(encoding="utf-8")
VECTORS: list[dict[str, Any]] = [
    vector for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL) for vector in json.loads(block)
]
SECRET = bytes(range(32))


def table_dice(vector: dict[str, Any]) -> TableDice:
    return TableDice(bytes.fromhex(vector["secret"]), vector["table"], tuple(vector["nonces"]))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["table"])
def test_every_test_vector_is_reproduced(vector: dict[str, Any]) -> None:
    dice = table_dice(vector)
    assert dice.commitment == vector["commitment"]
    for turn, roll, faces, expected in vector["rolls"]:
        assert list(dice.dice(turn, roll, len(expected), faces)) == expected
    opening = dice.opening()
    assert [[faces, opening(faces)] for faces, _ in vector["opening"]] == vector["opening"]


def test_the_message_on_the_page_has_the_digest_of_the_vectors() -> None:
    message = re.search(r"```\n(fivedice dice 1\n.*?)\n```", PAGE, re.DOTALL)
    assert message
    vector = VECTORS[0]
    digest = hmac.digest(bytes.fromhex(vector["secret"]), message[1].encode(), "sha256")
    assert digest.hex() == vector["digest"]
    assert table_dice(vector).die(4, 0, 2, 6) == face_from(digest, 6)


@pytest.mark.parametrize("faces", [*range(1, 13), 255, 256])
def test_every_face_comes_from_equally_many_bytes_and_the_others_are_skipped(faces: int) -> None:
    used, left_over = range(256 - 256 % faces), range(256 - 256 % faces, 256)
    assert len(left_over) < faces
    made = Counter(face_from([*left_over, byte], faces) for byte in used)
    assert made == dict.fromkeys(range(1, faces + 1), 256 // faces)
    assert [face_from([byte], faces) for byte in used] == [byte % faces + 1 for byte in used]


def test_the_next_draw_is_used_if_all_bytes_are_skipped() -> None:
    stream = TableDice(SECRET, "t")._bytes("turn 0", "roll 0", "die 0")
    head = "fivedice dice 1\ntable t\nturn 0\nroll 0\ndie 0\ndraw"
    expected = b"".join(hmac.digest(SECRET, f"{head} {draw}".encode(), "sha256") for draw in range(3))
    assert bytes(islice(stream, 96)) == expected
    assert face_from(chain(b"\xff" * 32, expected), 6) == face_from(expected, 6)


DIE = TableDice(SECRET, "t").die
AMBIGUOUS_NONCES = ("", "5f", "seat 5f", "seat 00 5f", "seat 0 5F", "seat 0 5f\n", "guest 0 5f", "seat 0 ", "seat ١ 5f")


def test_the_secret_is_not_in_the_repr() -> None:
    text = repr(TableDice(SECRET, "t", ("seat 0 5f",)))
    assert text == "TableDice(table='t', nonces=('seat 0 5f',))"


@pytest.mark.parametrize(
    ("make", "value", "why"),
    [
        *((lambda secret: TableDice(secret, "t"), b"x" * size, f"{size} bytes: want 32") for size in (0, 31, 33)),
        *((check_table, table, "want 1 to 64 of the characters") for table in ("", "a b", "t\n", "tä", "x" * 65)),
        *((check_nonce, nonce, "want 'seat N HEX' or 'watcher N HEX'") for nonce in AMBIGUOUS_NONCES),
        *((lambda at: DIE(*at), at, "-1: turns, rolls") for at in ((-1, 0, 0, 6), (0, -1, 0, 6), (0, 0, -1, 6))),
        *((lambda faces: DIE(0, 0, 0, faces), faces, f"of {faces} faces: want 1 to 256") for faces in (0, 257)),
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(make: Callable[[Any], object], value: object, why: str) -> None:
    with pytest.raises(MalformedError, match=why):
        make(value)


def test_the_number_of_nonces_is_limited() -> None:
    nonces = ("watcher 0 00",) * MAX_NONCES
    assert TableDice(SECRET, "t", nonces).nonces == nonces
    with pytest.raises(IllegalError, match="65 nonces: a table takes 64 at most"):
        TableDice(SECRET, "t", (*nonces, "seat 0 00"))
