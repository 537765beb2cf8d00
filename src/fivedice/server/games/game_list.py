"""`GameList`: the list of a holder's games, which is read in parts: games that have ended from grades, others live."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf, isfinite

from fivedice.base.errors import MalformedError, UnavailableError, UnknownError, shown
from fivedice.game.record_lines import began_at
from fivedice.server.games.grading import Grader
from fivedice.server.replies.asking import KnownTable
from fivedice.server.replies.games import GamesView, GameView, game_view
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.table.state import LOCAL, State, ruleset_of
from fivedice.server.table.to_record import record_seats
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.held_grades import ListedSeat, listed_seats
from fivedice.storage.rows.listed_games import ListedGame, Place, listed_games
from fivedice.storage.rows.records import NO_SEAT, PlayedBy
from fivedice.views.games import PlayedSeatView, PlayedWithView


def played_with(records: Iterable[PlayedBy]) -> list[PlayedWithView]:
    """The people of imported games, those first among whom the holder has not chosen their own name."""
    games: dict[tuple[str, ...], int] = {}
    own: dict[tuple[str, ...], set[str | None]] = {}
    for one in records:
        names = names_of(one.people)
        games[names] = games.get(names, 0) + one.num
        own.setdefault(names, set()).add(_own_name(one))
    # Until all games have an answer there is a question; two answers come from two exports.
    found = [
        PlayedWithView(
            list(names), num, None if None in own[names] else min(name for name in own[names] if name is not None)
        )
        for names, num in games.items()
    ]
    return sorted(found, key=lambda one: (one.own is not None, -one.games, one.names))


def own_seat(people: Mapping[int, str], known: Iterable[PlayedBy]) -> int | None:
    """The holder's seat among these people, or `NO_SEAT`; None unless it follows from what they said of other games.

    They said which of the same people they are, or one of the names is theirs in other games and no other name is.
    """
    known = list(known)
    names = names_of(people)
    said = {_own_name(one) for one in known if names_of(one.people) == names} - {None}
    if not said:
        said = {_own_name(one) for one in known} & set(names)
    if len(said) != 1:
        return None
    return seat_named(people, said.pop() or "")


def seat_named(people: Mapping[int, str], name: str) -> int:
    """The first seat of a name, `NO_SEAT` without one."""
    return next((seat for seat, other in people.items() if other == name), NO_SEAT)


def names_of(people: Mapping[int, str]) -> tuple[str, ...]:
    """The names of people, each once and in order."""
    return tuple(sorted(set(people.values())))


def _own_name(one: PlayedBy) -> str | None:
    """The holder's name in these records, empty if they played none of the seats, None if unknown."""
    return None if one.seat is None else one.people.get(one.seat, "")


MAX_LISTED_GAMES = 1_000
"""Tables that figures and an export cover, the most recent ones."""


class GameList:
    """Reads parts of the list. `find` returns a table. All methods must be called on the event loop's thread."""

    def __init__(self, database: Database, grader: Grader, find: Callable[[str], Awaitable[KnownTable]]) -> None:
        self._database = database
        self._grader = grader
        self._find = find

    async def page(self, holder: str | None, limit: int, before: str = "") -> GamesView:
        """Up to `limit` games of a holder after those of the part whose `next` is `before`.

        Raises `MalformedError`, and `UnavailableError`.
        """
        place = _parse_place(before) if before else None
        if holder is None:
            return GamesView([], 0, None)
        read = partial(listed_games, holder=holder, num_tables=limit + 1, num_records=limit + 1, after=place)
        found = await self._database.fetched(read)
        chosen, more = found[:limit], found[limit:]
        tables = [one.key for one in chosen if not one.is_record]
        await self._grader.read(tables, [bytes.fromhex(one.key) for one in chosen if one.is_record])
        ended = await self._database.fetched(partial(listed_seats, games=[one.key for one in chosen]))
        views = [await self._game(one, ended.get(one.key, ())) for one in chosen]
        games = [one for one in views if one is not None]
        return GamesView(games, len(chosen) - len(games), _place(chosen[-1]) if more else None)

    async def _game(self, one: ListedGame, seats: Sequence[ListedSeat]) -> GameView | None:
        """A game with its seats if it has ended; None if it cannot be read."""
        if seats:
            return await _ended(one, seats)
        if one.is_record:
            return None
        try:
            table = (await self._find(one.key)).table
        except (UnknownError, UnavailableError):
            return None
        players = [
            replace(player, name=seat.name) for player, seat in zip(record_seats(table), table.seats, strict=True)
        ]
        view = partial(game_view, table=table.id, yours=one.seats, at=table.created.at, updated=one.at)
        return view(table.state, players, table.position, dice=table.created.dice)


async def _ended(one: ListedGame, seats: Sequence[ListedSeat]) -> GameView:
    first = seats[0]
    ruleset = await in_rules_thread(ruleset_of, first.rules, first.toml)
    local = one.table if one.table and one.table.startswith(LOCAL) else None
    return GameView(
        table=local if one.is_record else one.key,
        rules=str(ruleset),
        name=ruleset.name,
        state=State.OVER if first.is_over else State.CLOSED,
        seats=[PlayedSeatView(seat.name, seat.kind, seat.total, seat.rank, seat.resigned) for seat in seats],
        yours=list(one.seats),
        round=None,
        rounds=ruleset.rounds,
        to_move=None,
        at=began_at(first.date),
        updated=one.at,
        imported=one.imported,
        offline=local is not None,
        dice=first.dice,
    )


def _place(last: ListedGame) -> str:
    """The place after the last game of a part, as text."""
    return f"{last.at!r}~{'record' if last.is_record else 'table'}~{last.key}"


def _parse_place(text: str) -> Place:
    """The same place; raises `MalformedError`."""
    found = re.fullmatch(r"(-?[0-9.e+-]{1,30})~(?:table~([A-Za-z0-9_-]{1,64})|record~([0-9a-f]{64}))", text)
    try:
        at = float(found[1]) if found else inf
    except ValueError:
        at = inf
    if found is None or not isfinite(at):
        raise MalformedError(f"before {shown(text)}: want the `next` of the part before")
    return -at, found[2] is None, found[2] or found[3]
