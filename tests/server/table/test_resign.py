"""Giving up a game at a table: the others play on, the last one wins, and the record tells it."""

import random

import pytest

from fivedice.base.errors import IllegalError
from fivedice.game.record import parse_record
from fivedice.game.verification import verify_record
from fivedice.rulesets import ruleset_ids
from fivedice.server.table.apply import apply, replay
from fivedice.server.table.create import NewTable, create_rematch
from fivedice.server.table.decide import is_bots_turn, play
from fivedice.server.table.history import decode, encode
from fivedice.server.table.state import State
from fivedice.server.table.to_record import record_of
from fivedice.server.table.verbs.end import Closed, Rematched, Resigned
from fivedice.server.table.view import view
from tests.amount import cases
from tests.server.scripted import SECRET, Live, Scripted, computers, people
from tests.server.table.two_players import (
    ANN,
    BOB,
    DICE,
    close,
    rematch,
    resign,
    roll_off,
    run_out,
)


def three_people() -> Live:
    return Live(NewTable(seats=people("Ann", "Bob", "Cem"), pace=60), chance=Scripted(DICE))


def test_a_seat_resigns_while_a_computer_player_finishes_its_turn() -> None:
    game = three_people()
    run_out(game)
    assert is_bots_turn(game.table)
    game.do(resign(game, 0))
    assert game.table.seats[0].stand_in is None
    assert not is_bots_turn(game.table)
    assert game.table.due == game.now + 60


def test_a_seat_that_resigned_keeps_nobody_from_ending_the_table() -> None:
    game = Live(NewTable(seats=[*people("Ann", "Bob"), *computers("greedy")]), chance=Scripted(DICE))
    game.do(game.roll())
    assert game.refusal(close(game, 0), ANN)[0] == "illegal"
    game.do(resign(game, 1), BOB)
    game.do(close(game, 0), ANN)


@pytest.mark.parametrize("kinds", [(), ("greedy",), ("greedy", "random")])
def test_a_game_is_over_when_no_person_is_left(kinds: tuple[str, ...]) -> None:
    game = Live(NewTable(seats=[*people("Ann"), *computers(*kinds)], casual=True), chance=Scripted(DICE))
    game.do(game.roll())
    assert game.do(resign(game, 0)) == Resigned(at=game.now, seat=0, unplayed=13 * (1 + len(kinds)))
    assert game.table.state is State.OVER
    assert not is_bots_turn(game.table)
    ranks = [seat.rank for seat in view(game.table, secret=SECRET).seats]
    assert ranks == ([2, 1] if len(kinds) == 1 else [None] * (1 + len(kinds)))
    game.do(rematch(game, 0))
    assert isinstance(game.events[-1], Rematched)
    assert create_rematch(game.table, "t2", "00", game.now).first == str(1 % (1 + len(kinds)))


def test_a_log_with_another_resignation_does_not_replay() -> None:
    game = three_people()
    for event, why in (
        (Resigned(at=game.now, seat=0, unplayed=12), "13 turns are not played now, not 12"),
        (Resigned(at=game.now, seat=3, unplayed=13), "there is no seat 3"),
        (Resigned(at=game.now, unplayed=13), "there is no seat None"),
    ):
        with pytest.raises(IllegalError, match=why):
            apply(game.table, event)
    game.append(Closed(at=game.now))
    with pytest.raises(IllegalError, match="no seat can resign while the table is closed"):
        apply(game.table, Resigned(at=game.now, seat=0, unplayed=13))


def finished(ref: str, num_seats: int, seed: int) -> Live:
    """A game of random actions in which seats resign, undo and run out of time at random."""
    chance = random.Random(seed)
    seats = [*people(*("Ann", "Bob", "Cem")[:num_seats]), *computers("random")]
    game = Live(NewTable(seats=seats, rules=ref, first="highest_roll", casual=True, pace=60))
    game.do(roll_off(game, 0))
    while game.table.state is State.PLAYING:
        if game.let_computer_act(lambda kind, at: chance.choice(at.actions())):
            continue
        if game.table.undo_seat is not None and chance.random() < 0.3:
            game.do(game.undo(game.table.undo_seat))
        elif chance.random() < 0.1:
            game.do(resign(game, chance.choice([seat for seat in game.table.position.remaining if seat < num_seats])))
        elif game.table.due is not None and chance.random() < 0.1:
            run_out(game)
        elif game.table.turn.places:
            game.append(play(game.table, chance.choice(game.table.position.actions()), game.chance, game.now).event)
        else:
            game.do(game.roll())
    return game


@pytest.mark.parametrize("ref", cases(["crag", "poker_dice", "yahtzee", "yamb"], full=ruleset_ids()))
def test_games_with_resignations_replay_and_their_records_verify(ref: str) -> None:
    num_resigned = seed = 0
    while seed < 3 or not num_resigned:
        seed += 1
        game = finished(ref, 1 + seed % 3, seed)
        assert replay([decode(encode(event)) for event in game.events]) == game.table
        record = record_of(game.table, game.events, SECRET)
        assert record.position == game.table.position
        assert record.is_over
        ranks = enumerate(seat.rank for seat in view(game.table, secret=SECRET).seats)
        assert tuple(seat for seat, rank in ranks if rank == 1) == record.position.winners
        assert len(record.turns) == game.table.turn.number + bool(game.table.turn.places)
        again = parse_record(str(record))
        assert str(again) == str(record)
        assert verify_record(again).problems == ()
        num_resigned += len(record.resignations)
