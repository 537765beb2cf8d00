"""Processes on one database learn of each other from messages alone."""

from fivedice.server.cluster.bus import PEERS
from fivedice.server.cluster.peers import Peers, Received
from fivedice.server.config.limits import MAX_PEER_TABLES, PEER_EXPIRY_SECONDS
from fivedice.server.config.shards import SHARDS, shard_of
from fivedice.server.table.messages import KeptDice, Reaction
from fivedice.storage.rows.event import MAX_LINE_BYTES

TABLE = "7aXq03bbUzk1FsCd2W"
KEPT = KeptDice(seat=0, roll_id=2, kept=[True])


def deliver(sender: Peers, receiver: Peers, now: float = 0.0) -> list[Received]:
    """Deliver all messages of one process to another, and return what it received."""
    received = [receiver.receive(line, now) for _, line in sender.take_messages()]
    return [found for found in received if found]


def connected(*shards: frozenset[str]) -> list[Peers]:
    """Processes that listen to these shards, and know of each other."""
    peers = [Peers() for _ in shards]
    for peer, own in zip(peers, shards, strict=True):
        peer.restart()
        peer.listen(own)
    for _ in range(3):
        sent = [line for peer in peers for _, line in peer.take_messages()]
        for peer in peers:
            for line in sent:
                peer.receive(line, 0.0)
    return peers


NONE, ITS = frozenset[str](), frozenset({shard_of(TABLE)})


def test_a_new_process_learns_of_the_others_and_of_their_shards() -> None:
    one, other = Peers(), Peers()
    other.listen(ITS)
    other.take_messages()
    one.restart()
    assert [found.added for found in deliver(one, other)] == [NONE]
    assert [found.added for found in deliver(other, one)] == [ITS]  # it answers
    assert one.is_heard(TABLE)
    assert not other.is_heard(TABLE)
    assert [found.added for found in deliver(one, other)] == [NONE]  # so does the first, which is now known
    assert deliver(other, one) == []


def test_a_process_that_listens_to_another_shard_says_so_once() -> None:
    one, other = connected(NONE, NONE)
    one.listen(ITS)
    assert [found.added for found in deliver(one, other)] == [ITS]
    one.listen(ITS)
    assert [found.added for found in deliver(one, other)] == [NONE]
    one.listen(NONE)
    assert [found.added for found in deliver(one, other)] == [NONE]
    assert not other.is_heard(TABLE)


def test_a_process_wants_the_shards_of_its_tables() -> None:
    one = Peers()
    called: list[set[str]] = []
    one.on_wanted = lambda: called.append(set(one.wanted))
    for _ in range(2):
        one.want(TABLE)
    assert called == [set(ITS)]
    one.want_only([])
    assert one.wanted == ITS, "it was used since the last time"
    one.want_only([TABLE])
    assert one.wanted == ITS
    one.want_only([])
    assert one.wanted == set()
    assert not one.hears(TABLE), "it does not listen yet"
    one.listen(ITS)
    assert one.hears(TABLE)


def test_the_only_process_on_a_database_hears_everything_and_wants_nothing() -> None:
    alone = Peers(is_shared=False)
    alone.want(TABLE)
    assert (alone.hears(TABLE), alone.wanted) == (True, set())


def test_a_process_that_sends_a_farewell_is_forgotten() -> None:
    one, other = connected(ITS, NONE)
    assert other.is_heard(TABLE)
    other.receive(one.farewell(), 1.0)
    assert not other.is_heard(TABLE)


def test_a_process_without_messages_for_too_long_is_forgotten() -> None:
    one, other = connected(ITS, NONE)
    assert other.expire(PEER_EXPIRY_SECONDS) == []
    one.ping()
    deliver(one, other, 10.0)
    assert other.expire(PEER_EXPIRY_SECONDS + 1) == []
    assert other.is_heard(TABLE)
    assert other.expire(10.0 + PEER_EXPIRY_SECONDS + 1) == [one.name]
    assert not other.is_heard(TABLE)


