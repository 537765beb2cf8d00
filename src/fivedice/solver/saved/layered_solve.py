"""`solve_on_disk`: solves a layered table in a file that is mapped into memory, so that it need not fit there.

The file is that of the saved solution, under another name until it is complete. Beside it, a *journal* lists the solved
layers with their checksums. After an interruption, the next call continues with the next layer.

A card has rows for every number of rolls that can have been saved. They share one recursion over the rolls left, since
with so many rolls left a turn does not depend on how many of them were saved: so each further row costs one step.
"""

import json
import os
import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from mmap import mmap
from pathlib import Path
from time import perf_counter
from typing import IO

import numpy as np

from fivedice.base.data_folder import try_lock
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.kernels import layers as kernels
from fivedice.solver.processors import num_processors
from fivedice.solver.saved.saved_table import HEADER_BYTES, solution_header, solution_path, written_header
from fivedice.solver.solve import TooLargeError, in_threads, mark_reachable, size_text, workspace
from fivedice.solver.tables.card_layers import layers_of_cards
from fivedice.solver.tables.dice_tables import DiceTables, dice_tables
from fivedice.solver.tables.rule_tables import RuleTables, rule_tables
from fivedice.solver.tables.states import Array, States

CARDS_PER_PART = 200
"""Cards that one thread solves at a time: of maxi_yatzy in about half a second."""

CHUNK = 2**24
"""Bytes whose checksum is computed at a time, so that progress is reported."""

NANOSECONDS_PER_EDGE = 8.0
"""The time of a row divided by the edges between keeps, measured; it only serves an estimate."""

Progress = Callable[[str, float], None]
"""Called with what is being done and its progress from 0 to 1."""


class BusyError(ValueError):
    """Another process is solving the same ruleset in the same folder."""


def disk_bytes(states: States) -> int:
    """The size of the file with a layered table."""
    return HEADER_BYTES + 8 * states.num_entries


def memory_bytes(states: States) -> int:
    """The memory with which no part of the file is read twice: that of two layers."""
    rows = [states.cards.count(n) * states.layer_planes(n) for n in range(states.ruleset.rounds + 1)]
    return 8 * states.stride * max(map(sum, pairwise(rows)))


def estimated_seconds(states: States, threads: int | None = None) -> float:
    """About how long a solve takes on a processor of 2024."""
    dice = dice_tables(states.ruleset.dice, states.ruleset.faces)
    edges: int = dice.num_small * dice.num_faces + dice.parent.size
    return states.num_rows * edges * NANOSECONDS_PER_EDGE * 1e-9 / (threads or num_processors())


def unfinished_path(ruleset: Ruleset, folder: Path) -> Path:
    """The file of a solution that is not complete; its journal has the suffix `.journal` instead."""
    return solution_path(ruleset, folder).with_suffix(".unfinished")


def check_disk(states: States, folder: Path) -> None:
    """Raises `TooLargeError` if the rest of the file does not fit on the disk of this folder, which must exist."""
    path = unfinished_path(states.ruleset, folder)
    present = path.stat().st_size if path.exists() else 0
    missing, free = disk_bytes(states) - present, shutil.disk_usage(folder).free
    if missing > free:
        raise TooLargeError(
            f"{states.ruleset} needs {size_text(missing)} of disk space in {folder} to be solved, and only"
            f" {size_text(free)} are free"
        )


def solve_on_disk(
    ruleset: Ruleset, folder: Path, *, threads: int | None = None, progress: Progress = lambda what, share: None
) -> Path:
    """Solve a ruleset whose table is layered, and return the file of its solution.

    Layers that an interrupted call solved are checked and kept. Raises `TooLargeError` if the disk is too small, and
    `BusyError` if another process is solving these rules in this folder.
    """
    states = States(ruleset)
    if not states.is_layered:
        raise ValueError(f"{ruleset} has no layered table: `solve` solves it in memory")
    folder.mkdir(parents=True, exist_ok=True)
    check_disk(states, folder)
    path = unfinished_path(ruleset, folder)
    with _only_process(path) as file:
        _reserve(file, disk_bytes(states))
        mapped = mmap(file.fileno(), disk_bytes(states))
        journal = path.with_suffix(".journal")
        header = _LayeredSolve(states, mapped, journal, threads or num_processors(), progress).run()
        file.seek(0)
        file.write(written_header(header | {"ruleset": str(ruleset)}))
        file.flush()
        os.fsync(file.fileno())
        os.replace(path, solution_path(ruleset, folder))
        journal.unlink()
    return solution_path(ruleset, folder)


@contextmanager
def _only_process(path: Path) -> Iterator[IO[bytes]]:
    """An open file that no other process solves in; it is created if need be."""
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as file:
        if not try_lock(file.fileno()):
            raise BusyError(f"another process is writing {path}")
        if not (path.exists() and os.path.samestat(path.stat(), os.fstat(file.fileno()))):
            raise BusyError(f"another process has just finished {path}")
        yield file


def _reserve(file: IO[bytes], size: int) -> None:
    """Give a file its size, with disk space where the platform can reserve that: a mapped file cannot report that the
    disk is full."""
    if os.fstat(file.fileno()).st_size == size:
        return
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
    else:
        file.truncate(size)


