"""`SameDice`: opens games on the same dice, gives people their tables, keeps each game secret from the others, and
shows what they may see: entries with results, and two of them compared."""

import asyncio
import dataclasses
from collections.abc import Set
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace
from sqlalchemy import Connection

from fivedice.base.errors import IllegalError, UnknownError
from fivedice.base.language import language
from fivedice.game.proof import commitment
from fivedice.server.clubs.clubs import Clubs, Player
from fivedice.server.games.compared_games import Made, compared, decisions_made
from fivedice.server.games.grading import Grader
from fivedice.server.identity.look_alike import skeleton
from fivedice.server.live.event_store import new_id, store_new
from fivedice.server.live.live_stream import change_duplicate, store_duplicate
from fivedice.server.live.live_table import LiveTable
from fivedice.server.live.registry import TableRegistry
from fivedice.server.matchmaking.duplicate import Duplicate, Opened
from fivedice.server.settings import Settings
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.table.available import available_here
from fivedice.server.table.create import NewTable, WantedSeat, create
from fivedice.server.table.event import Created, DuplicateEntry, TournamentLink
from fivedice.server.table.state import PERSON, Table, ruleset_of
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.streams import held_parents, tables_in
from fivedice.tournament.event import Change
from fivedice.views.duplicates import DuplicateComparisonView, DuplicateView


class HiddenError(UnknownError):
    """The table is somebody's game on the same dice, which the visitor may not see yet."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A duplicate as a holder sees it: `own` are the tables of theirs. `secret` is None until it has closed."""

    duplicate: Duplicate
    version: int
    own: Set[str]
    commitment: str
    secret: bytes | None

    @property
    def table(self) -> str | None:
        """Their table; somebody who came with two browsers may have two, of which one in progress comes first."""
        mine = (one for one in self.duplicate.entries if one.table in self.own)
        return next((one.table for one in sorted(mine, key=lambda one: one.ended is not None)), None)


