"""Notation: positions and actions as one line of text, parsed and formatted without loss."""

import pytest

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.game.action import Action, Keep, Score
from fivedice.game.notation import parse_action, parse_position
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.testing import TINY

WILD = "yahtzee_wild[first_yahtzee=in_box]"
YAMB = load_ruleset("yamb")
ONLY_ANNOUNCED = "yamb " + ",".join(
    f"{box.id}={min(YAMB.attainable(box.category))}" for box in YAMB.boxes if box.column < 3
)
"""Only boxes that must be announced are open."""


@pytest.mark.parametrize(
    "text",
    [
        "yahtzee ones=3/-/- @1 33456 r2",
        "tiny_saved ones=2,saved=1/twos=0 12 r2",
        "tiny_first_roll pair=8,won=1/- @1 - r3",
        "tiny_columns ones_down=2,chance_double=6/ones_down=0 @1 - r3",
        "yahtzee[voluntary_zero=true] chance=0 33456 r2",
        "generala poker=45 33456 r2",
        "yahtzee ones=0,yahtzee=0 33456 r2",
        "yahtzee_plain[joker=free] full_house=25 33456 r2",
        "triple_yahtzee chance_x3=30 33456 r2",
        "yams superior=0,inferior=21 - r3",
        "yams[equal=allowed] superior=20,inferior=20 - r3",
    ],
)
def test_a_line_survives_with_any_seat_to_move_and_every_number_that_a_box_can_hold(text: str) -> None:
    assert str(parse_position(text, TINY.get(text.split()[0]))) == text


@pytest.mark.parametrize(
    ("short", "line"),
    [
        ("33456", "yahtzee - 33456 r2"),
        ("65433 r0", "yahtzee - 33456 r0"),
        ("crag", "crag - - r2"),
        ("crag 631", "crag - 136 r1"),
        ("yatzy ones=3 22256", "yatzy ones=3 22256 r2"),
        ("crag ones=1/- @1 136", "crag ones=1/- @1 136 r1"),
        ("  yahtzee   -  33456\tr2\n", "yahtzee - 33456 r2"),
        ("yahtzee -/- @0 - r3", "yahtzee -/- - r3"),
        ("yahtzee[joker=forced,rolls=3] - - r3", "yahtzee - - r3"),
        ("yahtzee[rolls=4,joker=free] - - r4", "yahtzee[joker=free,rolls=4] - - r4"),
    ],
)
def test_what_is_missing_is_that_of_a_new_game_and_what_says_nothing_is_dropped(short: str, line: str) -> None:
    assert str(parse_position(short)) == line


