"""Shards: 256 groups of tables, by which processes divide the tables among them.

The id of a table begins with its shard, so that anything that sees its address can tell it, such as a load balancer.

>>> shard_of("7aXq03bbUzk1FsCd2W")
'7a'
>>> owners("7a", 4)
(0, 2, 3, 1)
"""

import secrets
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b

SHARDS = tuple(f"{number:02x}" for number in range(256))


_KNOWN = frozenset(SHARDS)


def new_table_id(shards: Sequence[str]) -> str:
    """An id in one of these shards. It cannot be guessed, because the link to a table is the invitation to it."""
    return secrets.choice(shards) + secrets.token_urlsafe(12)


def shard_of(table: str) -> str:
    """The shard of a table; of an id that a client has made up, the first."""
    return table[:2] if table[:2] in _KNOWN else SHARDS[0]


@cache
def owners(shard: str, num_workers: int) -> tuple[int, ...]:
    """The workers in the order in which they should have the tables of a shard: the second if the first is gone, …

    By rendezvous hashing, so that each worker has its part of the shards, and of those of any worker that is gone.
    """
    return tuple(
        sorted(range(num_workers), key=lambda worker: blake2b(f"{shard} {worker}".encode(), digest_size=8).digest())
    )


def shards_of(worker: int, num_workers: int) -> tuple[str, ...]:
    """The shards that a worker is the first to have."""
    return tuple(shard for shard in SHARDS if owners(shard, num_workers)[0] == worker)