def test_of_each_seat_the_last_reaction_is_sent() -> None:
    one, other = connected(ITS, ITS)
    for reaction in (Reaction(0, "hello"), Reaction(1, "thanks"), Reaction(0, "oops")):
        one.announce_reaction(TABLE, reaction)
    [found] = deliver(one, other)
    assert found.message.reactions == {TABLE: [Reaction(1, "thanks"), Reaction(0, "oops")]}
    assert deliver(one, other) == []


def test_a_known_process_that_restarts_may_have_lost_messages_and_is_told_everything_again() -> None:
    one, other = connected(ITS, ITS)
    one.restart()
    assert not one.is_heard(TABLE)
    assert [(found.has_gap, found.added) for found in deliver(one, other)] == [(True, ITS)]
    assert [(found.has_gap, found.added) for found in deliver(other, one)] == [(False, ITS)]


def test_what_is_about_a_table_is_sent_to_those_that_listen_to_its_shard() -> None:
    one, _ = connected(NONE, ITS)
    one.announce_presence(TABLE, [1, 0])
    one.announce_kept_dice(TABLE, KEPT)
    one.request_presence(TABLE, 7)
    assert [channel for channel, _ in one.take_messages()] == [shard_of(TABLE)] * 3


def test_nothing_about_a_table_is_sent_if_no_other_process_listens_to_its_shard() -> None:
    one, _ = connected(ITS, frozenset(SHARDS) - ITS)
    one.announce_presence(TABLE, [0])
    one.announce_kept_dice(TABLE, KEPT)
    one.announce_reaction(TABLE, Reaction(0, "hello"))
    one.request_presence(TABLE, 7)
    assert not one.has_messages.is_set()
    assert one.take_messages() == []


def test_messages_are_signalled_until_they_are_taken() -> None:
    one, _ = connected(NONE, ITS)
    assert not one.has_messages.is_set()
    one.announce_presence(TABLE, [0])
    assert one.has_messages.is_set()
    one.take_messages()
    assert not one.has_messages.is_set()


def test_messages_about_many_tables_are_split_to_fit_in_lines() -> None:
    one, other = connected(NONE, frozenset(SHARDS))
    tables = [f"7a-table-of-id-{number:06}" for number in range(2 * MAX_PEER_TABLES + 1)]
    for table in tables:
        one.announce_presence(table, range(12))
        one.announce_kept_dice(table, KeptDice(seat=11, roll_id=1_000_000, kept=[False] * 10))
        for seat in range(12):
            one.announce_reaction(table, Reaction(seat, "well_played"))
        one.request_presence(table, 1_000_000)
    lines = [line for _, line in one.take_messages()]
    assert len(lines) == 3 + 5 + 21 + 3
    assert max(map(len, lines)) < MAX_LINE_BYTES
    received = [other.receive(line, 0.0) for line in lines]
    messages = [found.message for found in received if found]
    assert [table for message in messages for table in message.here] == tables
    assert [table for message in messages for table in message.kept] == tables
    assert [table for message in messages for table in message.reactions] == tables
    assert [table for message in messages for table in message.asks] == tables
    assert messages[0].here[tables[0]] == list(range(12))


def test_the_shards_of_a_process_fit_in_a_line() -> None:
    one = Peers()
    one.listen(frozenset(SHARDS))
    [(channel, line)] = one.take_messages()
    assert channel == PEERS
    assert len(line) < MAX_LINE_BYTES


def test_a_process_ignores_its_own_and_unreadable_messages() -> None:
    one = Peers()
    one.restart()
    assert [one.receive(line, 0.0) for _, line in one.take_messages()] == [None]
    assert one.receive("a message of a later fivedice", 0.0) is None
    assert one.expire(PEER_EXPIRY_SECONDS + 1) == []
