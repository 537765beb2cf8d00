"""How rarely the dice test calls fair dice unusual, and how soon loaded ones: `make bench-dice`.

Every history is looked at after each of its games. A game has twelve turns of one seat, by turns a person and a
computer: five dice are rolled, and then the last three again. The counts of each game are added to the program's own
tables, and what is computed here from them is compared with `dice_counts.examine` at the end.
"""

import os
from collections import Counter
from math import lgamma, log
from time import perf_counter

import numpy as np
import numpy.typing as npt
from solve import machine

from fivedice.analysis.dice_counts import (
    ALPHA,
    CONCENTRATION,
    OTHER,
    QUESTIONS,
    SAME,
    THRESHOLD,
    Cell,
    examine,
    pattern,
)

HISTORIES = 100_000
GAMES = 100
TURNS = 12
ROLLED = 5
AGAIN = 3
FACES = 6
CHUNK = 5_000
SEED = 27
MOST = 4_000_000
"""Dice after which a loaded die counts as not found."""

Counts = npt.NDArray[np.int32]


class Rows:
    """The rows of one table, as columns of an array of counts."""

    def __init__(self, table: str, rows: list[str], columns: list[str], first: int) -> None:
        self.cells = [Cell(table, FACES, row, column) for row in rows for column in columns]
        self.num_columns, self.first = len(columns), first


def laid_out() -> tuple[dict[str, Rows], int]:
    """The tables with their places in an array, and its width."""
    faces = [str(face) for face in range(1, FACES + 1)]
    wanted = {
        "faces": (["0 person", "1 computer"], faces),
        "pairs 5": (["5"], ["5", "41", "32", "311", "221", "2111", "11111"]),
        "pairs 3": (["3"], ["3", "21", "111"]),
        "kept": (["1", "2"], [SAME, OTHER]),
        "follows": (faces, faces),
        "replaces": (faces, faces),
    }
    found, first = {}, 0
    for name, (rows, columns) in wanted.items():
        found[name] = Rows(name.split(" ")[0], rows, columns, first)
        first += len(found[name].cells)
    return found, first


TABLES, WIDTH = laid_out()
CELLS = [cell for rows in TABLES.values() for cell in rows.cells]


def patterns(num_dice: int) -> npt.NDArray[np.int64]:
    """Number of a roll in base six → place of its pattern."""
    rows = TABLES[f"pairs {num_dice}"]
    place = {cell.column: rows.first + index for index, cell in enumerate(rows.cells)}
    rolls = np.indices((FACES,) * num_dice).reshape(num_dice, -1).T
    return np.array([place[pattern(tuple(roll))] for roll in rolls.tolist()])


PATTERNS = {num: patterns(num) for num in (ROLLED, AGAIN)}


def one_game(chance: np.random.Generator, num: int, seat: int, last: npt.NDArray[np.int64]) -> Counts:
    """The counts of a game in each of `num` histories; `last` is the die rolled last, and is set to the new one."""
    first = chance.integers(0, FACES, (num, TURNS, ROLLED))
    again = chance.integers(0, FACES, (num, TURNS, AGAIN))
    kept = first[..., : ROLLED - AGAIN]
    rolled = np.concatenate([first, again], axis=2)
    in_order = rolled.reshape(num, -1)
    before = np.concatenate([last[:, None], in_order[:, :-1]], axis=1)
    last[:] = in_order[:, -1]
    is_same = (again[..., None] == kept[..., None, :]).any(axis=3)
    num_kept = 1 + (kept[..., :1] != kept[..., 1:2])
    powers = FACES ** np.arange(ROLLED - 1, -1, -1)
    places = [
        TABLES["faces"].first + seat * FACES + in_order,
        PATTERNS[ROLLED][first @ powers],
        PATTERNS[AGAIN][again @ powers[-AGAIN:]],
        (TABLES["kept"].first + 2 * (num_kept - 1) + ~is_same).reshape(num, -1),
        TABLES["follows"].first + FACES * before + in_order,
        (TABLES["replaces"].first + FACES * first[..., ROLLED - AGAIN :] + again).reshape(num, -1),
    ]
    index = np.concatenate([place.reshape(num, -1) for place in places], axis=1) + WIDTH * np.arange(num)[:, None]
    return np.bincount(index.ravel(), minlength=num * WIDTH).reshape(num, WIDTH).astype(np.int32)


def row_evidence(counts: Counts, chances: list[float], concentration: float = CONCENTRATION) -> npt.NDArray[np.float64]:
    """The logarithm of the evidence of a row of counts, by tables of the gamma function."""
    most = int(counts.sum(axis=1).max()) + 1
    found = -gammas(concentration, most)[counts.sum(axis=1)]
    for column, chance in enumerate(chances):
        found += (gammas(concentration * chance, most) - np.arange(most) * log(chance))[counts[:, column]]
    return found


_gammas: dict[float, npt.NDArray[np.float64]] = {}


def gammas(weight: float, most: int) -> npt.NDArray[np.float64]:
    """log Γ(weight + n) − log Γ(weight) for n below `most`."""
    if len(_gammas.get(weight, ())) < most:
        _gammas[weight] = np.array([lgamma(weight + num) - lgamma(weight) for num in range(2 * most)])
    return _gammas[weight][:most]