@pytest.mark.parametrize(
    ("text", "kind", "fragment"),
    [
        ("", MalformedError, "want RULESET CARD[/CARD…] [@SEAT] DICE rN, as in 'yahtzee - 33456 r2'"),
        ("33456 r2 r2", MalformedError, "want RULESET CARD"),
        ("yatzhee - 33456 r2", UnknownError, "there is no ruleset 'yatzhee': did you mean 'yahtzee'?"),
        ("yahtzee ones 33456 r2", MalformedError, "card entry 'ones': want category=points"),
        ("yahtzee ones=03 33456 r2", MalformedError, "number '03' in 'ones=03': want a whole number without leading"),
        ("yahtzee yahtzee=50,+0 33456 r2", MalformedError, "card entry '+0': want it once, with a number from 1"),
        ("yahtzee ones=3,ones=3 33456 r2", MalformedError, "card entry 'ones=3': the box ones occurs twice"),
        ("yahtzee pair=3 33456 r2", UnknownError, "yahtzee has no box 'pair': known: ones, twos,"),
        ("yahtzee ones=6 33456 r2", IllegalError, "ones=6: Ones can hold 0, 1, 2, 3, 4, 5"),
        ("yahtzee chance=0 33456 r2", IllegalError, "chance=0: Chance can hold 5, 6, 7, 8, …, 30, since every roll"),
        ("triple_yahtzee chance_x3=90 33456 r2", IllegalError, "chance_x3=90: Chance ×3 can hold 5, 6,"),
        ("generala[rolls=1] poker=40 33456 r0", IllegalError, "poker=40: Poker can hold 0, 45"),
        ("yahtzee[rounds=1] ones=3,twos=4 - r3", IllegalError, "2 of 13 boxes are filled; yahtzee[rounds=1] fills 1"),
        ("yahtzee[order=down] twos=4 - r3", IllegalError, "the boxes of this column are filled down"),
        ("yahtzee won=1 - r3", IllegalError, "won=1: want won=1 beside a box that wins on the first roll"),
        ("yahtzee saved=1 - r4", IllegalError, "saved=1: yahtzee carries no rolls forward"),
        ("yahtzee[saved_rolls=true] saved=1 - r4", IllegalError, "saved=1: at most 0 while 0 of 13 boxes are filled"),
        ("yahtzee[saved_rolls=true] ones=3,saved=3 - r6", IllegalError, "saved=3: at most 2 while 1 of 13 boxes are"),
        ("yahtzee_plain ones=3,yahtzee=50,+1 - r3", IllegalError, "+1: yahtzee_plain has no extra bonus"),
        ("yahtzee ones=3,+1 - r3", IllegalError, "+1: the bonus is earned only while the yahtzee box holds points"),
        ("kniffel[second_kniffel=joker] ones=3,+1 - r3", IllegalError, "only while the yahtzee box is filled"),
        ("yahtzee ones=3,yahtzee=50,+2 - r3", IllegalError, "+2: at most 1 while 2 of 13 boxes are filled"),
        ("yahtzee -/-/-/-/-/-/-/-/-/-/-/-/- - r3", MalformedError, "13 cards: a game has 1 to 12 seats"),
        ("yahtzee -/- @2 - r3", MalformedError, "@2: the seats are 0 to 1"),
        ("yahtzee -/- @-1 - r3", MalformedError, "seat '-1'"),
        ("yahtzee ones=3/- - r3", IllegalError, "seat 0 cannot be to move: the cards have 1, 0 boxes filled"),
        ("yahtzee -/ones=3,twos=4 - r3", IllegalError, "seat 0 cannot be to move: the cards have 0, 2 boxes filled"),
        ("yahtzee resigned,resigned/-/- @1 - r3", MalformedError, "card entry 'resigned'"),
        ("yahtzee resigned=1/-/- @1 - r3", UnknownError, "yahtzee has no box 'resigned'"),
        ("yahtzee Resigned/-/- @1 - r3", MalformedError, "card entry 'Resigned'"),
        ("yahtzee resigned/- 33456 r2", IllegalError, "seat 0 cannot be to move: it has resigned"),
        ("yahtzee resigned/resigned - r3", IllegalError, "the last of several seats has won"),
        ("yahtzee resigned/- @1 33456 r2", IllegalError, "the game is over, so the dice are -"),
        ("yahtzee ones=1,twos=2,resigned/-/- @1 - r3", IllegalError, "seat 1 cannot be to move"),
        ("yahtzee -/ones=1,resigned/-/- - r3", IllegalError, "seat 0 cannot be to move"),
        ("tiny_first_roll pair=8,won=1,resigned/- @1 - r3", IllegalError, "won=1"),
        ("tiny_first_roll pair=8,won=1,resigned - r3", IllegalError, "won=1"),
        ("yahtzee sixes=30,elsewhere=1 - r3", IllegalError, "does not ask"),
        (f"{WILD} elsewhere=1 - r3", IllegalError, "elsewhere=1: want elsewhere=1 beside a box that equal dice can"),
        (f"{WILD} sixes=18,elsewhere=1 - r3", IllegalError, "elsewhere=1: want"),
        (f"{WILD} sixes=30,elsewhere=2 - r3", IllegalError, "elsewhere=2: want"),
        (f"{WILD} sixes=30,yahtzee=50,elsewhere=1,+1 - r3", IllegalError, "no bonus is earned after the first equal"),
        ("yams superior=20,inferior=20 - r3", IllegalError, "superior=20: yams does not allow it beside inferior=20"),
        ("yams superior=20,inferior=21 - r3", IllegalError, "superior=20: yams does not allow it beside inferior=21"),
        ("yams superior=0 - r3", IllegalError, "superior=0: every roll scores there, unless the points of inferior"),
        ("yams superior=0,inferior=0 - r3", IllegalError, "superior=0: every roll scores there"),
        ("generala[double=true] generala=0,double_generala=100 - r3", IllegalError, "scores only after generala has"),
        ("yamb announced=ones_free 33345 r2", IllegalError, "want an open box that can be announced"),
        ("yamb announced=ones_announced - r3", IllegalError, "only the seat to move announces, after its first roll"),
        ("yamb announced=ones_announced/- @1 33345 r2", IllegalError, "only the seat to move announces"),
        ("yamb announced=ones_announced,announced=twos_announced 33345 r2", MalformedError, "want it once"),
        ("yamb announced=one 33345 r2", UnknownError, "yamb has no box 'one'"),
        (f"{ONLY_ANNOUNCED} 33345 r1", IllegalError, "a box was announced after the first roll; write announced=BOX"),
        ("yahtzee - 33456 2", MalformedError, "rolls left '2': write r and a number, as in r2"),
        ("yahtzee - 65433 r2", MalformedError, "dice '65433' are not in ascending order: write '33456'"),
        ("yahtzee - 3345x r2", MalformedError, "dice '3345x': write the faces as digits"),
        ("yahtzee - 3345 r2", IllegalError, "dice '3345': yahtzee has 5 dice with faces 1 to 6"),
        ("yahtzee - 33456 r3", IllegalError, "r3: after a roll it is r0 to r2"),
        ("yahtzee - - r2", IllegalError, "r2: before the first roll it is r3"),
        ("yahtzee[rounds=1] ones=3 33456 r2", IllegalError, "dice 33456: the game is over, so the dice are -"),
        ("tiny_first_roll twos=2,won=1/- @1 - r3", IllegalError, "want won=1 beside a box that wins on the first roll"),
        (
            "tiny_first_roll pair=8/pair=8,won=1 @1 - r3",
            IllegalError,
            "the seat that won is the last to have moved, seat 0",
        ),
        ("tiny_first_roll pair=8,won=1/pair=8,won=1 - r3", IllegalError, "the last to have moved, seat 1"),
        ("tiny_first_roll pair=8,won=1/- @1 12 r2", IllegalError, "dice 12: the game is over, so the dice are -"),
    ],
)
def test_an_invalid_position_is_refused_with_the_reason(text: str, kind: type[ValueError], fragment: str) -> None:
    with pytest.raises(kind) as caught:
        parse_position(text, TINY.get(text.split(" ")[0]))
    assert fragment in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_given_ruleset_must_match_the_name_in_the_line() -> None:
    assert parse_position("tiny_saved - - r2", TINY["tiny_saved"]).ruleset is TINY["tiny_saved"]
    with pytest.raises(IllegalError, match=r"is of 'yahtzee', not of tiny_saved"):
        parse_position("yahtzee - - r3", TINY["tiny_saved"])


