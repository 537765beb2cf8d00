"""The history of a table: any version of it is the replay of the log so far, and no client makes the log endless."""

from itertools import accumulate
from random import Random

import msgspec
import pytest

from fivedice.errors import IllegalError
from fivedice.server.live import history
from fivedice.server.live.event_store import stored_event
from fivedice.server.live.history import CHECKPOINT, History
from fivedice.server.table.apply import apply, start
from fivedice.server.table.bots import bot_step
from fivedice.server.table.commands import Return, StandIn
from fivedice.server.table.create import NewTable
from fivedice.server.table.decide import MAX_CHANGES
from fivedice.server.table.events import AnyEvent, Created, StoodIn, Undone, changer
from fivedice.server.table.state import State, Table
from fivedice.storage.rows.event import StoredEvent
from tests.server.scripted import Live, people


def entries_of(events: list[AnyEvent]) -> list[StoredEvent]:
    """Events as they are stored."""
    return [stored_event(event, "k7Qm2x", version, f"command-{version}") for version, event in enumerate(events, 1)]


def stand_in(game: Live, seat: int, turns: int = 0) -> StandIn:
    return StandIn(id=game.new_id(), version=game.table.version, seat=seat, player="random", turns=turns)


def back(game: Live, seat: int) -> Return:
    return Return(id=game.new_id(), version=game.table.version, seat=seat)


def step(game: Live, chance: Random) -> None:
    """Roll, or fill a box."""
    turn = game.table.turn
    if not turn.places:
        game.do(game.roll())
    elif turn.position.rolls_left and chance.random() < 2 / 3:
        game.do(game.roll("".join(chance.choice("x.") for _ in turn.places)))
    else:
        action = chance.choice(turn.position.offers()).action
        game.do(game.score(action.box, scratch=action.is_scratch))


@pytest.fixture(scope="module")
def played() -> Live:
    """A whole game, with seats that have second thoughts of every kind."""
    chance, game = Random(6), Live(NewTable(people("Ann", "Bob", "Cyd")))
    while not game.table.has_ended:
        step(game, chance)
        seat = chance.randrange(3)
        if game.table.undoer is not None and chance.random() < 1 / 2:
            game.do(game.undo(game.table.undoer))
        elif chance.random() < 1 / 8 and not game.table.has_ended:
            game.do(game.sit(seat, f"Nobody {game.table.version}"))
            game.do(stand_in(game, seat))
            game.do(back(game, seat))
    return game


@pytest.mark.parametrize("every", [1, 7, CHECKPOINT])
def test_any_version_is_the_replay_of_the_log_until_then(
    played: Live, every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "CHECKPOINT", every)
    log = History(entries_of(played.events))
    assert log.table == played.table
    assert list(log.events()) == played.events
    first, *later = played.events
    assert isinstance(first, Created)
    for version, wanted in enumerate(accumulate(later, apply, initial=start(first)), 1):
        assert log.table_at(version) == wanted


def test_an_old_version_costs_few_events_however_long_the_log_is(played: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    log, applied = History(entries_of(played.events)), 0

    def counting(table: Table, event: AnyEvent) -> Table:
        nonlocal applied
        applied += 1
        return apply(table, event)

    monkeypatch.setattr(history, "apply", counting)
    costs = []
    for version in range(1, len(played.events) + 1):
        applied = 0
        log.table_at(version)
        costs.append(applied)
    assert len(costs) > 3 * CHECKPOINT
    assert max(costs) == CHECKPOINT - 1


def test_what_a_seat_changed_is_counted_for_every_version(played: Live) -> None:
    log = History(entries_of(played.events))
    for version in range(1, len(played.events) + 1):
        for seat in range(3):
            wanted = sum(changer(event) == seat for event in played.events[:version])
            assert log.num_changes(seat, version) == wanted
    assert min(log.num_changes(seat, len(played.events)) for seat in range(3)) > 3


def test_an_event_that_cannot_be_changes_nothing(played: Live) -> None:
    log = History(entries_of(played.events[:9]))
    table, newest = log.table, log.newest
    with pytest.raises(IllegalError):
        log.append(stored_event(Undone(at=0.0, seat=2), "k7Qm2x", 10, "command-10"))
    with pytest.raises(msgspec.DecodeError):
        log.append(StoredEvent("k7Qm2x", 10, "command-10", 0.0, '{"type":"of a later release"}'))
    assert (log.table, log.newest, log.version_of("command-10")) == (table, newest, None)
    assert list(log.events()) == played.events[:9]


def test_a_seat_that_has_changed_enough_plays_on_without() -> None:
    game = Live(NewTable(people("Ann", "Bob")))
    game.do(game.roll())
    for _ in range(MAX_CHANGES):
        game.do(game.score("chance"))
        game.do(game.undo(0))
    sentence = "seat 0 has taken back scores, or changed its name or player, 200 times: that is the most at one table"
    late = game.sit(0, "Anna")
    assert game.refusal(late) == ("illegal", sentence)
    game.do(game.score("chance"))
    for command in (game.undo(0), game.sit(0, "Anna"), stand_in(game, 0)):
        assert game.refusal(command) == ("illegal", sentence)
    assert game.refusal(late) == ("illegal", sentence), "the same command has the same answer for ever"
    game.do(game.sit(1, "Bobby"))  # another seat has its own count


def test_a_game_comes_to_its_end_whatever_its_seats_have_used_up() -> None:
    chance, game = Random(5), Live(NewTable(people("Ann", "Bob"), silence=10))
    for seat in range(2):
        for number in range(MAX_CHANGES - 1):
            game.do(game.sit(seat, f"{'Ann' if seat == 0 else 'Bob'} {number}"))
    game.do(stand_in(game, 1))
    assert game.refusal(back(game, 1))[0] == "illegal", "who leaves at last is not back"
    while not game.table.has_ended:
        seat = game.table.position.seat
        if game.table.mover.decider == "person":
            if chance.random() < 1 / 3:
                game.now += 11.0
                game.do(stand_in(game, seat, turns=1), frozenset({1 - seat}))
            else:
                step(game, chance)
        else:
            event = bot_step(game.table, lambda kind, here: chance.choice(here.actions()), game.chance, game.now)
            assert event is not None
            game.append(event)
    assert game.table.state is State.OVER
    assert any(isinstance(event, StoodIn) and event.asked_by is not None for event in game.events)
