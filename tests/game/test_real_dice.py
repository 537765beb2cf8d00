"""Records of real dice: they say so, may lack rolls, and prove nothing."""

import pytest

from fivedice.base.errors import UnknownError
from fivedice.game.position import Position
from fivedice.game.record import parse_game, parse_record
from fivedice.game.record_lines import read_lines
from fivedice.game.record_outline import outline_of
from fivedice.game.verification import verify_record
from fivedice.rulesets import load_ruleset
from fivedice.views.record_check import record_check_view
from tests.game.record_grammar import first_bad_line

RECORD = """fivedice record 1
ruleset: yahtzee
options: -
digest: 423d5fcbe6c00ba5
seats: Ann=human,Ben=human
first: 0
date: 2026-11-21T10:00:00+00:00
result: 9 18, unfinished
dice: real

0: 33456, keep 33, 13336, score threes = 9
1: -, -, 12666, score sixes = 18
0: -, 12345
"""


def test_a_record_of_real_dice_round_trips_and_follows_the_documented_grammar() -> None:
    record = parse_record(RECORD)
    assert (record.dice, str(record)) == ("real", RECORD)
    assert str(record.position) == "yahtzee threes=9/sixes=18 12345 r1"
    assert [str(position) for number, position, _ in record.decisions() if number] == [
        "yahtzee threes=9/- @1 12666 r0",
        "yahtzee threes=9/sixes=18 12345 r1",
    ]
    assert first_bad_line(RECORD) is None
    assert read_lines(RECORD).turns[1].rolls == ((1, 2, 6, 6, 6),)
    assert record_check_view(RECORD, load_ruleset).ok


def test_a_record_of_real_dice_has_nothing_to_verify() -> None:
    with pytest.raises(UnknownError, match="real dice, entered by hand: there is nothing to verify"):
        verify_record(RECORD)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("dice: real\n", "", "line 11: only rolls of real dice can be missing"),
        ("-, -, 12666", "-, -, -, 12666", "line 12: 3 rolls are missing before the first known one: want at most 2"),
        ("-, 12345", "-", "line 13: .*dice"),
        ("dice: real", "dice: loaded", "line 9"),
    ],
)
def test_a_damaged_record_of_real_dice_is_refused_with_its_line(old: str, new: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_game(RECORD.replace(old, new, 1))


def test_the_same_unfinished_game_goes_on_in_a_longer_record() -> None:
    shorter = RECORD.replace("0: -, 12345\n", "")
    assert outline_of(RECORD).continues(outline_of(shorter))
    at_table = RECORD.replace("dice: real", "dice: real, table k7Qm2x")
    assert (parse_record(at_table).table, str(parse_record(at_table))) == ("k7Qm2x", at_table)
    assert outline_of(at_table).table == "k7Qm2x"


def test_no_roll_is_missing_where_a_box_must_be_announced_or_dice_lie() -> None:
    start = Position.start("yahtzee")
    assert start.most_missing == 2
    assert str(start.roll("33456", missing=1)) == "yahtzee - 33456 r1"
    assert start.roll("33456").most_missing == 0
    yamb = load_ruleset("yamb")
    others = [index for index in range(len(yamb.boxes)) if index not in yamb.announceable_boxes]
    card = ",".join(f"{yamb.boxes[index].id}={min(yamb.attainable_by_box[index])}" for index in others)
    last = Position.parse(f"{yamb} {card} - r3")
    assert last.card.must_announce
    assert last.most_missing == 0
