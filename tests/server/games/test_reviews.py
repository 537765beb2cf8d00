"""`Reviews`: a review is kept once it has all its parts, and not before."""

import asyncio
from collections.abc import AsyncIterator
from itertools import product
from typing import Any, cast

import pytest

from fivedice.proof import commitment
from fivedice.server.games.library import Library
from fivedice.server.games.reviews import EncodedReview, Reviews
from fivedice.server.solving.queue import SolutionQueue
from fivedice.server.table.apply import start
from fivedice.server.table.create import NewTable, WantedSeat, create
from fivedice.server.table.state import Table

PARTS = ("breakdown", "scale", "estimator")


class Solutions:
    """A queue that has the solution of all rules, and these parts of it."""

    def __init__(self, parts: set[str]) -> None:
        self.parts = parts

    def solution(self, ruleset: object, whos: object) -> object:
        return object()

    def breakdown(self, ruleset: object, whos: object) -> object | None:
        return self._part("breakdown")

    def scale(self, ruleset: object, whos: object) -> object | None:
        return self._part("scale")

    def estimator(self, ruleset: object, whos: object) -> object | None:
        return self._part("estimator")

    def refusal(self, ruleset: object, kind: str) -> str:
        return ""

    def progress(self, ruleset: object, kind: str) -> float:
        return 0.5

    def saved(self, ruleset: object) -> None:
        return None

    def _part(self, name: str) -> object | None:
        return object() if name in self.parts else None


class Counting:
    """A library whose reviews are numbers, so that a new one differs from a kept one."""

    def __init__(self) -> None:
        self.num = 0

    async def pieces(self, *args: object, **kwargs: object) -> AsyncIterator[list[bytes]]:
        self.num += 1
        yield [str(self.num).encode()]


def table(num_seats: int) -> Table:
    wanted = NewTable(rules="crag", seats=[WantedSeat("greedy") for _ in range(num_seats)])
    return start(create(wanted, "k7Qm2x", commitment(bytes(32)), 0.0))


def reviewed_twice(parts: set[str], num_seats: int) -> tuple[EncodedReview, EncodedReview]:
    reviews = Reviews(cast("Library", cast("Any", Counting())), cast("SolutionQueue", cast("Any", Solutions(parts))))

    async def ask() -> tuple[EncodedReview, EncodedReview]:
        first = await reviews.of_table(table(num_seats), "en")
        second = await reviews.of_table(table(num_seats), "en")
        assert first
        assert second
        return first, second

    return asyncio.run(ask())


@pytest.mark.parametrize(("num_seats", "has"), [*product([1, 2], product([False, True], repeat=len(PARTS)))])
def test_a_review_is_kept_only_with_all_its_parts(num_seats: int, has: tuple[bool, ...]) -> None:
    parts = {part for part, is_there in zip(PARTS, has, strict=True) if is_there}
    needed = {*PARTS} if num_seats > 1 else {"breakdown", "scale"}  # a game alone has no odds
    first, second = reviewed_twice(parts, num_seats)
    assert first.is_complete == (needed <= parts)
    assert (first.json == second.json) == (needed <= parts)
