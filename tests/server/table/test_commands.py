"""Commands as JSON, and their ids."""

from typing import Any

import msgspec
import pytest
from sqlalchemy import String

from fivedice.server.live.event_store import stored_event
from fivedice.server.table.create import NewTable
from fivedice.server.table.event import Event, sender_of, stored_id, watcher
from fivedice.server.table.history import History
from fivedice.server.table.verbs import AnyCommand
from fivedice.server.table.verbs.begin import AddNonce, NonceAdded, RolledOff, RollOff, Sat, Sit
from fivedice.server.table.verbs.end import Close, Closed, Rematch, Rematched, Resign, Resigned, Undo, Undone
from fivedice.server.table.verbs.play import Announce, Announced, Roll, Rolled, Score, Scored
from fivedice.storage.schema import events
from tests.server.scripted import Live, people

HEAD = '"id": "abcdefgh", "version": 3'


@pytest.mark.parametrize(
    "text",
    [
        f'{HEAD}, "type": "roll", "seat": false, "kept": []',  # false is not a seat
        f'{HEAD}, "type": "roll", "seat": 0, "kept": [1, 0]',  # 1 is not a mark
        f'{HEAD}, "type": "roll", "seat": 0',  # `kept` is missing
        f'{HEAD}, "type": "roll", "seat": 0, "kept": [' + ",".join(["true"] * 11) + "]",
        f'{HEAD}, "type": "roll", "seat": -1, "kept": []',
        f'{HEAD}, "type": "roll", "seat": 12, "kept": []',
        f'{HEAD}, "type": "roll", "seat": 0, "kept": [], "dice": [6, 6, 6, 6, 6]',  # clients do not send dice
        f'{HEAD}, "type": "roll", "seat": 0, "kept": [], "anyway": 1',
        f'{HEAD}, "type": "score", "seat": 0, "box": ""',
        f'{HEAD}, "type": "score", "seat": 0, "box": "' + "x" * 82 + '"',
        f'{HEAD}, "type": "score", "seat": 0, "box": "ones", "points": 50',
        f'{HEAD}, "type": "sit", "seat": 0, "name": "' + "x" * 641 + '"',
        f'{HEAD}, "type": "add_nonce", "nonce": ""',
        f'{HEAD}, "type": "add_nonce", "nonce": "0F"',
        f'{HEAD}, "type": "add_nonce", "nonce": "' + "0" * 65 + '"',
        f'{HEAD}, "type": "created", "seat": 0',  # an event is not a command
        f'{HEAD}, "seat": 0, "kept": []',
        *(f'"version": 3, "type": "undo", "seat": 0, "id": "{id}"' for id in ("short", "abcdefgh\\n", "x" * 65)),
        *(f'"id": "abcdefgh", "type": "undo", "seat": 0, "version": {version}' for version in (0, 1_000_001)),
        *(f'{half}, "type": "undo", "seat": 0' for half in HEAD.split(", ")),
    ],
)
def test_an_invalid_command_is_rejected(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(f"{{{text}}}", type=AnyCommand)


MARKS, OTHER_MARKS = [True, False, False, False, False], [False, True, False, False, False]

SENT: dict[str, Any] = {"id": "command-1", "version": 1, "seat": 1}
STORED: dict[str, Any] = {"at": 1.0, "seat": 1}
PAIRS: list[tuple[AnyCommand, Event]] = [
    (Sit(**SENT, name=" Zoe\u0308 "), Sat(**STORED, name="Zoë")),
    (Sit(**SENT, name="Zoë", nonce="0f"), Sat(**STORED, name="Zoë", nonce="0f")),
    (AddNonce(**SENT, nonce="0f"), NonceAdded(**STORED, nonce="0f")),
    (AddNonce(id="command-1", version=1, nonce="0f"), NonceAdded(at=1.0, nonce="0f")),
    (RollOff(**SENT), RolledOff(**STORED, rounds=[[7, 8]], first=1)),
    (Roll(**SENT, kept=[]), Rolled(**STORED, dice=[3] * 5, kept=[])),
    (Roll(**SENT, kept=MARKS), Rolled(**STORED, dice=[3] * 5, kept=MARKS)),
    # Which of two equal dice is kept changes no value, but it is another command.
    (Roll(**SENT, kept=OTHER_MARKS), Rolled(**STORED, dice=[3] * 5, kept=OTHER_MARKS)),
    (Score(**SENT, box="ones"), Scored(**STORED, box="ones", points=0)),
    (Score(**SENT, box="ones", scratch=True), Scored(**STORED, box="ones", points=0, scratch=True)),
    (Announce(**SENT, box="ones"), Announced(**STORED, box="ones")),
    (Undo(**SENT), Undone(**STORED)),
    (Resign(**SENT), Resigned(**STORED, unplayed=13)),
    (Close(**SENT), Closed(**STORED)),
    (Rematch(**SENT), Rematched(**STORED, table="k7Qm2y")),
]


@pytest.mark.parametrize("number", range(len(PAIRS)))
def test_a_command_repeats_only_the_event_that_it_asks_for(number: int) -> None:
    command, _ = PAIRS[number]
    assert [index for index, (_, event) in enumerate(PAIRS) if command.asks_for(event)] == [number]


def test_every_id_fits_its_column_and_is_found_under_its_sender_again() -> None:
    senders = ["0", "11", watcher("A" * 43)]
    ids = ["command-1", "x" * 62, "x" * 63, "x" * 64, "y" * 64]
    stored = {stored_id(sender, id): sender for sender in senders for id in ids}
    assert len(stored) == len(senders) * len(ids)
    column = events.c.command.type
    assert isinstance(column, String)
    assert max(map(len, stored)) <= (column.length or 0)
    for id, sender in stored.items():
        assert sender_of(id) == sender


def test_the_history_finds_a_command_by_sender_and_id_and_counts_those_of_a_sender() -> None:
    game = Live(NewTable(people("Ann", "Bob")))
    game.do(game.sit(0, "Anna"))
    game.do(game.sit(1, "Ben"))
    game.do(game.sit(0, "Anne"))
    ids = ["created-1", "0:sit-aaaa", "1:sit-aaaa", "0:sit-bbbb"]
    log = [stored_event(event, "k7Qm2x", n, id) for n, (event, id) in enumerate(zip(game.events, ids, strict=True), 1)]
    history = History(log)
    assert [history.version_of(sender, "sit-aaaa") for sender in ("0", "1", "2")] == [2, 3, None]
    assert [history.version_of(sender, "sit-bbbb") for sender in ("0", "1")] == [4, None]
    assert [history.num_sent("0", version) for version in (1, 2, 3, 4)] == [0, 1, 1, 2]
    assert history.event_at(3) == game.events[2]
