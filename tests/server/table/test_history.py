"""The history of a table, any version of which is the replay of the log up to it, and the record made of it."""

import msgspec
import pytest

from fivedice.base.errors import IllegalError
from fivedice.game.action import Score
from fivedice.server.config.limits import MAX_CHANGES
from fivedice.server.games.read_games import read_record
from fivedice.server.live.event_store import stored_event
from fivedice.server.table.create import NewTable
from fivedice.server.table.event import Event
from fivedice.server.table.history import History, decode
from fivedice.server.table.to_record import record_of
from fivedice.server.table.verbs.end import Close, Undone
from fivedice.storage.rows.event import StoredEvent
from tests.server.scripted import SECRET, Live, people


def stored_log(events: list[Event]) -> list[StoredEvent]:
    return [stored_event(event, "k7Qm2x", version, f"command-{version}") for version, event in enumerate(events, 1)]


def played() -> Live:
    """A game with undone scores and changed names."""
    game = Live(NewTable(people("Ann", "Bob", "Cyd")))
    for box in ("ones", "twos"):
        game.do(game.roll())
        game.do(game.score(box))
        game.do(game.undo(game.table.undo_seat or 0))
        game.do(game.score("chance"))
    game.do(game.sit(0, "Anna"))
    return game


def test_the_table_is_the_replay_of_the_log_and_changes_are_counted() -> None:
    game = played()
    log = History(stored_log(game.events))
    assert log.table == game.table
    assert list(map(decode, log.bodies())) == game.events
    assert log.num_changes == {0: 2, 1: 1}


def test_an_event_that_is_not_allowed_changes_nothing() -> None:
    events = played().events
    log = History(stored_log(events))
    table, newest = log.table, log.newest
    with pytest.raises(IllegalError):
        log.append(stored_event(Undone(at=0.0, seat=2), "k7Qm2x", 11, "command-11"))
    with pytest.raises(msgspec.DecodeError):
        log.append(StoredEvent("k7Qm2x", 11, "command-11", 0.0, '{"type":"of a later release"}'))
    assert (log.table, log.newest, log.version_of("2", "command-11")) == (table, newest, None)
    assert list(map(decode, log.bodies())) == events


def test_a_seat_at_its_limit_of_changes_can_still_play() -> None:
    game = Live(NewTable(people("Ann", "Bob")))
    game.do(game.roll())
    for _ in range(MAX_CHANGES):
        game.do(game.score("chance"))
        game.do(game.undo(0))
    detail = "seat 0 has reached the limit of 200 undone scores and changes of name at this table"
    game.do(game.score("chance"))
    for command in (game.undo(0), game.sit(0, "Anna")):
        assert game.refusal(command) == ("illegal", detail)
    game.do(game.sit(1, "Bobby"))  # another seat has its own count


def test_a_table_closed_before_its_opening_roll_does_not_say_that_dice_chose_who_begins() -> None:
    game = Live(NewTable(seats=people("Ann", "Bob"), first="highest_roll"))
    game.do(game.command(Close, seat=0))
    assert "opening:" not in str(record_of(game.table, game.events, SECRET))


def test_the_record_says_how_each_person_used_the_help() -> None:
    game = Live(NewTable(seats=people("Ann", "Bob"), help="tutor"))
    for box in ("yahtzee", "yahtzee", "chance", "chance"):
        game.do(game.roll())
        game.do(game.score(box))
    game.do(game.roll())
    game.loss_of = lambda position, action: (9.0 * (action == Score("ones")), action)
    assert game.refusal(game.score("ones"))[0] == "costly"
    game.do(game.score("threes"))
    text = str(record_of(game.table, game.events, SECRET))
    assert " help: tutor, seat 0 asked 1 changed 1\n" in text
    assert read_record(0, text, 0, 2e9).stored.text == text, "as an import stores it"
    plain = Live(NewTable(seats=people("Ann")))
    assert " help: none\n" in str(record_of(plain.table, plain.events, SECRET))
