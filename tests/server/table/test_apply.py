"""Events change a table and replay from their stored forms, to any version and to the record."""

import msgspec
import pytest
from msgspec.structs import replace

from fivedice.base.errors import IllegalError
from fivedice.game.action import Score
from fivedice.server.games.read_games import read_record
from fivedice.server.limits import MAX_CHANGES
from fivedice.server.live.event_store import stored_event
from fivedice.server.table.apply import apply, replay
from fivedice.server.table.create import NewTable
from fivedice.server.table.event import Created
from fivedice.server.table.history import History, decode
from fivedice.server.table.state import State
from fivedice.server.table.to_record import record_of
from fivedice.server.table.verbs import AnyEvent
from fivedice.server.table.verbs.begin import NonceAdded, RolledOff, Sat
from fivedice.server.table.verbs.end import Close, Closed, Rematched, Resigned, TimedOut, Undone
from fivedice.server.table.verbs.play import Rolled, Scored
from fivedice.storage.rows.event import StoredEvent
from tests.server.scripted import NOW, SECRET, Live, computers, people, two_players

ROLLED = Rolled(at=NOW, seat=0, dice=[3, 3, 1, 6, 3], kept=[True, True, False, False, False])
SCORED = Scored(at=NOW, seat=0, box="threes", points=6)


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (replace(ROLLED, dice=[3, 4, 1, 6, 3]), "a kept die shows another face"),
        (replace(ROLLED, dice=[3, 3, 1, 6]), "4 dice are rolled: want 5"),
        (replace(ROLLED, dice=[3, 3, 1, 6, 7]), "faces from 1 to 6"),
        (replace(ROLLED, kept=[]), "0 marks of kept dice: want one for each of the 5 dice"),
        (replace(ROLLED, seat=1), "seat 1 acts in the turn of seat 0"),
        (replace(ROLLED, seat=None), "seat None acts in the turn of seat 0"),
        (replace(ROLLED, by="greedy"), "greedy acts for seat 0, but person decides there"),
        (replace(SCORED, points=9), r"score threes scores 6 \+0 .* not 9 \+0"),
        (replace(SCORED, bonus=100), r"not 6 \+100"),
        (replace(SCORED, scratch=True), "no voluntary zero"),
        (replace(SCORED, seat=1), "seat 1 acts in the turn of seat 0"),
        (Undone(at=NOW, seat=0), "seat 0 has no score to take back"),
        (Sat(at=NOW, seat=2, name="Cid"), "there is no seat 2"),
        (Sat(at=NOW, seat=-1, name="Cid"), "there is no seat -1"),
        (Sat(at=NOW, seat=1, name=""), "a person at a seat has a name"),
        (NonceAdded(at=NOW, seat=0, nonce="0f"), "nonces are added before the first roll"),
        (RolledOff(at=NOW, seat=0, rounds=[], first=1), "no opening roll is due while the table is playing"),
        (Rematched(at=NOW, seat=0, table="t2"), "no rematch can follow"),
        (Resigned(at=NOW, seat=0, unplayed=12), "turns are not played now, not 12"),
        (Resigned(at=NOW, seat=3, unplayed=13), "there is no seat 3"),
        (Resigned(at=NOW, unplayed=13), "there is no seat None"),
        (TimedOut(at=NOW, seat=1, player="greedy"), "the clock of seat 0 runs"),
        (TimedOut(at=NOW, seat=None, player="greedy"), "the clock of seat 0 runs"),
    ],
)
def test_an_event_that_is_not_allowed_raises_an_error(event: AnyEvent, why: str) -> None:
    game = two_players()
    game.do(game.roll())
    with pytest.raises(IllegalError, match=f"event 3 of table k7Qm2x: .*{why}"):
        apply(game.table, event)


def test_the_creation_is_the_only_one_and_the_first_event_and_the_first_roll_keeps_no_dice() -> None:
    game = two_players()
    with pytest.raises(IllegalError, match="a table is created once"):
        apply(game.table, game.events[0])
    for events in ([], [ROLLED]):
        with pytest.raises(IllegalError, match="the events of a table begin with its creation"):
            replay(events)
    with pytest.raises(IllegalError, match="no die is kept for the first roll"):
        apply(game.table, replace(ROLLED, kept=[False] * 5))


def test_a_changed_ruleset_raises_an_error() -> None:
    created = two_players().events[0]
    assert isinstance(created, Created)
    with pytest.raises(IllegalError, match=r"the digest of yahtzee is .*, but the table was created with 0000"):
        replay([replace(created, digest="0000")])
    with pytest.raises(IllegalError, match="first 'x': want the number of a seat"):
        replay([replace(created, first="x")])
    with pytest.raises(IllegalError, match="seat 2 cannot begin"):
        replay([replace(created, first="2")])


