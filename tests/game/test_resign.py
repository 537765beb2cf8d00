"""Giving up a game: the others play on without the seat, the last one left wins, and records tell it."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivedice.game.action import Score
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat, parse_record
from fivedice.game.verification import verify_record
from fivedice.game.wording import outcome
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.testing.playthrough import random_step
from fivedice.testing.tiny import TINY, TINY_TURNS
from tests.amount import amount
from tests.game.table_game import table_game

DATE = "2026-11-21T10:00:00+00:00"


def record(num_seats: int, ruleset: str = "yahtzee", first: int = 0) -> Record:
    seats = tuple(Seat(name, "human") for name in ("Ann", "Ben", "Cem", "Dora")[:num_seats])
    return Record.start(load_ruleset(ruleset), seats, DATE, first)


@settings(max_examples=amount(60, full=400), deadline=None)
@given(
    ruleset=st.sampled_from([*TINY, *TINY_TURNS]),
    num_seats=st.integers(1, 4),
    seed=st.integers(0, 10**6),
    share=st.sampled_from([0.02, 0.1, 0.4]),
)
def test_play_goes_on_without_the_seats_that_resigned(ruleset: str, num_seats: int, seed: int, share: float) -> None:
    chance = random.Random(seed)
    rules = (TINY | TINY_TURNS)[ruleset]
    position = Position.start(rules, num_seats, chance.randrange(num_seats))
    gone: set[int] = set()
    while not position.is_over:
        assert position.seat not in gone
        assert bool(position.actions()) == bool(position.dice)
        if chance.random() < share:
            seat = chance.choice(position.remaining)
            before, position = position, position.resign(seat)
            gone.add(seat)
            if seat != before.seat and not position.is_over:
                assert (position.seat, position.dice, position.rolls_left) == (
                    (before.seat, before.dice, before.rolls_left)
                ), "the seat to move goes on"
            else:
                assert not position.dice
        else:
            position = random_step(position, chance)[1]
        assert parse_position(str(position), rules) == position
        assert position.remaining == tuple(seat for seat in range(num_seats) if seat not in gone)
    assert not gone & set(position.winners)
    if num_seats > 1 and len(gone) == num_seats - 1:
        assert set(position.winners) == set(range(num_seats)) - gone
    elif any(card.won for card in position.cards):
        assert [position.cards[seat].won for seat in position.winners] == [True]
    else:
        best = max((position.cards[seat].total for seat in position.remaining), default=None)
        assert list(position.winners) == [seat for seat in position.remaining if position.cards[seat].total == best]
        assert all(position.cards[seat].is_complete for seat in position.remaining)


@pytest.mark.parametrize(
    ("before", "seat", "after", "winners"),
    [
        ("yahtzee -/-/- 33456 r2", 0, "yahtzee resigned/-/- @1 - r3", ()),
        ("yahtzee resigned/ones=5/- @2 12345 r2", 1, "yahtzee resigned/ones=5,resigned/- @2 - r3", (2,)),
        ("yahtzee -/-/- 33456 r2", 1, "yahtzee -/resigned/- 33456 r2", ()),
        ("yahtzee yahtzee=50/- @1 12345 r2", 0, "yahtzee yahtzee=50,resigned/- @1 - r3", (1,)),
        ("yahtzee - 33456 r2", 0, "yahtzee resigned - r3", ()),
    ],
)
def test_the_turn_passes_on_and_the_last_of_several_seats_wins_whatever_its_points(
    before: str, seat: int, after: str, winners: tuple[int, ...]
) -> None:
    position = parse_position(before).resign(seat)
    assert (str(position), position.winners) == (after, winners)


A_ROLL = (1, 1, 2, 2, 6)


@pytest.mark.parametrize(
    ("game", "written", "result"),
    [
        (record(3).roll(A_ROLL).resign(0).roll(A_ROLL), ["0: 11226, resign", "1: 11226"], "0 0 0, unfinished"),
        (
            record(3).resign(0).roll(A_ROLL).play(Score("twos")).resign(2),
            ["0: resign", "1: 11226, score twos = 4", "2: resign"],
            "0 4 0, seat 1 wins by resignation",
        ),
        (
            record(3).roll(A_ROLL).resign(2).play(Score("twos")),  # it is not to move
            ["2: resign", "0: 11226, score twos = 4"],
            "4 0 0, unfinished",
        ),
        (record(2).roll(A_ROLL).resign(1), ["0: 11226", "1: resign"], "0 0, seat 0 wins by resignation"),
        (record(1).roll(A_ROLL).resign(0), ["0: 11226, resign"], "0, given up"),
    ],
)
def test_a_resignation_ends_the_line_of_its_turn_or_has_one_before_the_turn_of_another_seat(
    game: Record, written: list[str], result: str
) -> None:
    assert (str(game).split("\n\n")[1].splitlines(), game.result) == (written, result)
    assert parse_record(str(game)) == game


def test_the_outcome_names_all_people_who_gave_up() -> None:
    people, computers = record(2).seats, (Seat("Greedy", "greedy"), Seat("Random", "random"))
    game = Record.start(load_ruleset("yahtzee"), (*people, *computers), DATE).resign(0)
    assert outcome(game) == "The game is not finished."
    assert outcome(game.resign(1)) == "Ann and Ben resigned."


@pytest.mark.parametrize(
    ("turns", "line", "message"),
    [
        ("0: 11226\n2: resign", 11, "want this line before that of the turn of another seat"),
        ("0: 11226\n0: resign", 11, "its turn is not finished: want 'resign' at the end of that line"),
        ("0: 11226, resign, score twos = 4", 10, "comes after the end of the turn"),
        ("0: resign\n0: 11226", 11, "want '1: …', the turn of that seat"),
        ("0: resign\n0: resign", 11, "seat 0 has resigned already"),
        ("0: resign\n1: resign\n2: resign", 12, "the game is over: nobody can resign"),
        ("3: resign", 10, "there is no seat 3"),
        ("Ann: resign", 10, "want the number of the seat that resigns"),
    ],
)
def test_a_resignation_in_the_wrong_place_is_refused_with_its_line(turns: str, line: int, message: str) -> None:
    start, _, _ = str(record(3)).partition("\n\n")
    with pytest.raises(ValueError, match=f"line {line}: ") as error:
        parse_record(f"{start}\n\n{turns}\n")
    assert message in str(error.value)


@pytest.mark.parametrize("id", ruleset_ids())
def test_a_game_of_every_ruleset_survives_with_its_proof_and_its_dice_are_verified(id: str) -> None:
    seats, num_resigned = tuple(Seat(name, "human") for name in ("Ann", "Ben", "Cem")), 0
    for seed in range(amount(2, full=20)):
        resigning = 0.05 if seed else 0.0
        game = table_game(ruleset_ref=id, seats=seats, seed=seed, resigning=resigning, opening="random")
        assert parse_record(str(game)) == game
        assert game.position.is_over
        assert seed or not game.resignations
        num_resigned += len(game.resignations)
        assert verify_record(game).problems == ()
        assert str(game).count("  turn ") == len(game.turns)
        at = [position for _, position, _ in game.decisions()]
        assert all(not position.card.resigned and not position.is_over for position in at)
        assert sum(len(turn.rolls) + (turn.announced is not None) for turn in game.turns) == len(at)
    assert num_resigned