def test_actions_are_keeps_and_scores_as_text() -> None:
    actions: list[Action] = [Keep((3, 3)), Keep((5, 3, 3)), Keep(()), Score("ones"), Score("ones", is_scratch=True)]
    texts = ["keep 33", "keep 335", "keep -", "score ones", "scratch ones"]
    assert [parse_action(text) for text in texts] == actions
    assert list(map(str, actions)) == texts
    assert parse_action("  keep   33 ") == Keep((3, 3))


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("", "action '': want keep DIGITS, keep -, score BOX, scratch BOX or announce BOX"),
        ("Keep 33", "action 'Keep 33': want"),
        ("keep 3 3", "dice '3 3': write the faces as digits"),
        ("keep 53", "dice '53' are not in ascending order: write '35'"),
        ("score full house", "action 'score full house': want"),
        ("score Ones", "action 'score Ones': want"),
        ("score " + "a" * 82, "action 'score aaaa"),
    ],
)
def test_an_invalid_action_is_malformed(text: str, fragment: str) -> None:
    with pytest.raises(MalformedError) as caught:
        parse_action(text)
    assert fragment in str(caught.value)


def test_a_ruleset_from_a_file_is_called_by_its_path_and_faces_from_10_on_are_letters() -> None:
    run = 'run = { scorer = "straight", faces = ["9ab"], pays = 7 }'
    ruleset = parse_ruleset(
        f'id = "mine"\ndice = 3\nfaces = 12\n[categories]\ntwelves = {{ scorer = "sum_of_face", face = 12 }}\n{run}',
        ref="rules/mine.toml",
    ).but(rolls=2)
    line = "rules/mine.toml[rolls=2] twelves=24 9ab r1"
    position = parse_position(line, ruleset)
    assert (position.ruleset, position.dice, str(position)) == (ruleset, (9, 10, 11), line)
    assert [offer.points for offer in position.offers()] == [7]
    assert parse_action("keep ab") == Keep((10, 11))
    with pytest.raises(MalformedError, match="not in ascending order: write '9a'"):
        parse_action("keep a9")
    with pytest.raises(IllegalError, match="faces 1 to 12"):
        parse_position(line.replace("ab", "ad"), ruleset)
