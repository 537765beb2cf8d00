"""Verification: games played with the dice of a table pass, and every change of a record is reported."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivedice.errors import IllegalError, UnknownError
from fivedice.game.action import Score
from fivedice.game.placed import PlacedTurn
from fivedice.game.record import Record, parse_record
from fivedice.game.undone import UndoneTurn
from fivedice.game.verification import verify_record
from fivedice.proof import TableDice
from tests.game.table_game import table_game
from tests.repository import ROOT


def with_face(record: Record, turn: int, place: int, face: int) -> Record:
    """A record of one roll a turn in which one die shows another face, both in its turn and in its place."""
    assert record.proof
    dice = list(record.proof.turns[turn].rolls[0].dice)
    dice[place] = face
    turns, placed = list(record.turns), list(record.proof.turns)
    turns[turn] = replace(turns[turn], rolls=(tuple(sorted(dice)),))
    placed[turn] = PlacedTurn.start(dice)
    return replace(record, turns=tuple(turns)).with_proof(replace(record.proof, turns=tuple(placed)))


@settings(max_examples=20, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.integers(0, 10**6), st.sampled_from(["first", "random", "highest_roll"]))
def test_a_game_played_with_the_dice_of_a_table_is_verified(secret: bytes, seed: int, opening: str) -> None:
    record = table_game(TableDice(secret, "t", ("seat 1 0f",)), opening=opening, max_turns=12, seed=seed)
    verification = verify_record(parse_record(str(record)))
    assert verification.problems == []
    assert record.proof
    rolled = sum(roll.kept.count(False) for turn in record.proof.turns for roll in turn.rolls)
    assert len(verification.dice) == rolled


def test_the_record_in_the_documentation_is_verified() -> None:
    page = (ROOT / "docs" / "fair-dice.md").read_text(encoding="utf-8")
    verification = verify_record(parse_record(page[page.index("fivedice record 1") :].partition("```")[0]))
    assert len(verification.dice) == 31
    assert verification.problems == []


def test_a_game_with_saved_rolls_is_verified() -> None:
    record = table_game(ruleset_ref="maxi_yatzy[saved_rolls=true]", seed=3)
    assert record.proof
    assert max(len(turn.rolls) for turn in record.proof.turns) > 3
    assert verify_record(record).problems == []


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_the_kept_dice_do_not_affect_the_others(seed: int, other_seed: int) -> None:
    games = [verify_record(table_game(max_turns=6, seed=seed)) for seed in (seed, other_seed)]
    shown = [{(die.turn, die.roll, die.place): die.shown for die in game.dice} for game in games]
    both = shown[0].keys() & shown[1].keys()
    assert len(both) >= 7 * 5
    assert all(shown[0][die] == shown[1][die] for die in both)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_a_changed_die_is_reported(data: st.DataObject) -> None:
    record = table_game(ruleset_ref="yahtzee[rolls=1]", max_turns=5)
    assert record.proof
    turn, place = data.draw(st.integers(0, 5)), data.draw(st.integers(0, 4))
    made = record.proof.turns[turn].rolls[0].dice[place]
    face = data.draw(st.integers(1, 6).filter(lambda face: face != made))
    verification = verify_record(with_face(record, turn, place, face))
    assert verification.problems == [
        f"turn {turn}, roll 0, die {place}: the record shows {face}, the secret makes {made}"
    ]


def test_swapped_dice_are_reported() -> None:
    record = table_game(max_turns=0)
    assert record.proof
    dice = record.proof.turns[0].rolls[0].dice
    place = next(place for place, (left, right) in enumerate(pairwise(dice)) if left != right)
    swapped = (*dice[:place], dice[place + 1], dice[place], *dice[place + 2 :])
    verification = verify_record(record.with_proof(replace(record.proof, turns=()).roll(swapped)))
    assert [die.place for die in verification.wrong] == [place, place + 1]


def test_another_secret_is_reported() -> None:
    record = table_game(max_turns=3)
    assert record.proof
    verification = verify_record(record.with_proof(replace(record.proof, secret=bytes(32))))
    assert verification.problems[0].startswith(
        "the secret is not the one committed to: its SHA-256 is 66687aadf862bd77"
    )
    assert len(verification.wrong) > 5


@pytest.mark.parametrize("nonces", [(), ("seat 0 5f3b", "watcher 0 00ff"), ("watcher 0 00ff", "seat 0 5f3a")])
def test_changed_nonces_are_detected(nonces: tuple[str, ...]) -> None:
    record = table_game(max_turns=3)
    assert record.proof
    assert len(verify_record(record.with_proof(replace(record.proof, nonces=nonces))).wrong) > 5


def test_another_table_id_is_detected() -> None:
    record = table_game(max_turns=3)
    assert record.proof
    assert len(verify_record(record.with_proof(replace(record.proof, table="other"))).wrong) > 5


def test_a_removed_turn_is_detected() -> None:
    record = table_game(ruleset_ref="yahtzee[rolls=1]", max_turns=5)
    assert record.proof
    turns = record.proof.turns
    cut = replace(record, turns=(*record.turns[:2], *record.turns[4:]))
    wrong = verify_record(cut.with_proof(replace(record.proof, turns=(*turns[:2], *turns[4:])))).wrong
    assert {die.turn for die in wrong} == {2, 3}


def test_a_wrong_first_seat_is_reported() -> None:
    record = table_game(opening="highest_roll", max_turns=0)
    problems = verify_record(replace(record, first=1 - record.first)).problems
    assert problems == [f"the opening: seat {1 - record.first} began, the secret makes it seat {record.first}"]


def test_the_first_seat_is_not_verified_without_a_draw() -> None:
    assert verify_record(table_game(max_turns=0)).first == 0


def test_dice_are_foreseen_if_a_persons_seat_had_rolled_before_a_turn_was_undone() -> None:
    record = table_game(max_turns=4)
    assert record.proof
    undone = [UndoneTurn(0, Score("ones"), rolled) for rolled in [(), (1,), (0,), (0, 1)]]
    verification = verify_record(record.with_proof(replace(record.proof, undone=tuple(undone))))
    assert verification.problems == []
    assert verification.foreseen == tuple(undone[2:])


def test_verification_needs_a_proof_with_its_secret() -> None:
    record = table_game(max_turns=0)
    assert record.proof
    with pytest.raises(UnknownError, match="the record carries no proof"):
        verify_record(replace(record, proof=None))
    with pytest.raises(
        IllegalError, match=r"the secret of table k7Qm2x is not revealed yet: .* no later than 30 days after"
    ):
        verify_record(record.with_proof(replace(record.proof, secret=None)))
