"""The stored form of events never changes, so that old databases remain readable."""

import msgspec
import pytest

from fivedice.server.table.created import TUTOR_LOSS, Created, NewSeat
from fivedice.server.table.event_json import decode
from fivedice.server.table.verbs import (
    Announced,
    AnyEvent,
    Closed,
    NonceAdded,
    Rematched,
    Resigned,
    Returned,
    Rolled,
    RolledOff,
    Sat,
    Scored,
    StoodIn,
    Undone,
)

STORED = {
    '{"type":"created","table":"t","rules":"yahtzee","digest":"423d5fcbe6c00ba5","commitment":"00","seats":'
    '[{"kind":"person","name":"Ann"},{"kind":"person"},{"kind":"greedy","name":"greedy"}],"at":1.5}': Created(
        at=1.5,
        table="t",
        rules="yahtzee",
        digest="423d5fcbe6c00ba5",
        commitment="00",
        seats=[NewSeat("person", "Ann"), NewSeat("person"), NewSeat("greedy", "greedy")],
    ),
    '{"type":"sat","name":"Bob","at":2.0,"seat":1}': Sat(at=2.0, seat=1, name="Bob"),
    '{"type":"sat","name":"Bob","nonce":"0f","at":2.0,"seat":1}': Sat(at=2.0, seat=1, name="Bob", nonce="0f"),
    '{"type":"nonce_added","nonce":"0f","at":3.0}': NonceAdded(at=3.0, nonce="0f"),
    '{"type":"rolled_off","rounds":[[17,17,9],[12,13,null]],"first":1,"at":4.0,"seat":1}': RolledOff(
        at=4.0, seat=1, rounds=[[17, 17, 9], [12, 13, None]], first=1
    ),
    '{"type":"rolled","dice":[3,1,3,6,2],"kept":[],"at":5.0,"seat":0}': Rolled(
        at=5.0, seat=0, dice=[3, 1, 3, 6, 2], kept=[]
    ),
    '{"type":"rolled","dice":[3],"kept":[true],"by":"greedy","at":6.0,"seat":2}': Rolled(
        at=6.0, seat=2, dice=[3], kept=[True], by="greedy"
    ),
    '{"type":"scored","box":"threes","points":9,"at":7.0,"seat":0}': Scored(at=7.0, seat=0, box="threes", points=9),
    '{"type":"scored","box":"ones","points":0,"bonus":100,"scratch":true,"by":"random","at":7.0,"seat":0}': Scored(
        at=7.0, seat=0, box="ones", points=0, bonus=100, scratch=True, by="random"
    ),
    '{"type":"announced","box":"poker_announced","at":7.0,"seat":0}': Announced(at=7.0, seat=0, box="poker_announced"),
    '{"type":"announced","box":"yamb_announced","by":"greedy","at":7.0,"seat":1}': Announced(
        at=7.0, seat=1, box="yamb_announced", by="greedy"
    ),
    '{"type":"undone","at":8.0,"seat":0}': Undone(at=8.0, seat=0),
    '{"type":"stood_in","player":"greedy","at":9.0,"seat":0}': StoodIn(at=9.0, seat=0, player="greedy"),
    '{"type":"stood_in","player":"greedy","turns":1,"asked_by":2,"at":9.0,"seat":0}': StoodIn(
        at=9.0, seat=0, player="greedy", turns=1, asked_by=2
    ),
    '{"type":"returned","at":10.0,"seat":0}': Returned(at=10.0, seat=0),
    '{"type":"resigned","unplayed":12,"at":10.5,"seat":1}': Resigned(at=10.5, seat=1, unplayed=12),
    '{"type":"closed","at":11.0}': Closed(at=11.0),
    '{"type":"rematched","table":"t2","at":12.0,"seat":0}': Rematched(at=12.0, seat=0, table="t2"),
}


@pytest.mark.parametrize(("text", "event"), STORED.items())
def test_the_stored_form_of_an_event_is_unchanged(text: str, event: AnyEvent) -> None:
    assert msgspec.json.decode(msgspec.json.encode(event)) == msgspec.json.decode(text)
    assert msgspec.json.decode(text, type=AnyEvent) == event


def test_every_type_of_event_is_covered() -> None:
    assert {type(event) for event in STORED.values()} == set(AnyEvent.__args__)


def test_unknown_fields_of_a_later_release_are_ignored() -> None:
    text = '{"type":"undone","at":8.0,"seat":0,"mood":"sorry"}'
    assert msgspec.json.decode(text, type=AnyEvent) == Undone(at=8.0, seat=0)


def test_false_is_not_a_die_in_a_stored_event() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode('{"type":"rolled","at":5.0,"seat":0,"dice":[false],"kept":[]}', type=AnyEvent)


@pytest.mark.parametrize(
    ("stored", "help"),
    [
        ("", "none"),
        (',"advice":"after"', "after"),
        (',"advice":"always"', "always"),
        (',"tutor":1.5', "tutor"),
        (',"advice":"after","tutor":1.5', "after"),
        (',"advice":"always","tutor":1.5', "always"),
        (',"help":"none"', "none"),
        (',"help":"tutor"', "tutor"),
    ],
)
def test_the_two_settings_of_earlier_versions_are_one_kind_of_help(stored: str, help: str) -> None:
    body = '{"type":"created","at":1.5,"table":"t","rules":"crag","digest":"","commitment":"","seats":[]'
    event = decode(body + stored + "}")
    assert isinstance(event, Created)
    assert event.given_help == help
    assert event.tutor_loss == (1.5 if 'tutor":1.5' in stored else TUTOR_LOSS)
