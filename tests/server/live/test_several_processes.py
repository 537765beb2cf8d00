"""Several processes that show one table agree with its log, whatever commands come to which of them."""

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from fivedice.game.proof import commitment
from fivedice.server.identity.holders import COOKIE, Visitor
from fivedice.server.live.event_store import new_id
from fivedice.server.live.notices import tell_once
from fivedice.server.live.subscriber import Subscriber
from fivedice.server.services import Services
from fivedice.server.table.answers import Accepted
from fivedice.server.table.create import NewTable, WantedSeat, create
from fivedice.server.table.decide import is_bots_turn
from fivedice.server.table.history import History, decode
from fivedice.server.table.state import HIGHEST_ROLL, PERSON
from fivedice.server.table.verbs import AnyCommand, AnyEvent, end
from fivedice.server.table.verbs.play import Roll
from fivedice.server.table.view import view
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.deletion import find
from fivedice.storage.rows.holders import new_secret
from fivedice.storage.rows.streams import hold_seat, load_stream
from tests.amount import amount
from tests.reliability.ledger import view_digest
from tests.server.live.living import TABLE, processes
from tests.server.scripted import SECRET, people
from tests.server.table.test_any_commands import BEHIND, COMMANDS, FIELDS, RULESETS, due, likely_seats
from tests.storage.empty import empty_postgres
from tests.waiting import TEST_SECONDS, wait_for_async

GAMES = amount(4, full=60)
"""The number of games, and as many more as every verb needs."""


class Process:
    def __init__(self, services: Services, stack: AsyncExitStack) -> None:
        self.services = services
        self._stack = stack
        self.shown: Any = {"version": 0}
        """The view in the last update that the watcher received."""

    async def show(self, id: str) -> None:
        self.live = await self.services.tables.find(id)
        visitor = Visitor(new_secret(), None)
        subscriber = await self.services.tables.subscribe(self.live, visitor, 0, "192.0.2.1")
        self._stack.callback(self.services.tables.unsubscribe, self.live, subscriber)
        self._stack.callback(asyncio.create_task(self._read(subscriber)).cancel)

    async def _read(self, subscriber: Subscriber) -> None:
        async for message in subscriber.messages(quiet=TEST_SECONDS):
            found = msgspec.json.decode(message)
            if found["type"] == "update":
                self.shown = found["view"]

    async def send(self, key: str, command: AnyCommand) -> None:
        visitor = await self.services.holders.visitor({COOKIE: key})
        await self.services.command_handler.handle(self.live, visitor, command, "192.0.2.1")

    def digests(self) -> set[bytes]:
        """Those of the view that it would make now, and of the one that it has shown last."""
        made = msgspec.to_builtins(self.services.tables.view_of(self.live))
        return {view_digest(made), view_digest(self.shown)}


async def play(services: list[Services], chance: Random, accepted: Counter[str]) -> None:
    """Create a table, send any commands to any processes, and compare all processes after each few."""
    ruleset, first = chance.choice(list(RULESETS.values())), chance.choice(["0", HIGHEST_ROLL])
    seats = [WantedSeat(PERSON, "p0", here=True), WantedSeat(chance.choice([PERSON, "random"])), WantedSeat(PERSON)]
    assert ruleset.file
    toml = "" if ruleset.file.is_shipped else ruleset.file.text
    wanted = NewTable(seats=seats, rules=str(ruleset), toml=toml, first=first)
    now = services[0].settings.clock()
    created = create(wanted, new_id(), commitment(SECRET), now)
    ann, ben = new_secret(), new_secret()
    await services[0].tables.create(created, SECRET, Visitor(ann, None), [0])
    async with AsyncExitStack() as stack:
        shown = [Process(one, stack) for one in services]
        for process in shown:
            await process.show(created.table)
        for _ in range(amount(50, full=80)):
            table = shown[0].live.table
            sent = []
            for number in range(chance.choice([1, 1, 2, 3])):
                # Several times those that continue the game, which is seldom closed early.
                undo = [] if table.undo_seat is None else [end.Undo] * 4
                others = [kind for kind in COMMANDS if kind is not end.Close or table.version > 15]
                kind: Any = chance.choice([*due(table) * 6, *others, *undo])
                seat = chance.choice([*likely_seats(table, kind) * 4, 0, 1, 2])
                fields = {name: FIELDS[name](table, chance.choice) for name in kind.__struct_fields__ if name in FIELDS}
                version = max(1, table.version - chance.choice(BEHIND))
                command = kind(id=f"command-{number}-{chance.getrandbits(64):x}", version=version, seat=seat, **fields)
                sent.append(chance.choice(shown).send(ann if seat == 0 else ben, command))
            await asyncio.gather(*sent)
            fresh = await agreed(created.table, shown)
        accepted.update(type(event).__name__ for event in fresh)


