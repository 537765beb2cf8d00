"""Turns, seats, who begins, the end of a game, and an editor of positions, which sets one part and keeps the others."""

from collections.abc import Callable, Iterable
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.game.action import Keep, Score
from fivedice.game.changed import CardEntries, changed
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.position import Position
from fivedice.game.seats import choose_opening
from fivedice.rulesets import load_ruleset, parse_ruleset, ruleset_ids
from fivedice.rulesets.dice import parse_dice
from fivedice.testing import TINY, playthrough, positions
from tests.amount import amount

YAHTZEE = load_ruleset("yahtzee")

CHANCE = parse_ruleset('id = "c"\ndice = 2\nfaces = 3\n[categories]\nchance = { scorer = "any_dice" }', ref="c")


def played(position: Position, line: str) -> Position:
    """The position after `12 keep 2 3 score pair`: rolls, keeps with the dice rolled beside them, and scores."""
    words = iter(line.split())
    for word in words:
        if word == "keep":
            keep = Keep(parse_dice(next(words)))
            position = position.play(keep, tuple(map(int, next(words).strip("-"))))
        elif word in ("score", "scratch"):
            position = position.play(parse_action(f"{word} {next(words)}"))
        else:
            position = position.roll(parse_dice(word))
    return position


@pytest.mark.parametrize(
    ("start", "moves", "after"),
    [
        ("yahtzee - - r3", "33456 keep 33 111 keep 111 66", "yahtzee - 11166 r0"),
        ("yahtzee - - r3", "12345 keep 12345 -", "yahtzee - 12345 r1"),
        ("tiny_saved - - r2", "11 score ones", "tiny_saved ones=2,saved=1 - r3"),
        ("tiny_saved ones=2,saved=1 - r3", "22 score twos", "tiny_saved ones=2,twos=4,saved=2 - r4"),
        ("tiny_saved ones=2,saved=1 12 r2", "keep 2 1 keep 2 1", "tiny_saved ones=2,saved=1 12 r0"),
        ("tiny_saved -/- - r2", "11 score ones 12 keep 1 1 score ones", "tiny_saved ones=2,saved=1/ones=2 - r3"),
    ],
)
def test_rolls_keeps_and_scores_use_up_or_save_the_rolls_of_a_turn(start: str, moves: str, after: str) -> None:
    ruleset = TINY.get(start.split()[0])
    assert str(played(parse_position(start, ruleset), moves)) == after


def test_after_the_last_turn_nothing_is_legal() -> None:
    position = played(Position.start(CHANCE), "12 score chance")
    assert (position.actions(), position.offers(), position.keeps()) == ([], [], [])
    with pytest.raises(IllegalError, match="the game is over: there is nothing to roll"):
        position.roll((1, 2))
    for text in ("keep -", "score chance"):
        with pytest.raises(IllegalError, match=f"^{text} is not legal in c chance=3 - r3: the game is over$"):
            position.play(parse_action(text))


NEW = Position.start(YAHTZEE)
KEPT = "33456 keep 33"
DICE = "want 5 dice with faces from 1 to 6"


@pytest.mark.parametrize(
    ("act", "why"),
    [
        *((partial(Position.start, YAHTZEE, num), f"{num} seats: a game has 1 to 12") for num in (-1, 0, 13)),
        *(
            (partial(Position.start, YAHTZEE, 2, seat), f"seat {seat} cannot begin: the seats are 0 to 1")
            for seat in (-1, 2)
        ),
        *((partial(played, NEW, dice), f"rolled {dice}: {DICE}") for dice in ("-", "1234", "123456", "12347")),
        *(
            (partial(played, NEW, f"{KEPT} {dice}"), f"rolled {dice}: want 3")
            for dice in ("-", "12", "1234", "117", "012")
        ),
        (partial(played, NEW, "33456 12345"), "33456 is already rolled: choose what to keep, or a box"),
        (lambda: NEW.roll("33456").play(Score("chance"), (1,)), "score chance: no dice are rolled with it"),
        (lambda: Position.start("yahtzee", 2).resign(2), "there is no seat 2: the seats are 0 to 1"),
        (lambda: Position.start("yahtzee", 2).resign(-1), "there is no seat -1"),
        (lambda: Position.start("yahtzee", 3).resign(1).resign(1), "seat 1 has resigned already"),
        (lambda: Position.start("yahtzee", 2).resign(1).resign(0), "the game is over"),
        (lambda: Position.start("yahtzee", 2).resign(1).roll("33456"), "the game is over"),
        (lambda: choose_opening("oldest", 5, 6, 2, scripted([])), "no way 'oldest' .* first, random, highest_roll"),
    ],
)
def test_what_cannot_be_rolled_begun_or_given_up_is_refused(act: Callable[[], object], why: str) -> None:
    with pytest.raises((IllegalError, MalformedError, UnknownError), match=why):
        act()


def test_with_saved_rolls_the_first_roll_is_the_first_of_all_the_rolls() -> None:
    saving = TINY["tiny_first_roll"].but(saved_rolls=True, rounds=3)
    position = played(Position.start(saving), "11 score twos 12")
    assert (position.rolls_left, position.is_first_roll) == (4, True)
    assert not played(position, "keep 12 -").is_first_roll
    assert not played(position, "keep 12 - keep 12 -").is_first_roll


