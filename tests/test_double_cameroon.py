"""Rules in which each turn divides its dice between two boxes."""

import pytest

from fivedice.analysis.odds.odds import odds
from fivedice.base.errors import IllegalError, MalformedError
from fivedice.base.language import language
from fivedice.game.action import Announce, Keep, Score
from fivedice.game.notation import parse_position
from fivedice.game.record import Record, parse_record
from fivedice.game.seats import Seat
from fivedice.game.wording import doing, filled_names
from fivedice.players import Greedy
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.explanation.boxes import box_title
from fivedice.solver.solve import TooLargeError, solve
from fivedice.testing import TINY_TURNS

TEXT = """
id = "two"
dice = 2
boxes_per_turn = 2
[categories]
ones = { scorer = "sum_of_face", face = 1 }
any = { scorer = "any_dice" }
"""


def test_a_record_has_the_first_box_after_the_last_roll() -> None:
    record = Record.start(load_ruleset("double_cameroon"), (Seat("Ann", "human"),), "2026-11-22T10:00:00+00:00")
    record = record.roll((2, 3, 4, 5, 5, 6, 6, 6, 6, 6)).play(Keep((2, 3, 4, 5, 6, 6, 6, 6, 6)), (6,))
    record = record.play(Announce("large_cameroon")).play(Score("five_of_a_kind"))
    line = "0: 2345566666, keep 234566666, 2345666666, announce large_cameroon, score five_of_a_kind = 80"
    assert line in str(record).splitlines()
    assert parse_record(str(record)) == record
    assert [(str(position), str(action)) for _, position, action in record.decisions()][1:] == [
        ("double_cameroon - 2345666666 r1", "announce large_cameroon"),
        ("double_cameroon announced=large_cameroon 2345666666 r0", "score five_of_a_kind"),
    ]
    assert filled_names(record.ruleset, record.turns[0]) == "Large Cameroon and Five of a Kind"
    assert str(record.position) == "double_cameroon large_cameroon=30,five_of_a_kind=50 - r3"


@pytest.mark.parametrize(
    ("line", "action", "why"),
    [
        ("- 2345666666 r1", "score ones", "announce the first of two boxes before the second"),
        ("announced=ones 2345666666 r0", "score ones", "this turn fills it already"),
        ("announced=ones 2345666666 r0", "keep 6", "no roll is left"),
        ("announced=ones 2345666666 r0", "announce twos", "Ones is announced already"),
    ],
)
def test_what_a_turn_of_two_boxes_does_not_allow_has_a_reason(line: str, action: str, why: str) -> None:
    with pytest.raises(IllegalError, match=why):
        parse_position(f"double_cameroon {line}").play(action)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("ones=1 - r3", "each turn of double_cameroon fills 2"),
        ("announced=ones 2345666666 r1", "no roll is left once ones is announced; write r0"),
    ],
)
def test_impossible_positions_are_refused_with_a_reason(line: str, why: str) -> None:
    with pytest.raises(IllegalError, match=why):
        parse_position(f"double_cameroon {line}")


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ("dice = 3", "want an even number, since each turn divides the dice between two boxes"),
        ('upper_bonus = "5@1"', "such as upper_bonus"),
        ('order = "down"', "such as columns"),
        ("voluntary_zero = true", "such as voluntary_zero"),
        ('drop = ["any"]', "want at most the boxes of the card, 1"),
    ],
)
def test_rules_for_which_the_division_would_matter_are_refused(keys: str, why: str) -> None:
    text = TEXT.replace("dice = 2\n", "") if keys.startswith("dice") else TEXT
    if keys.startswith("drop"):
        text, keys = text.replace('any = { scorer = "any_dice" }\n', ""), ""
    with pytest.raises(MalformedError, match=why):
        parse_ruleset(text.replace("boxes_per_turn", f"{keys}\nboxes_per_turn"))


def test_a_greedy_player_takes_the_two_boxes_with_the_most_points() -> None:
    position = parse_position("double_cameroon - 2345666666 r0")
    position = position.play(Greedy().choose(position))
    assert position.card.announced == "large_cameroon"
    assert Greedy().choose(position) == Score("five_of_a_kind")
    assert doing(position, Score("five_of_a_kind")) == "scoring 80 in Large Cameroon and Five of a Kind"


def test_chances_are_refused_in_one_sentence() -> None:
    solution = solve(TINY_TURNS["tiny_two_boxes"])
    with pytest.raises(
        TooLargeError, match="tiny_two_boxes has two boxes a turn: it has no more than values, advice and reviews"
    ):
        odds(solution, parse_position("tiny_two_boxes -/- - r2", solution.ruleset))


def test_a_column_whose_name_is_a_symbol_is_named_by_how_it_is_filled() -> None:
    yamb = load_ruleset("yamb")
    assert box_title(yamb, "sixes_announced", language("de")) == "Sechser (angesagt)"
    assert box_title(yamb, "sixes_up", language("sv")) == "Sexor (uppåt)"
