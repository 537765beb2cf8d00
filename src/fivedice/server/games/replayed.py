"""`run_piece`: a piece of work over stored games, which are replayed and cached; runs in the helper process.

The server names games by key and sends those that the process does not have. A piece ends after `PIECE_SECONDS`, so
that the pieces of all who wait take turns, and work can be cancelled between two of them.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Concatenate, Generic, ParamSpec, TypeAlias, TypeVar

from cachetools import LRUCache

from fivedice.game.record import Record, parse_record
from fivedice.server.config.limits import GAME_BATCH, MAX_CACHED_GAMES, PIECE_SECONDS
from fivedice.server.table.apply import replay
from fivedice.server.table.event_json import decode_log
from fivedice.server.table.state import State, ruleset_of
from fivedice.server.table.to_record import record_of

P = ParamSpec("P")
T = TypeVar("T")

Key: TypeAlias = tuple[str | bytes, int]
"""A table and its version, or the hash of an imported record and 0."""


@dataclass(frozen=True, slots=True)
class TableSource:
    """The log of a table: its events as JSON, its secret, and the text of custom rules."""

    events: tuple[str, ...]
    secret: bytes
    toml: str


@dataclass(frozen=True, slots=True)
class RecordSource:
    """An imported record, and the text of custom rules that it does not contain."""

    text: str
    toml: str


Source: TypeAlias = TableSource | RecordSource


@dataclass(frozen=True, slots=True)
class WantedGame:
    """A game and the holder's seats in it."""

    key: Key
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A game, and the holder's seats in it."""

    key: Key
    seats: tuple[int, ...]
    state: State
    record: Record


@dataclass(frozen=True, slots=True)
class Piece(Generic[T]):
    """The result for the first `num_done` of the wanted games.

    `missing` are games that the next piece needs; `unreadable` says what is wrong with games that were left out.
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
        until = time.monotonic() + PIECE_SECONDS
        for one in self.wanted:
            if self.num_done and time.monotonic() > until:
                return
            found = _cached(one.key)
            if found is None and one.key not in self.sources:
                unknown = (wanted.key for wanted in self.wanted[self.num_done :] if _cached(wanted.key) is None)
                self.missing = [key for key, _ in zip(unknown, range(GAME_BATCH), strict=False)]
                return
            self.num_done += 1
            if found is None:
                found = self._replay(one.key)
            if found is not None:
                yield ReplayedGame(one.key, one.seats, *found)

    def _replay(self, key: Key) -> tuple[State, Record] | None:
        source = self.sources[key]
        if source is None:
            return None  # deleted since the server listed it
        try:
            found = _replayed(source)
        except Exception as error:  # noqa: BLE001
            # Whatever is wrong with it, a damaged game must not hide the others.
            self.unreadable.append(f"{_name(key)} cannot be read: {error or type(error).__name__}")
            return None
        with _lock:
            _games[key] = found
        return found


_games: LRUCache[Key, tuple[State, Record]] = LRUCache(MAX_CACHED_GAMES)
_lock = threading.Lock()


def run_piece(
    function: Callable[Concatenate[Iterable[ReplayedGame], P], T],
    wanted: Sequence[WantedGame],
    sources: Mapping[Key, Source | None],
    *args: P.args,
    **kwargs: P.kwargs,
) -> Piece[T]:
    """The result of a function for as many of the first wanted games as it takes.

    `sources` are those that an earlier piece missed, None for a game that no longer exists.
    """
    games = _Games(wanted, sources)
    result = function(games, *args, **kwargs)
    return Piece(result, games.num_done, games.missing, games.unreadable)


def state_of(record: Record) -> State:
    """The state of a game that is only known as a record."""
    return State.OVER if record.is_over else State.CLOSED


def _cached(key: Key) -> tuple[State, Record] | None:
    with _lock:
        return _games.get(key)


def _replayed(source: Source) -> tuple[State, Record]:
    if isinstance(source, RecordSource):
        record = parse_record(source.text, partial(ruleset_of, toml=source.toml))
        return state_of(record), record
    log = list(decode_log(source.events, source.toml))
    table = replay(log)
    return table.state, record_of(table, log, source.secret)


def _name(key: Key) -> str:
    return f"table {key[0]}" if isinstance(key[0], str) else "an imported record"