def test_nothing_follows_at_a_closed_table() -> None:
    game = two_players()
    game.do(game.command(Close, seat=0))
    assert game.table.state is State.CLOSED
    resigned, timed_out = Resigned(at=NOW, seat=0, unplayed=13), TimedOut(at=NOW, seat=0, player="greedy")
    for event in (replace(ROLLED, kept=[]), Closed(at=NOW), resigned, timed_out):
        with pytest.raises(IllegalError, match="closed"):
            apply(game.table, event)


def test_a_computer_player_finishes_no_turn_of_another_and_none_at_a_table_without_a_clock() -> None:
    game = Live(NewTable(seats=[*people("Ann", "Bob"), *computers("greedy")], first="2", pace=60))
    with pytest.raises(IllegalError, match="greedy acts for seat 2"):
        apply(game.table, TimedOut(at=NOW, seat=2, player="greedy"))
    with pytest.raises(IllegalError, match="the table has no clock"):
        apply(two_players(None).table, TimedOut(at=NOW, seat=0, player="greedy"))


SEATS = '[{"kind":"person","name":"Ann"},{"kind":"person"},{"kind":"greedy","name":"greedy"}]'
CREATED = f'"table":"t","rules":"yahtzee","digest":"423d5fcbe6c00ba5","commitment":"00","seats":{SEATS}'
STORED = [
    f'{{"type":"created",{CREATED},"at":1.5}}',
    f'{{"type":"created",{CREATED},"pace":60,"at":1.5}}',
    '{"type":"sat","name":"Bob","at":2.0,"seat":1}',
    '{"type":"sat","name":"Bob","nonce":"0f","at":2.0,"seat":1}',
    '{"type":"nonce_added","nonce":"0f","at":3.0}',
    '{"type":"rolled_off","rounds":[[17,17,9],[12,13,null]],"first":1,"at":4.0,"seat":1}',
    '{"type":"rolled","dice":[3,1,3,6,2],"kept":[],"at":5.0,"seat":0}',
    '{"type":"rolled","dice":[3],"kept":[true],"by":"greedy","at":6.0,"seat":2}',
    '{"type":"entered","dice":[3,1,3,6,2],"kept":[],"missing":2,"at":5.0,"seat":0}',
    '{"type":"scored","box":"threes","points":9,"at":7.0,"seat":0}',
    '{"type":"scored","box":"ones","points":0,"bonus":100,"scratch":true,"by":"random","at":7.0,"seat":0}',
    '{"type":"announced","box":"poker_announced","at":7.0,"seat":0}',
    '{"type":"undone","at":8.0,"seat":0}',
    '{"type":"undone","turns":0,"at":8.0,"seat":0}',
    '{"type":"resigned","unplayed":12,"at":10.5,"seat":1}',
    '{"type":"resigned","unplayed":12,"is_late":true,"at":10.5,"seat":1}',
    '{"type":"timed_out","player":"greedy","at":10.5,"seat":1}',
    '{"type":"closed","at":11.0}',
    '{"type":"rematched","table":"t2","at":12.0,"seat":0}',
]


def test_the_stored_form_of_every_event_is_unchanged_and_has_no_other_fields() -> None:
    events = [msgspec.json.decode(text, type=AnyEvent) for text in STORED]
    assert [msgspec.json.decode(msgspec.json.encode(event)) for event in events] == list(
        map(msgspec.json.decode, STORED)
    )
    assert {type(event) for event in events} == set(AnyEvent.__args__)
    # A field of a later release may mean something else.
    text = '{"type":"undone","at":8.0,"seat":0,"mood":"sorry"}'
    with pytest.raises(msgspec.ValidationError, match="unknown field `mood`"):
        msgspec.json.decode(text, type=AnyEvent)


def test_a_log_replays_to_its_table_counts_changes_and_refuses_what_is_not_allowed() -> None:
    game = Live(NewTable(people("Ann", "Bob", "Cyd")))
    for box in ("ones", "twos"):
        game.do(game.roll())
        game.do(game.score(box))
        game.do(game.undo(game.table.undo_seat or 0))
        game.do(game.score("chance"))
    game.do(game.sit(0, "Anna"))
    log = History(
        [stored_event(event, "k7Qm2x", number, f"command-{number}") for number, event in enumerate(game.events, 1)]
    )
    assert (log.table, log.num_changes) == (game.table, {0: 2, 1: 1})
    newest = log.newest
    with pytest.raises(IllegalError):
        log.append(stored_event(Undone(at=0.0, seat=2), "k7Qm2x", 11, "11"))
    with pytest.raises(msgspec.DecodeError):
        log.append(StoredEvent("k7Qm2x", 11, "11", 0.0, '{"type":"of a later release"}'))
    assert (log.table, log.newest, log.version_of("2", "11")) == (game.table, newest, None)
    assert list(map(decode, log.bodies())) == game.events


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