def evidence(counts: Counts) -> dict[str, npt.NDArray[np.float64]]:
    """The logarithm of the evidence of each question in each history."""
    found = {}
    for question in QUESTIONS:
        groups: dict[str, list[list[int]]] = {}
        for rows in TABLES.values():
            for start in range(0, len(rows.cells), rows.num_columns):
                cell = rows.cells[start]
                if cell.table == question.table:
                    places = [rows.first + start + column for column in range(rows.num_columns)]
                    groups.setdefault(question.group(cell.row), []).append(places)
        total = np.zeros(len(counts))
        for row, places in groups.items():
            chances = question.chances(row, FACES)
            columns = [CELLS[place].column for place in places[0]]
            seen = sum(counts[:, some] for some in places)
            total += row_evidence(seen, [float(chances[column]) for column in columns])
        found[question.name] = total
    return found


def false_alarms() -> None:
    """Print how many histories with fair dice come to an alarm, after any of their games or at the last one."""
    heights = [20.0, 100.0, THRESHOLD]
    highest = np.zeros((HISTORIES, len(QUESTIONS)))
    fixed = np.zeros(HISTORIES, dtype=bool)
    chance = np.random.default_rng(SEED)
    counts = np.zeros((0, WIDTH), dtype=np.int32)
    for start in range(0, HISTORIES, CHUNK):
        counts = np.zeros((CHUNK, WIDTH), dtype=np.int32)
        last = chance.integers(0, FACES, CHUNK)
        mine = slice(start, start + CHUNK)
        for game in range(GAMES):
            counts += one_game(chance, CHUNK, game % 2, last)
            found = np.stack(list(evidence(counts).values()), axis=1)
            highest[mine] = np.maximum(highest[mine], found)
            faces = counts[:, : 2 * FACES].reshape(-1, 2, FACES).sum(axis=1)
            expected = faces.sum(axis=1, keepdims=True) / FACES
            fixed[mine] |= ((faces - expected) ** 2 / expected).sum(axis=1) > CHI_SQUARE
    check(counts)
    print(f"{'highest evidence of …':<28}" + "".join(f"{f'≥ {height:,.0f}':>12}" for height in heights))
    for number, question in enumerate(QUESTIONS):
        shares = [(highest[:, number] >= log(height)).mean() for height in heights]
        print(f"{question.name:<28}" + "".join(f"{share:>12.5f}" for share in shares))
    print(f"{'at most, for each':<28}" + "".join(f"{1 / height:>12.5f}" for height in heights))
    alarms = (highest >= log(THRESHOLD)).any(axis=1).mean()
    print(f"\n{'false alarms of the test':<28}{alarms:>12.5f}{'bar':>8}{ALPHA:>10.3f}")
    print(f"{'of a chi-square test, 1 %':<28}{fixed.mean():>12.5f}   (of the faces alone, after each game)\n")


CHI_SQUARE = 15.0863
"""Of five degrees of freedom, which fair dice exceed in 1 % of all collections."""


def check(counts: Counts) -> None:
    """Compare the evidence in the last histories with the program's."""
    for some in counts[:20]:
        expected = {
            test.name: log(test.evidence) for test in examine(Counter(dict(zip(CELLS, some.tolist(), strict=True))))
        }
        found = {name: float(one[0]) for name, one in evidence(some[None]).items()}
        assert np.allclose([found[name] for name in expected], list(expected.values()), atol=1e-6)
        assert found.keys() == expected.keys()


def power() -> None:
    """Print how many dice it takes until one face that comes up too often is unusual."""
    chance = np.random.default_rng(SEED)
    looks = np.unique(np.geomspace(95, MOST, 500).astype(int))
    print("dice until one face that comes up too often is unusual")
    print(f"{'in half of all, 9 of 10 with':<28}{'c = 600':>20}{'c = 60':>20}{'c = 6000':>20}")
    for bias in (0.5, 0.2, 0.1, 0.05, 0.02):
        chances = [(1 + bias) / FACES] + [(1 - (1 + bias) / FACES) / (FACES - 1)] * (FACES - 1)
        parts = [chance.multinomial(num, chances, size=500) for num in np.diff(looks, prepend=0)]
        line = f"{f'{bias:.0%}':<28}"
        for concentration in (CONCENTRATION, CONCENTRATION / 10, CONCENTRATION * 10):
            half, most = np.quantile(needed(looks, parts, concentration), [0.5, 0.9])
            line += f"{f'{half:,.0f}, {most:,.0f}':>20}"
        print(line)


def needed(
    looks: npt.NDArray[np.int64], parts: list[npt.NDArray[np.int64]], concentration: float
) -> npt.NDArray[np.int64]:
    """The dice of each history until it is unusual, or `MOST`; `parts` are the counts between two looks."""
    found = np.full(len(parts[0]), MOST)
    counts = np.zeros_like(parts[0])
    for now, part in zip(looks, parts, strict=True):
        counts += part
        is_found = row_evidence(counts, [1 / FACES] * FACES, concentration) >= log(THRESHOLD)
        found = np.where(is_found, np.minimum(found, now), found)
        if (found < MOST).all():
            break
    return found


def main() -> None:
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}\n")
    began = perf_counter()
    print(f"{HISTORIES:,} histories of {GAMES} games with {TURNS * (ROLLED + AGAIN)} fair dice each, seed {SEED}\n")
    false_alarms()
    power()
    print(f"\nin {perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
