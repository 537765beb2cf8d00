"""`SameDice`: what is shown of games on the same dice: their entries with results, and two of them compared."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from fivedice.base.errors import IllegalError, UnknownError
from fivedice.base.language import language
from fivedice.server.clubs.clubs import Clubs
from fivedice.server.games.compared_games import Made, compared, decisions_made
from fivedice.server.games.grading import Grader
from fivedice.server.live.duplicates import Duplicates, HiddenError, Seen
from fivedice.server.live.registry import TableRegistry
from fivedice.server.matchmaking.duplicate import Duplicate
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.table.available import available_here
from fivedice.server.table.state import ruleset_of
from fivedice.views.duplicates import DuplicateComparisonView, DuplicateView


@dataclass(eq=False)
class SameDice:
    """Shows to a holder what they may see; all methods raise `UnknownError` and `UnavailableError`."""

    _duplicates: Duplicates
    _grader: Grader
    _clubs: Clubs
    _tables: TableRegistry
    _clock: Callable[[], float]

    async def view(self, id: str, holder: str | None, address: str) -> DuplicateView:
        """A game on the same dice."""
        return await self._view(await self._duplicates.look(id, holder), holder, address)

    async def comparison(
        self, id: str, numbers: tuple[int, int], holder: str | None, address: str, lang: str
    ) -> DuplicateComparisonView:
        """Two entries beside each other; raises `HiddenError` and `IllegalError`."""
        seen = await self._duplicates.look(id, holder)
        if not seen.duplicate.shows_all(seen.own, self._clock()):
            raise HiddenError("games are compared once you have finished yours, or the time for all has passed")
        games: list[list[Made]] = []
        for number in numbers:
            entry = next((one for one in seen.duplicate.entries if one.number == number), None)
            if entry is None:
                raise UnknownError(f"there is no entry {number} in this game")
            if entry.ended is None and seen.secret is None:
                raise IllegalError(f"{entry.name} is still playing")
            live = await self._tables.find(entry.table)
            graded = await self._grader.graded(live.id, live.table.ruleset, address)
            if graded is None:
                raise IllegalError(f"{live.table.ruleset.name} cannot be solved: no losses are known")
            games.append(await asyncio.to_thread(decisions_made, live.table, live.log, graded))
        sides = {one.number: one for one in (await self._view(seen, holder, address)).entries}
        first, second = (sides[number] for number in numbers)
        pairs = compared(games[0], games[1], language(lang) if first.is_yours else None)
        return DuplicateComparisonView(first, second, pairs)

    async def _view(self, seen: Seen, holder: str | None, address: str) -> DuplicateView:
        duplicate, now = seen.duplicate, self._clock()
        ruleset = await in_rules_thread(ruleset_of, duplicate.rules)
        graded = [one.table for one in duplicate.graded(seen.own, now)]
        lost = await self._grader.losses(ruleset, graded, address) if graded else None
        tournament = await self._clubs.tournament(duplicate.tournament) if duplicate.tournament else None
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
            your_table=min(seen.own, default=None),
            entries=duplicate.entry_views(seen.own, lost or {}, now),
            tournament=duplicate.tournament,
            tournament_name=tournament.state.settings.name if tournament else "",
        )

    async def _is_player(self, duplicate: Duplicate, holder: str | None) -> bool:
        """Whether a holder may play, who has no entry of theirs yet."""
        if duplicate.tournament is None:
            return True
        try:
            player = await self._clubs.player(duplicate.tournament, duplicate.id, holder)
        except IllegalError:
            return False
        return player.number not in (one.number for one in duplicate.entries)
