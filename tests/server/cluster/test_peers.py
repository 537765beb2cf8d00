"""Processes on one database learn of each other from messages alone."""

from fivedice.server.cluster.peers import Peers
from fivedice.server.config.limits import MAX_PEER_TABLES, PEER_EXPIRY_SECONDS
from fivedice.server.table.messages import KeptDice
from fivedice.storage.announcements import MAX_BYTES


def deliver(sender: Peers, receiver: Peers, now: float = 0.0) -> list[bool]:
    """Deliver all messages of one process to another, and return whether the sender of each was unknown."""
    received = [receiver.receive(line, now) for line in sender.take_messages()]
    return [found[1] for found in received if found]


def connect(*peers: Peers) -> None:
    """Start processes, and deliver all their messages."""
    for peer in peers:
        peer.restart()
    for _ in range(3):
        sent = [line for peer in peers for line in peer.take_messages()]
        for peer in peers:
            for line in sent:
                peer.receive(line, 0.0)


def test_a_new_process_learns_of_the_others() -> None:
    one, other = Peers(), Peers()
    one.restart()
    assert deliver(one, other) == [True]
    assert not other.is_alone
    assert one.is_alone
    assert deliver(other, one) == [True]  # it answers with a ping
    assert not one.is_alone
    assert deliver(one, other) == [False]  # so does the first, which is now known
    assert deliver(other, one) == []


def test_a_process_that_sends_a_farewell_is_forgotten() -> None:
    one, other = Peers(), Peers()
    connect(one, other)
    other.receive(one.farewell(), 1.0)
    assert other.is_alone


def test_a_process_without_messages_for_too_long_is_forgotten() -> None:
    one, other = Peers(), Peers()
    connect(one, other)
    assert other.expire(PEER_EXPIRY_SECONDS) == []
    one.ping()
    deliver(one, other, 10.0)
    assert other.expire(PEER_EXPIRY_SECONDS + 1) == []
    assert other.expire(10.0 + PEER_EXPIRY_SECONDS + 1) == [one.name]
    assert other.is_alone


def test_a_process_that_restarts_is_sent_everything_again() -> None:
    one, other = Peers(), Peers()
    connect(one, other)
    one.restart()
    assert one.is_alone
    assert deliver(one, other) == [True]
    assert deliver(other, one) == [True]


def test_nothing_is_sent_without_peers() -> None:
    alone = Peers()
    alone.announce_presence("table", [0])
    alone.announce_kept_dice("table", KeptDice(seat=0, roll_id=2, kept=[True]))
    alone.request_presence("table")
    assert not alone.has_messages.is_set()
    assert alone.take_messages() == []


def test_messages_are_signalled_until_they_are_taken() -> None:
    one, other = Peers(), Peers()
    connect(one, other)
    assert not one.has_messages.is_set()
    one.announce_presence("table", [0])
    assert one.has_messages.is_set()
    one.take_messages()
    assert not one.has_messages.is_set()


def test_messages_about_many_tables_are_split_to_fit_in_announcements() -> None:
    one, other = Peers(), Peers()
    connect(one, other)
    tables = [f"a-table-of-id-{number:06}" for number in range(2 * MAX_PEER_TABLES + 1)]
    for table in tables:
        one.announce_presence(table, range(12))
        one.announce_kept_dice(table, KeptDice(seat=11, roll_id=1_000_000, kept=[False] * 10))
        one.request_presence(table)
    lines = one.take_messages()
    assert len(lines) == 3 + 5 + 3
    assert max(map(len, lines)) < MAX_BYTES
    received = [other.receive(line, 0.0) for line in lines]
    messages = [found[0] for found in received if found]
    assert [table for message in messages for table in message.here] == tables
    assert [table for message in messages for table in message.kept] == tables
    assert sorted(table for message in messages for table in message.asks) == tables
    assert messages[0].here[tables[0]] == list(range(12))


def test_a_process_ignores_its_own_and_unreadable_messages() -> None:
    one = Peers()
    one.restart()
    assert [one.receive(line, 0.0) for line in one.take_messages()] == [None]
    assert one.receive("a message of a later fivedice", 0.0) is None
    assert one.is_alone