@pytest.mark.parametrize(
    ("moves", "after", "winners"),
    [
        ("12 score straight 11 score pair", "tiny_first_roll straight=7/pair=4,won=1/- @2 - r3", (1,)),
        ("11 keep 11 - score pair", "tiny_first_roll pair=4/-/- @1 - r3", ()),
        ("11 scratch pair", "tiny_first_roll pair=0/-/- @1 - r3", ()),
    ],
)
def test_only_points_in_a_winning_category_on_the_first_roll_end_the_game_at_once(
    moves: str, after: str, winners: tuple[int, ...]
) -> None:
    position = played(Position.start(TINY["tiny_first_roll"], 3), moves)
    assert (str(position), position.winners, position.is_over) == (after, winners, bool(winners))


@settings(max_examples=amount(25, full=60), deadline=None)
@given(positions())
def test_every_illegal_action_and_every_closed_box_has_a_reason(position: Position) -> None:
    legal = set(position.actions())
    scores = [Score(box.id, is_scratch) for box in position.ruleset.boxes for is_scratch in (False, True)]
    faces = range(1, position.ruleset.faces + 1)
    keeps = [Keep((face,) * size) for face in faces for size in range(position.ruleset.dice + 1)]
    for action in (*legal, *scores, *keeps, Score("nothing")):
        assert (position.why_illegal(action) == "") == (action in legal)
    offered = {offer.action.box for offer in position.offers()}
    for index, box in enumerate(position.ruleset.boxes if position.dice else ()):
        assert (position.why_closed(index) == "") == (box.id in offered)


def scripted(values: Iterable[int]) -> Callable[[int], int]:
    left = iter(values)
    return lambda sides: next(left)


@pytest.mark.parametrize(
    ("method", "num_seats", "dice", "first", "rounds"),
    [
        ("first", 4, [], 0, ()),
        ("random", 4, [3], 2, ()),
        ("highest_roll", 2, [1, 1, 1, 1, 1, 6, 1, 1, 1, 1], 1, ({0: 5, 1: 10},)),
        ("highest_roll", 3, [6] * 5 + [1] * 5 + [6] * 5 + [2] * 5 + [3] * 5, 2, ({0: 30, 1: 5, 2: 30}, {0: 10, 2: 15})),
    ],
)
def test_the_first_seat_a_random_one_or_that_with_the_highest_total_after_all_ties_begins(
    method: str, num_seats: int, dice: list[int], first: int, rounds: tuple[dict[int, int], ...]
) -> None:
    opening = choose_opening(method, 5, 6, num_seats, scripted(dice))
    assert (opening.first, opening.rounds) == (first, rounds)


WILD = "yahtzee_wild[first_yahtzee=in_box]"


@pytest.mark.parametrize("id", ruleset_ids())
def test_every_position_of_a_game_survives_being_edited(id: str) -> None:
    for position in playthrough(load_ruleset(id), Random(7), 2).positions[:-1]:
        rolls_left = position.rolls_left if position.dice else None
        dice = tuple(reversed(position.dice))
        assert changed(position, None, dice, rolls_left) == position
        assert changed(position, CardEntries.of(position.card), dice, rolls_left) == position


def test_a_card_keeps_what_it_notes_while_it_fits() -> None:
    yamb = Position.parse("yamb announced=fives_announced 33455 r1")
    entries = CardEntries.of(yamb.card)
    assert "announced=fives_announced" in str(changed(yamb, entries, (1, 2, 3, 4, 5), 0))
    assert "announced" not in str(changed(yamb, entries, (), None))
    elsewhere = Position.parse(f"{WILD} fours=20,elsewhere=1 33455 r1")
    entries = CardEntries.of(elsewhere.card)
    assert "elsewhere=1" in str(changed(elsewhere, entries, (1, 1, 1, 1, 1), 2))
    emptied = CardEntries({}, notes=("elsewhere=1",))
    assert str(changed(elsewhere, emptied, (1, 1, 1, 1, 1), 2)) == f"{WILD} - 11111 r2"


@pytest.mark.parametrize(
    ("line", "entries", "after"),
    [
        ("yahtzee ones=3/ones=2 33456 r2", {"twos": 4}, "yahtzee twos=4/ones=2 11111 r2"),
        ("yahtzee ones=3/ones=2 33456 r2", {"ones": 3, "twos": 4}, "yahtzee ones=3,twos=4 11111 r2"),
        ("yahtzee[rounds=1] - 33456 r2", {"ones": 3}, "yahtzee[rounds=1] ones=3 - r3"),
    ],
)
def test_the_other_cards_stay_while_their_turns_fit_and_a_full_card_has_no_dice(
    line: str, entries: dict[str, int], after: str
) -> None:
    assert str(changed(Position.parse(line), CardEntries(entries), (1, 1, 1, 1, 1), 2)) == after


def test_what_no_card_can_hold_is_refused() -> None:
    position = Position.parse("yahtzee - 33456 r2")
    with pytest.raises(IllegalError, match="ones=99: Ones can hold"):
        changed(position, CardEntries({"ones": 99}), (), None)
    with pytest.raises(UnknownError, match="has no box"):
        changed(position, CardEntries({"nines": 9}), (), None)
