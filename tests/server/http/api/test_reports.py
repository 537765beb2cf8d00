"""Whole games of every shipped ruleset, played as clients play them."""

import random

import msgspec
import pytest

from fivedice.rulesets import ruleset_ids
from fivedice.server.table.answers import Accepted
from fivedice.server.table.apply import replay
from fivedice.server.table.bots import bot_step
from fivedice.server.table.create import NewTable
from fivedice.server.table.messages import TableView
from fivedice.server.table.state import State
from fivedice.server.table.verbs import AnyCommand, Undone
from fivedice.server.table.view import view
from tests.server.scripted import SECRET, Live, computers, people


def shown(game: Live) -> TableView:
    """The view of a client, its only source."""
    return msgspec.json.decode(msgspec.json.encode(view(game.table, secret=SECRET)), type=TableView)


def send(game: Live, **fields: object) -> None:
    """Send a command as JSON, twice; it must be accepted once."""
    line = msgspec.json.encode({"id": game.new_id(), "version": game.table.version, **fields})
    answers = [game.send(msgspec.json.decode(line, type=AnyCommand)) for _ in range(2)]
    assert isinstance(answers[0], Accepted), answers[0]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("ref", ruleset_ids())
def test_two_people_and_a_computer_player_play_every_shipped_ruleset_to_the_end(ref: str) -> None:
    chance = random.Random(ref)
    game = Live(NewTable(seats=[*people("Ann", ""), *computers("random")], rules=ref, first="highest_roll", silence=60))
    send(game, type="sit", seat=1, name="Bob", nonce="5f3a")
    send(game, type="roll_off", seat=0)
    while (here := shown(game)).state is State.PLAYING:
        turn = here.turn
        assert turn
        if here.can_undo and chance.random() < 1 / 4:
            send(game, type="undo", seat=here.can_undo[0])
        elif here.seats[turn.seat].kind != "person":
            step = bot_step(game.table, lambda kind, spot: chance.choice(spot.actions()), game.chance, game.now)
            assert step
            game.append(step.event)
        elif not turn.dice:
            send(game, type="roll", seat=turn.seat, kept=[])
        elif boxes := [offer.box for offer in turn.offers if offer.can_announce and chance.random() < 1 / 4]:
            send(game, type="announce", seat=turn.seat, box=boxes[0])
        elif not any(offer.is_open for offer in turn.offers):
            continue
        elif turn.rolls_left and chance.random() < 1 / 2:
            send(game, type="roll", seat=turn.seat, kept=[chance.random() < 1 / 2 for _ in turn.dice])
        else:
            offer = chance.choice([offer for offer in turn.offers if offer.is_open])
            scratch = offer.can_scratch and chance.random() < 1 / 4
            send(game, type="score", seat=turn.seat, box=offer.box, scratch=scratch)

    end = shown(game)
    assert end.state is State.OVER
    assert game.table.position.is_over
    assert {seat.seat for seat in end.seats if seat.rank == 1} == set(game.table.position.winners)
    assert any(isinstance(event, Undone) for event in game.events)
    assert end.version == len(game.events)
    assert replay(game.events) == game.table
    send(game, type="rematch", seat=1)
    assert shown(game).rematch == "rematch1"