async def agreed(id: str, shown: list[Process]) -> list[AnyEvent]:
    """Wait until all processes have read the log to its end and nobody but people is to move; compare their views.

    Returns the events.
    """
    while True:
        stored = await asyncio.to_thread(
            shown[0].services.database.read, lambda connection: load_stream(connection, id)
        )
        assert stored
        fresh = History(stored.entries, stored.toml).table
        seen = {process.live.table.version for process in shown} | {process.shown["version"] for process in shown}
        if seen == {fresh.version} and not is_bots_turn(fresh):
            break
        await asyncio.sleep(0.01)
    wanted = view_digest(msgspec.to_builtins(view(fresh, secret=SECRET)))
    for process in shown:
        assert process.digests() == {wanted}, f"{id} at version {fresh.version}"
    return [decode(entry.body) for entry in stored.entries]


async def test_every_process_shows_the_view_that_is_made_afresh_of_the_log(postgres: str, tmp_path: Path) -> None:
    url, chance, accepted = empty_postgres(postgres), Random(3), Counter[str]()
    async with processes(3, url, tmp_path, pace=0.0) as services, asyncio.timeout(0.9 * TEST_SECONDS):
        for one in services:
            assert one.notices
            one.notices.start()
        for _ in range(GAMES):
            await play(services, chance, accepted)
        while not accepted.keys() >= {kind.becomes.__name__ for kind in COMMANDS}:
            await play(services, chance, accepted)


@pytest.mark.parametrize("kind", ["person", "name"])
async def test_a_name_that_is_deleted_is_soon_shown_by_no_process(postgres: str, tmp_path: Path, kind: str) -> None:
    url = empty_postgres(postgres)
    async with processes(1, url, tmp_path) as (services,):
        assert services.notices
        services.notices.start()
        await wait_for_async(lambda: services.tables.is_notified, "it listens")
        ann, ben = Visitor(new_secret(), None), Visitor(new_secret(), None)
        created = create(NewTable(people("Ann", "Ben")), TABLE, commitment(SECRET), 1.0)
        live = await services.tables.create(created, SECRET, ann, [0])
        holder = await services.holders.ensure(ben, 1.0)
        await services.database.written(lambda c: hold_seat(c, TABLE, 1, holder, 1.0))
        watcher = await services.tables.subscribe(live, ben, 0, "192.0.2.1")
        ann = await services.holders.visitor({COOKIE: ann.key})
        roll = Roll(id="roll", version=1, seat=0, kept=[])
        assert await services.command_handler.handle(live, ann, roll, "192.0.2.1") == Accepted("roll", 2)

        database = Database(url)  # of `fivedice forget`
        database.on_commit = partial(tell_once, database.arguments)
        which = {"person": f"{TABLE}:0", "name": "Ann"}[kind]
        await database.written(lambda c: find(c, kind, which, "", 1.0).delete(c))
        await asyncio.to_thread(database.close)
        await wait_for_async(lambda: watcher.is_closing, "its clients connect again")
        services.tables.unsubscribe(live, watcher)
        assert [seat.name for seat in (await services.tables.find(TABLE)).table.seats] == ["Player 1", "Ben"]
