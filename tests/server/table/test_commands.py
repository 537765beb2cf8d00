"""Commands as JSON, and their ids."""

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

decoder = msgspec.json.Decoder(AnyCommand)


def with_head(rest: str) -> bytes:
    """A command in JSON with an id and a version."""
    return f'{{"id": "abcdefgh", "version": 3, {rest}}}'.encode()


@pytest.mark.parametrize(
    "rest",
    [
        '"type": "roll", "seat": false, "kept": []',  # false is not a seat
        '"type": "roll", "seat": 0, "kept": [1, 0]',  # 1 is not a mark
        '"type": "roll", "seat": 0',  # `kept` is missing
        '"type": "roll", "seat": 0, "kept": [' + ",".join(["true"] * 11) + "]",
        '"type": "roll", "seat": -1, "kept": []',
        '"type": "roll", "seat": 12, "kept": []',
        '"type": "roll", "seat": 0, "kept": [], "dice": [6, 6, 6, 6, 6]',  # clients do not send dice
        '"type": "roll", "seat": 0, "kept": [], "anyway": 1',
        '"type": "score", "seat": 0, "box": ""',
        '"type": "score", "seat": 0, "box": "' + "x" * 82 + '"',
        '"type": "score", "seat": 0, "box": "ones", "points": 50',
        '"type": "sit", "seat": 0, "name": "' + "x" * 641 + '"',
        '"type": "add_nonce", "nonce": ""',
        '"type": "add_nonce", "nonce": "0F"',
        '"type": "add_nonce", "nonce": "' + "0" * 65 + '"',
        '"type": "created", "seat": 0',  # an event is not a command
        '"seat": 0, "kept": []',
    ],
)
def test_an_invalid_command_is_rejected(rest: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        decoder.decode(with_head(rest))


@pytest.mark.parametrize(
    "head",
    [
        '"id": "short", "version": 3',
        '"id": "abcdefgh\\n", "version": 3',
        '"id": "' + "x" * 65 + '", "version": 3',
        '"version": 3',
        '"id": "abcdefgh"',
        '"id": "abcdefgh", "version": 0',
        '"id": "abcdefgh", "version": 1000001',
    ],
)
def test_an_invalid_id_or_version_is_rejected(head: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        decoder.decode(f'{{"type": "undo", "seat": 0, {head}}}')


MARKS, OTHER_MARKS = [True, False, False, False, False], [False, True, False, False, False]

PAIRS: list[tuple[AnyCommand, Event]] = [
    (Sit(id="command-1", version=1, seat=1, name=" Zoe\u0308 "), Sat(at=1.0, seat=1, name="Zoë")),
    (Sit(id="command-1", version=1, seat=1, name="Zoë", nonce="0f"), Sat(at=1.0, seat=1, name="Zoë", nonce="0f")),
    (AddNonce(id="command-1", version=1, seat=1, nonce="0f"), NonceAdded(at=1.0, seat=1, nonce="0f")),
    (AddNonce(id="command-1", version=1, nonce="0f"), NonceAdded(at=1.0, nonce="0f")),
    (RollOff(id="command-1", version=1, seat=1), RolledOff(at=1.0, seat=1, rounds=[[7, 8]], first=1)),
    (Roll(id="command-1", version=1, seat=1, kept=[]), Rolled(at=1.0, seat=1, dice=[3] * 5, kept=[])),
    (Roll(id="command-1", version=1, seat=1, kept=MARKS), Rolled(at=1.0, seat=1, dice=[3] * 5, kept=MARKS)),
    # Which of two equal dice is kept changes no value, but it is another command.
    (Roll(id="command-1", version=1, seat=1, kept=OTHER_MARKS), Rolled(at=1.0, seat=1, dice=[3] * 5, kept=OTHER_MARKS)),
    (Score(id="command-1", version=1, seat=1, box="ones"), Scored(at=1.0, seat=1, box="ones", points=0)),
    (
        Score(id="command-1", version=1, seat=1, box="ones", scratch=True),
        Scored(at=1.0, seat=1, box="ones", points=0, scratch=True),
    ),
    (Announce(id="command-1", version=1, seat=1, box="ones"), Announced(at=1.0, seat=1, box="ones")),
    (Undo(id="command-1", version=1, seat=1), Undone(at=1.0, seat=1)),
    (Resign(id="command-1", version=1, seat=1), Resigned(at=1.0, seat=1, unplayed=13)),
    (Close(id="command-1", version=1, seat=1), Closed(at=1.0, seat=1)),
    (Rematch(id="command-1", version=1, seat=1), Rematched(at=1.0, seat=1, table="k7Qm2y")),
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