class _LayeredSolve:
    """One call of `solve_on_disk`: the table, as an array, and its journal."""

    def __init__(self, states: States, mapped: mmap, journal: Path, threads: int, progress: Progress) -> None:
        self._states, self._mapped, self._journal = states, mapped, journal
        self._threads, self._progress = threads, progress
        self._dice: DiceTables = dice_tables(states.ruleset.dice, states.ruleset.faces)
        self._rules: RuleTables = rule_tables(states)
        self._layers = layers_of_cards(states)
        self._seconds = 0.0
        self._crcs: dict[int, int] = {}

    def run(self) -> dict[str, object]:
        """Solve all layers that are not solved; returns the header of the file."""
        self._read_journal()
        self._check_layers()
        marks, num_turn_states = self._marks()
        values = np.frombuffer(self._mapped, dtype=np.float64, offset=HEADER_BYTES)
        for layer in reversed(range(len(self._layers))):
            if layer not in self._crcs:
                began = perf_counter()
                self._solve(layer, marks, values)
                self._mapped.flush()
                self._crcs[layer] = self._crc(layer)
                self._seconds += perf_counter() - began
                self._write_journal()
        numbers = {"turn_states": num_turn_states, "seconds": self._seconds}
        return solution_header(self._states) | numbers | {"layers": [self._crcs[n] for n in range(len(self._layers))]}

    def _marks(self) -> tuple[Array, int]:
        """bool[cards, planes, lanes]: where play can arrive without saved rolls; and the number of turn states.

        A turn can be scored with any number of its rolls left, whatever it scores. So with saved rolls, play can arrive
        at the same cards and totals with any number of rolls saved up to the most.
        """
        self._progress("Finding what play can reach", 0.0)
        plain = States(replace(self._states.ruleset, saved_rolls=False))
        values = mark_reachable(plain, self._dice, rule_tables(plain), self._layers)
        rows = values[: plain.num_rows * plain.stride].reshape(plain.num_cards, -1, plain.stride)
        marks = rows[:, :, : plain.num_lanes] == kernels.MARKED
        levels = [self._num_saved(n) for n in range(len(self._layers))]
        number = sum(int(marks[cards].sum()) * num for cards, num in zip(self._layers, levels, strict=True))
        return marks, number

    def _num_saved(self, layer: int) -> int:
        """Numbers of saved rolls of a layer, including 0."""
        return self._states.layer_planes(layer) // self._states.base_planes

    def _solve(self, layer: int, marks: Array, values: Array) -> None:
        """Solve all cards of a layer."""
        states, cards = self._states, self._layers[layer]
        rules = self._rules._replace(num_saved=self._num_saved(layer))
        first_row, is_last = int(self._rules.layers.first_rows[layer]), layer == len(self._layers) - 1
        num_planes = states.layer_planes(layer)

        def work(begin: int) -> int:
            part = np.ascontiguousarray(cards[begin : begin + CARDS_PER_PART])
            rows = slice(first_row + begin * num_planes, first_row + (begin + part.size) * num_planes)
            table = values[rows.start * states.stride : rows.stop * states.stride]
            table = table.reshape(part.size, rules.num_saved, states.base_planes, states.stride)
            table[..., states.num_lanes :] = np.nan
            known = self._ends(rules.num_saved) if is_last else kernels.MARKED
            table[..., : states.num_lanes] = np.where(marks[part][:, np.newaxis], known, np.nan)
            if is_last:
                table[..., states.num_lanes :] = table[..., states.cap : states.num_lanes]
            else:
                kernels.solve_cards(self._dice, rules, part, workspace(self._dice, rules), values)
            return int(rows.stop)

        label = f"Solving {states.ruleset.name}"
        with in_threads(self._threads) as pool:
            for done in pool.map(work, range(0, cards.size, CARDS_PER_PART)):
                self._progress(label, self._share(layer, done))

    def _share(self, layer: int, done: int) -> float:
        """The share of all rows that is solved, up to the row `done` of a layer."""
        first_rows = self._rules.layers.first_rows
        return float(1 - (first_rows[layer + 1] - (done - first_rows[layer])) / first_rows[-1])

    def _ends(self, num_saved: int) -> Array:
        """float64[saved, planes, lanes]: the values of finished cards."""
        states = self._states
        ends: Array = self._rules.end_values.reshape(-1, states.base_planes, states.stride)
        return ends[:num_saved, :, : states.num_lanes]

    def _place(self, layer: int) -> range:
        """The bytes of a layer in the file."""
        first_rows, row_bytes = self._rules.layers.first_rows, 8 * self._states.stride
        begin, end = int(first_rows[layer]), int(first_rows[layer + 1])
        return range(HEADER_BYTES + begin * row_bytes, HEADER_BYTES + end * row_bytes)

    def _crc(self, layer: int) -> int:
        """The checksum of a layer as it is in the file."""
        found, place = 0, self._place(layer)
        with memoryview(self._mapped) as table:
            for begin in range(place.start, place.stop, CHUNK):
                found = zlib.crc32(table[begin : min(begin + CHUNK, place.stop)], found)
        return found

    def _check_layers(self) -> None:
        """Forget a layer whose checksum differs, and all layers that were computed from it."""
        first_rows = self._rules.layers.first_rows
        good: dict[int, int] = {}
        for layer in reversed(range(len(self._layers))):
            if layer not in self._crcs or self._crc(layer) != self._crcs[layer]:
                break
            good[layer] = self._crcs[layer]
            self._progress("Checking what is solved", self._share(layer, int(first_rows[layer + 1])))
        self._crcs = good

    def _read_journal(self) -> None:
        try:
            found = json.loads(self._journal.read_text())
        except (FileNotFoundError, ValueError):  # none, or damaged: then nothing is known to be solved
            return
        if found["header"] == solution_header(self._states):
            self._seconds = found["seconds"]
            self._crcs = {int(layer): crc for layer, crc in found["layers"].items()}

    def _write_journal(self) -> None:
        text = json.dumps({"header": solution_header(self._states), "seconds": self._seconds, "layers": self._crcs})
        draft = self._journal.with_suffix(".journal-draft")
        with draft.open("w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, self._journal)
