"""`PersistentClient`: asks for something until a server under faults answers, and says what it waits for."""

import random
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from tests.reliability.client import Client
from tests.reliability.ledger import Json, Ledger

RULES = "poker_dice"
"""The shortest game: there is more to lose beside it the sooner games end."""

Persist = Callable[[Callable[[], Awaitable[Any]]], Awaitable[Any]]
"""Does work again until no fault disturbs it."""


class PersistentClient:
    """People with a browser each, who play at tables of `client`. `waits_for` is empty between two things to do."""

    def __init__(self, client: Client, persist: Persist, rng: random.Random) -> None:
        self._client = client
        self._ledger: Ledger = client.ledger
        self._persist = persist
        self._rng = rng
        self.waits_for = ""

    async def _ask(self, path: str, body: Json | None = None, cookie: str = "") -> Json:
        found: Json = await self._persist(partial(self._client.ask, path, body, cookie))
        return found

    async def _scores(self, table: str, cookie: str = "") -> list[int | None] | None:
        """The final scores of a game by seat, None for who gave up; None if it was not played to its end."""
        view = (await self._ask(f"/api/tables/{table}", cookie=cookie))["view"]
        scores = [None if seat["resigned"] else seat["card"]["total"] for seat in view["seats"]]
        return scores if view["state"] == "over" else None
