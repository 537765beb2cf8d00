"""Games that a worker process replays: `run_batch`, over stored games, which it keeps; `read_record`, for an import.

The server names games by key and sends those that the process does not have. A batch ends after `BATCH_SECONDS`, so
that the batches of all who wait take turns, and work can be cancelled between two of them.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Concatenate, Generic, ParamSpec, TypeAlias, TypeVar, cast

from cachetools import LRUCache

from fivedice.base.errors import MalformedError, shown
from fivedice.game.record import Record, parse_record
from fivedice.game.record_lines import began_at
from fivedice.rulesets.compact import compact_text
from fivedice.server.config.limits import BATCH_SECONDS, GAME_BATCH, MAX_CACHED_GAMES
from fivedice.server.table.state import State, ruleset_of
from fivedice.server.table.to_record import TableLog
from fivedice.views.record_check import RecordCheckView, record_check_view

P = ParamSpec("P")
T = TypeVar("T")

Key: TypeAlias = tuple[str | bytes, int]
"""A table and its version, or the hash of an imported record and 0."""


@dataclass(frozen=True, slots=True)
class RecordSource:
    """An imported record, and the text of custom rules that it does not contain."""

    text: str
    toml: str


Source: TypeAlias = TableLog | RecordSource


@dataclass(frozen=True, slots=True)
class WantedGame:
    """A game and the holder's seats in it."""

    key: Key
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A game, the holder's seats in it, and the names at its seats, empty for a free one. `rated` are the seats of
    people who decided everything themselves, none at a casual table, nor for an imported record, which does not tell.
    `results` are what was found of it, by function and seats."""

    key: Key
    seats: tuple[int, ...]
    state: State
    record: Record
    names: tuple[str, ...]
    rated: frozenset[int] = frozenset()
    results: dict[object, Any] = field(default_factory=dict)

    def once(self, function: "Callable[Concatenate[ReplayedGame, P], T]", *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function for this game, which is kept with the game."""
        key = function, self.seats
        if key not in self.results:
            self.results[key] = function(self, *args, **kwargs)
        return cast("T", self.results[key])


@dataclass(frozen=True, slots=True)
class Batch(Generic[T]):
    """The result for the first `num_done` of the wanted games.

    `missing` are games that the next batch needs; `unreadable` says what is wrong with games that were left out.
    """

    result: T
    num_done: int
    missing: list[Key]
    unreadable: list[str]


@dataclass(eq=False)
class _Games:
    """Replays games one after another, until the time is over or one is missing."""

    wanted: Sequence[WantedGame]
    sources: Mapping[Key, Source | None]
    num_done: int = 0
    missing: list[Key] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[ReplayedGame]:
        until = time.monotonic() + BATCH_SECONDS
        for one in self.wanted:
            if self.num_done and time.monotonic() > until:
                return
            found = _games.get(one.key)
            if found is None and one.key not in self.sources:
                unknown = (wanted.key for wanted in self.wanted[self.num_done :] if wanted.key not in _games)
                self.missing = [key for key, _ in zip(unknown, range(GAME_BATCH), strict=False)]
                return
            self.num_done += 1
            if found is None:
                found = self._replay(one)
            if found is not None:
                yield replace(found, seats=one.seats)

    def _replay(self, wanted: WantedGame) -> ReplayedGame | None:
        source = self.sources[wanted.key]
        if source is None:
            return None  # deleted since the server listed it
        try:
            found = _games[wanted.key] = ReplayedGame(wanted.key, wanted.seats, *replayed(source))
        except Exception as error:  # noqa: BLE001
            # Whatever is wrong with it, a damaged game must not hide the others.
            self.unreadable.append(f"{_name(wanted.key)} cannot be read: {error or type(error).__name__}")
            return None
        return found


_games: LRUCache[Key, ReplayedGame] = LRUCache(MAX_CACHED_GAMES)
"""The games of this process, by key."""


def run_batch(
    function: Callable[Concatenate[Iterable[ReplayedGame], P], T],
    wanted: Sequence[WantedGame],
    sources: Mapping[Key, Source | None],
    *args: P.args,
    **kwargs: P.kwargs,
) -> Batch[T]:
    """The result of a function for as many of the first wanted games as it takes.

    `sources` are those that an earlier batch missed, None for a game that no longer exists.
    """
    games = _Games(wanted, sources)
    result = function(games, *args, **kwargs)
    return Batch(result, games.num_done, games.missing, games.unreadable)


def state_of(record: Record) -> State:
    """The state of a game that is only known as a record."""
    return State.OVER if record.is_over else State.CLOSED


def replayed(source: Source) -> tuple[State, Record, tuple[str, ...], frozenset[int]]:
    """The state of a game, its record, the names at its seats, and the seats without a step of a stand-in."""
    if isinstance(source, RecordSource):
        record = parse_record(source.text, partial(ruleset_of, toml=source.toml))
        return state_of(record), record, tuple(seat.name for seat in record.seats), frozenset()
    return source.replayed()


def _name(key: Key) -> str:
    return f"table {key[0]}" if isinstance(key[0], str) else "an imported record"


EARLIEST = -631_152_000.0
"""1950: Yahtzee is from 1956."""


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A record as the server writes it, so that comments and white space take no space.

    `seat` is the importer's own, None if unknown; it is one of `people`, the names of people by seat. `toml` is the
    text of custom rules, without which `text` is; `table` is the table of its dice, empty if there is none;
    `seconds` is the processor time that reading it took.
    """

    text: str
    seat: int | None
    people: Mapping[int, str]
    toml: str
    table: str
    seconds: float


def read_record(number: int, text: str, seat: int | None, now: float) -> ReadRecord:
    """Replay the record `number` of an import; raises `MalformedError`, which names the record."""
    began = time.thread_time()
    try:
        record = parse_record(text, ruleset_of)
    except ValueError as error:
        raise MalformedError(f"record {number}: {error}") from None
    if seat is not None and seat >= len(record.seats):
        raise MalformedError(f"record {number}: seat {seat}: the seats are 0 to {len(record.seats) - 1}")
    played = began_at(record.date)
    if not EARLIEST <= played <= now + 86_400:
        raise MalformedError(f"record {number}: date {shown(record.date)}: want one from 1950 to today")
    people = {index: player.name for index, player in enumerate(record.seats) if player.is_person}
    file = record.ruleset.file
    return ReadRecord(
        text=record.without_rules(),
        seat=seat if seat in people else None,
        people=people,
        toml="" if file is None or file.is_shipped else compact_text(file.text),
        table=record.proof.table if record.proof else record.table,
        seconds=time.thread_time() - began,
    )


def check_record(text: str) -> RecordCheckView:
    """Whether the points and the result of a record follow from its turns."""
    return record_check_view(text, ruleset_of)