@dataclass(eq=False)
class SameDice:
    """Decides in one transaction, in which no other process changes the game. All methods raise `UnavailableError`, and
    those with an id `UnknownError`."""

    _streams: TableRegistry
    _database: Database
    _settings: Settings
    _grader: Grader
    _clubs: Clubs

    @property
    def now(self) -> float:
        """Seconds since 1970."""
        return self._settings.clock()

    async def open(self, rules: str, seats: int, seconds: float) -> str:
        """A new duplicate under checked rules, and its id."""
        now, secret = self.now, self._settings.new_secret()
        first = Opened(at=now, id=new_id(), rules=rules, seats=seats, closes=now + seconds)
        await self._database.written(partial(store_duplicate, first=first, secret=secret))
        return first.id

    async def look(self, id: str, holder: str | None) -> Seen:
        """A duplicate, as a holder sees it, without the entries whose tables were deleted."""
        live = await self._streams.find_state(Duplicate, id)
        tables = await self._database.fetched(partial(tables_in, stream=id, holder=holder))
        entries = tuple(one for one in live.state.entries if one.table in tables)
        told = live.secret if live.state.is_closed(self.now) else None
        own = {table for table, is_own in tables.items() if is_own}
        return Seen(dataclasses.replace(live.state, entries=entries), live.version, own, commitment(live.secret), told)

    async def of_holder(self, holder: str | None, since: float) -> list[Duplicate]:
        """The duplicates with an entry of a holder that close after a time, the last to close first."""
        found = await self._database.fetched(partial(held_parents, holder=holder, closes_after=since))
        return [(await self._streams.find_state(Duplicate, id)).state for id in found]

    async def enter(self, id: str, holder: str, name: str, player: Player | None = None) -> str:
        """The table of a holder's game, a new one unless they have one; raises `IllegalError`. In a round of a
        tournament, it is that of a player."""
        now, table = self.now, new_id()
        holders = {holder, *(player.holders if player else ())}

        def write(connection: Connection) -> str:
            found = table

            def decide(before: Duplicate, secret: bytes) -> Change[Duplicate] | None:
                nonlocal found
                if own := [one for one, is_own in tables_in(connection, id, holder).items() if is_own]:
                    found = min(own)
                    return None
                entered = before.enter(table, name, now, player.number if player else None, skeleton)
                link = player.tournament if player else None
                created = entry_created(before, table, name, commitment(secret), now, link)
                store_new(connection, created, secret, [(0, one) for one in holders], parent=id)
                return entered

            change_duplicate(connection, id, table, decide)
            return found

        found = await self._database.written(write)
        self._streams.on_notice(id, 0)
        return found

    async def check_shown(self, live: LiveTable, holder: str | None) -> None:
        """Raise `HiddenError` if a table is a game on the same dice that a holder may not see yet."""
        duplicate = live.table.created.duplicate
        if duplicate is None or live.seats_of(holder) or self.now >= duplicate.closes:
            return
        seen = await self.look(duplicate.id, holder)
        if not seen.duplicate.shows_all(seen.own, self.now):
            raise HiddenError(
                "this game is on the same dice as others: you see it once you have finished yours, "
                "or the time for all has passed"
            )

    async def has_closed(self, table: Table) -> bool:
        """Whether the duplicate of a table has closed, so that its secret is told; false for any other table."""
        duplicate = table.created.duplicate
        return duplicate is not None and (await self.look(duplicate.id, None)).secret is not None

    async def view(self, id: str, holder: str | None, address: str) -> DuplicateView:
        """A game on the same dice."""
        return await self._view(await self.look(id, holder), holder, address)

    async def comparison(
        self, id: str, numbers: tuple[int, int], holder: str | None, address: str, lang: str
    ) -> DuplicateComparisonView:
        """Two entries beside each other; raises `HiddenError` and `IllegalError`."""
        seen = await self.look(id, holder)
        if not seen.duplicate.shows_all(seen.own, self.now):
            raise HiddenError("games are compared once you have finished yours, or the time for all has passed")
        games: list[list[Made]] = []
        for number in numbers:
            entry = next((one for one in seen.duplicate.entries if one.number == number), None)
            if entry is None:
                raise UnknownError(f"there is no entry {number} in this game")
            if entry.ended is None and seen.secret is None:
                raise IllegalError(f"{entry.name} is still playing")
            live = await self._streams.find(entry.table)
            graded = await self._grader.graded(live.id, live.table.ruleset, address)
            if graded is None:
                raise IllegalError(f"{live.table.ruleset.name} cannot be solved: no losses are known")
            games.append(await asyncio.to_thread(decisions_made, live.table, live.log, graded))
        sides = {one.number: one for one in (await self._view(seen, holder, address)).entries}
        first, second = (sides[number] for number in numbers)
        pairs = compared(games[0], games[1], language(lang) if first.is_yours else None)
        return DuplicateComparisonView(first, second, pairs)

    async def _view(self, seen: Seen, holder: str | None, address: str) -> DuplicateView:
        duplicate, now = seen.duplicate, self.now
        ruleset = await in_rules_thread(ruleset_of, duplicate.rules)
        graded = [one.table for one in duplicate.graded(seen.own, now)]
        lost = await self._grader.losses(ruleset, graded, address) if graded else None
        tournament = None
        if duplicate.tournament is not None:
            with suppress(UnknownError):  # it was deleted, and its rounds stay
                tournament = (await self._clubs.tournament(duplicate.tournament)).state
        return DuplicateView(
            id=duplicate.id,
            version=seen.version,
            rules=duplicate.rules,
            rules_name=ruleset.name,
            seats=duplicate.seats,
            opened=duplicate.opened,
            closes=duplicate.closes,
            is_closed=duplicate.is_closed(now),
            shows_all=duplicate.shows_all(seen.own, now),
            commitment=seen.commitment,
            secret=seen.secret.hex() if seen.secret is not None else None,
            is_approximate=available_here(ruleset).is_approximate,
            may_enter=not seen.own and duplicate.is_open(now) and await self._is_player(duplicate, holder),
            your_table=seen.table,
            entries=duplicate.entry_views(seen.own, lost or {}, now),
            tournament=tournament.id if tournament else None,
            tournament_name=tournament.settings.name if tournament else "",
        )

    async def _is_player(self, duplicate: Duplicate, holder: str | None) -> bool:
        """Whether a holder may play, who has no entry of theirs yet."""
        if duplicate.tournament is None:
            return True
        try:
            player = await self._clubs.player(duplicate.tournament, duplicate.id, holder)
        except (IllegalError, UnknownError):
            return False
        return player.number not in (one.number for one in duplicate.entries)


def entry_created(
    duplicate: Duplicate, table: str, name: str, commitment: str, now: float, tournament: TournamentLink | None = None
) -> Created:
    """The first event of somebody's game."""
    wanted = NewTable([WantedSeat(PERSON, name, here=True)], duplicate.rules)
    created = create(wanted, table, commitment, now)
    return replace(created, duplicate=DuplicateEntry(duplicate.id, duplicate.closes), tournament=tournament)
