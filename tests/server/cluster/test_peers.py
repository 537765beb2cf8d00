"""Peers: what processes on one database know of each other, from nothing but each other's words."""

from fivedice.server.cluster.peers import LOST_SECONDS, MAX_TABLES, Peers
from fivedice.storage.notify.announcements import MAX_BYTES


def tell(sender: Peers, receiver: Peers, now: float = 0.0) -> list[bool]:
    """Have one process hear all that another has to say; whether each word was the first of an unknown one."""
    heard = [receiver.hear(line, now) for line in sender.take()]
    return [found[1] for found in heard if found]


def met(*peers: Peers) -> None:
    """Let processes begin, and hear each other until nothing is left to say."""
    for peer in peers:
        peer.begin()
    for _ in range(3):
        said = {peer.name: peer.take() for peer in peers}
        for peer in peers:
            for lines in said.values():
                for line in lines:
                    peer.hear(line, 0.0)


def test_a_process_that_begins_is_told_of_those_that_are_there() -> None:
    one, other = Peers(), Peers()
    one.begin()
    assert tell(one, other) == [True]
    assert not other.is_alone
    assert one.is_alone
    assert tell(other, one) == [True]  # it answers with its life
    assert not one.is_alone
    assert tell(one, other) == [False]  # so does this one, of which nothing is new
    assert tell(other, one) == []


def test_a_process_that_takes_its_leave_is_forgotten() -> None:
    one, other = Peers(), Peers()
    met(one, other)
    other.hear(one.farewell(), 1.0)
    assert other.is_alone


def test_a_process_that_is_silent_too_long_is_lost() -> None:
    one, other = Peers(), Peers()
    met(one, other)
    assert other.lose(LOST_SECONDS) == []
    one.beat()
    tell(one, other, 10.0)
    assert other.lose(LOST_SECONDS + 1) == []
    assert other.lose(10.0 + LOST_SECONDS + 1) == [one.name]
    assert other.is_alone


def test_a_process_that_hears_again_after_a_while_is_told_everything_again() -> None:
    one, other = Peers(), Peers()
    met(one, other)
    one.begin()
    assert one.is_alone
    assert tell(one, other) == [True]
    assert tell(other, one) == [True]


def test_nobody_is_told_anything_while_there_is_nobody() -> None:
    alone = Peers()
    alone.say_here("table", [0])
    alone.ask("table")
    assert alone.take() == []


def test_what_is_said_of_many_tables_is_said_in_parts_that_an_announcement_holds() -> None:
    one, other = Peers(), Peers()
    met(one, other)
    tables = [f"a-table-of-id-{number:06}" for number in range(2 * MAX_TABLES + 1)]
    for table in tables:
        one.say_here(table, range(12))
        one.ask(table)
    lines = one.take()
    assert len(lines) == 6
    assert max(map(len, lines)) < MAX_BYTES
    heard = [other.hear(line, 0.0) for line in lines]
    words = [found[0] for found in heard if found]
    assert [table for word in words for table in word.here] == tables
    assert sorted(table for word in words for table in word.asks) == tables
    assert words[0].here[tables[0]] == list(range(12))


def test_a_process_does_not_hear_itself_nor_what_it_cannot_read() -> None:
    one = Peers()
    one.begin()
    assert [one.hear(line, 0.0) for line in one.take()] == [None]
    assert one.hear("a word of a later fivedice", 0.0) is None
    assert one.is_alone
