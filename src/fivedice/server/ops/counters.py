"""`Counters`: how much of what somebody has used, counted by all workers of a server together.

All workers see one block of memory. Each writes only into cells of its own, and a count is the sum over all workers. So
there is no lock, which a worker could keep while it is frozen. A use is added before the sum is read: of two workers
that count at the same moment at least one sees the use of the other, so that they never allow more than one would.
"""

import ctypes
import math
import multiprocessing
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from fivedice.server.config.limits import MAX_RATE_COUNTERS

_CELLS = 8
"""Cells of a worker in a row. A key has one of those in the row that its hash determines."""

_ROWS = MAX_RATE_COUNTERS // _CELLS

_FIELDS = 3
"""Of a cell: a hash of its key, 0 for none; when its window ends; and the count."""

_SECRET_WORDS = 4


@dataclass(frozen=True)
class CounterMemory:
    """The memory of the counters of some names for so many workers, of which this process is one, numbered from 0."""

    names: Sequence[str]
    words: Any
    worker: int = 0
    num_workers: int = 1

    @classmethod
    def private(cls, names: Sequence[str]) -> "CounterMemory":
        """For a server with one process."""
        return cls(names, _with_secret(bytearray(8 * _num_words(names, 1))))

    @classmethod
    def shared(cls, names: Sequence[str], num_workers: int) -> "CounterMemory":
        """For several workers: each is given it when it is started, with its number."""
        words = multiprocessing.get_context("spawn").RawArray(ctypes.c_uint64, _num_words(names, num_workers))
        return cls(names, _with_secret(words), 0, num_workers)


def _with_secret(words: Any) -> Any:
    """The same memory with a random key for hashes, so that no client can choose which keys share a row."""
    memoryview(words).cast("B")[: 8 * _SECRET_WORDS] = secrets.token_bytes(8 * _SECRET_WORDS)
    return words


def _num_words(names: Sequence[str], num_workers: int) -> int:
    return _SECRET_WORDS + len(names) * _ROWS * num_workers * _CELLS * _FIELDS


class Counters:
    """Counts under each name in windows of time, by key, and what is held now.

    `clock` returns seconds, the same in all workers, and only ever advances. If a row is full, the key is forgotten
    whose window ends first. What a worker with the same number counted before it was replaced still counts.
    """

    def __init__(self, memory: CounterMemory, clock: Callable[[], float] = time.monotonic) -> None:
        whole = memoryview(memory.words).cast("B")
        self._hashes, self._ends, self._counts = whole.cast("Q"), whole.cast("d"), whole.cast("q")
        self._clock = clock
        self._num_cells = num_cells = memory.num_workers * _CELLS
        own = memory.worker * _CELLS
        row_words = num_cells * _FIELDS
        secret = bytes(whole[: 8 * _SECRET_WORDS])
        starts = {name: _SECRET_WORDS + number * _ROWS * row_words for number, name in enumerate(memory.names)}

        @lru_cache(MAX_RATE_COUNTERS)
        def place(name: str, key: str) -> tuple[int, int, int]:
            """The row of a key, this worker's cells in it, and its hash."""
            found = int.from_bytes(blake2b(key.encode(), key=secret, digest_size=8).digest(), "little") or 1
            row = starts[name] + found % _ROWS * row_words
            return row, row + own, found

        self._place = place
        self._rows_of = {name: range(start, start + _ROWS * row_words, row_words) for name, start in starts.items()}
        self._own = own

    def add(self, name: str, key: str, seconds: float, amount: int) -> tuple[int, float]:
        """Add to the count of a key in its window, and return the sum and the seconds until the window ends.

        A window of `seconds` begins with the first use, in whichever worker. A negative amount takes back what was
        added.
        """
        row, first, hashed = self._place(name, key)
        now, num = self._clock(), self._num_cells
        try:
            cell = first + self._hashes[first : first + _CELLS].tolist().index(hashed)
        except ValueError:
            cell = -1
        if cell < 0 or self._ends[cell + num] <= now:
            if amount > 0:
                end = self._sum(row, hashed, now)[1]
                self._begin(cell if cell >= 0 else self._freed(first), hashed, end or now + seconds, amount)
        else:
            self._counts[cell + 2 * num] = max(0, self._counts[cell + 2 * num] + amount)
        count, end = self._sum(row, hashed, now)
        return count, end - now

    def count(self, name: str, key: str) -> tuple[int, float]:
        """The sum of a key in its window, and the seconds until that ends."""
        row, _, hashed = self._place(name, key)
        now = self._clock()
        count, end = self._sum(row, hashed, now)
        return count, end - now

    def holding(self, name: str) -> Callable[[str, int], int]:
        """A function that adds to what a key holds now, and returns how much all workers hold. What this worker held
        before it was replaced no longer counts."""
        for row in self._rows_of[name]:
            for cell in range(row + self._own, row + self._own + _CELLS):
                if self._hashes[cell]:
                    self._begin(cell, 0, 0.0, 0)

        def hold(key: str, change: int) -> int:
            return self.add(name, key, math.inf, change)[0]

        return hold

    def _sum(self, row: int, hashed: int, now: float) -> tuple[int, float]:
        """The sum over all workers, and the first end of their windows; 0 if there is none."""
        num, count, end = self._num_cells, 0, 0.0
        for cell, found in enumerate(self._hashes[row : row + num].tolist(), row):
            if found == hashed and (its_end := self._ends[cell + num]) > now:
                count += self._counts[cell + 2 * num]
                end = min(end or its_end, its_end)
        return count, end

    def _freed(self, first: int) -> int:
        """The cell of this worker whose window ended or will end first; one that holds nothing, if there is one."""
        num = self._num_cells
        return min(
            range(first, first + _CELLS), key=lambda cell: (self._ends[cell + num], self._counts[cell + 2 * num])
        )

    def _begin(self, cell: int, hashed: int, end: float, amount: int) -> None:
        """Other workers may read the cell between any two of these steps."""
        self._counts[cell + 2 * self._num_cells] = 0
        self._ends[cell + self._num_cells] = 0.0
        self._hashes[cell] = hashed
        self._counts[cell + 2 * self._num_cells] = amount
        self._ends[cell + self._num_cells] = end
