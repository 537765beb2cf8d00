"""`Tally`: what is counted of simulated games, as integers, so that it does not matter in which order they are added.

From the counts follow means, deviations, shares and their intervals.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from fivedice.solver.tables.states import Array

Z95 = 1.959963984540054
"""The quantile of the normal distribution for intervals of 95 %."""


@dataclass(frozen=True, eq=False, repr=False)
class SeatTally:
    """The games of one seat. B boxes.

    `scores`, int64[…]: the games with `lowest`, `lowest` + 1, … points; `upper_bonuses`, int64[…]: those with 0, 1, …
    points of upper bonus; `boxes`, int64[B, …]: games with so many points in each box, and none of a game in which
    it stayed open; `extra_points`: the points of all extra bonuses; `num_won`: the outright wins.
    """

    lowest: int
    scores: Array
    upper_bonuses: Array
    boxes: Array
    extra_points: int
    num_won: int

    def __repr__(self) -> str:
        return f"<SeatTally {self.num_games:,} games, mean {self.mean:.2f}>"

    @classmethod
    def of(cls, scores: Array, upper_bonus: Array, won_after: Array, boxes: Array, extra_points: int) -> "SeatTally":
        """The counts of games whose scores, upper bonuses and outright wins are arrays, as in `ManyGames`."""
        lowest = min(0, int(scores.min()))  # a conversion may give less than none
        num_won = int(np.count_nonzero(won_after >= 0))
        return cls(lowest, np.bincount(scores - lowest), np.bincount(upper_bonus), boxes, extra_points, num_won)

    @property
    def num_games(self) -> int:
        """The number of games."""
        return int(self.scores.sum())

    @property
    def mean(self) -> float:
        """The mean score."""
        return self.lowest + moments(self.scores)[0]

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of a score, around the mean of these games, of which there are N − 1 degrees."""
        return moments(self.scores)[1]

    @property
    def standard_error(self) -> float:
        """That of the mean."""
        return float(self.standard_deviation / max(1, self.num_games) ** 0.5)

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of 95 % for the mean."""
        return self.mean - Z95 * self.standard_error, self.mean + Z95 * self.standard_error

    @property
    def box_means(self) -> Array:
        """float64[B]: the mean points of each box over all games; an open box counts as none."""
        means: Array = self.boxes @ np.arange(self.boxes.shape[1]) / max(1, self.num_games)
        return means

    def plus(self, other: "SeatTally") -> "SeatTally":
        """The counts of both."""
        lowest = min(self.lowest, other.lowest)
        own, others = (np.pad(one.scores, (one.lowest - lowest, 0)) for one in (self, other))
        return SeatTally(
            lowest,
            _sum(own, others),
            _sum(self.upper_bonuses, other.upper_bonuses),
            _sum(self.boxes, other.boxes),
            self.extra_points + other.extra_points,
            self.num_won + other.num_won,
        )


@dataclass(frozen=True, eq=False, repr=False)
class Tally:
    """The games of all seats. S seats.

    `firsts`, int64[S]: the games that each seat won alone; `shared`, int64[S]: those in which it shared the first
    place; `beaten`, int64[S, S]: those in which the first seat came before the second.
    """

    seats: tuple[SeatTally, ...]
    firsts: Array
    shared: Array
    beaten: Array
    players: tuple[str, ...] = ()
    """Who played at the seats."""

    def __repr__(self) -> str:
        return f"<Tally {'; '.join(str(self).splitlines())}>"

    @classmethod
    def of(cls, seats: Sequence[SeatTally], scores: Array, won_after: Array, players: tuple[str, ...] = ()) -> "Tally":
        """The counts of games of all seats, int64[S, N] each: who has the most points wins, but before all others who
        first wins outright."""
        num_seats = len(seats)
        ranks = scores.astype(np.int64)
        if (won_after >= 0).any():
            turns = won_after * num_seats + np.arange(num_seats)[:, np.newaxis]
            ranks = np.where(won_after >= 0, 2**40 - turns, ranks)
        is_first = ranks == ranks.max(axis=0)
        is_alone = is_first.sum(axis=0) == 1
        beaten = [[np.count_nonzero(own > other) for other in ranks] for own in ranks]
        return cls(
            tuple(seats),
            np.count_nonzero(is_first & is_alone, axis=1),
            np.count_nonzero(is_first & ~is_alone, axis=1),
            np.array(beaten, dtype=np.int64),
            players,
        )

    def __str__(self) -> str:
        """A line for each seat: its mean score with the interval of 95 %, the deviation, and how often it wins."""
        lines = [f"{self.num_games:,} game{'s' if self.num_games > 1 else ''}"]
        for number, (seat, firsts) in enumerate(zip(self.seats, self.firsts.tolist(), strict=True)):
            wins = f", wins {firsts / self.num_games:.1%}" if len(self.seats) > 1 else ""
            half = Z95 * seat.standard_error
            name = self.players[number] if self.players else f"seat {number}"
            lines.append(f"{name}: mean {seat.mean:.2f} ± {half:.2f}, deviation {seat.standard_deviation:.2f}{wins}")
        return "\n".join(lines)

    @property
    def num_games(self) -> int:
        """The number of games."""
        return self.seats[0].num_games

    def plus(self, other: "Tally") -> "Tally":
        """The counts of both."""
        seats = tuple(own.plus(others) for own, others in zip(self.seats, other.seats, strict=True))
        counts = (self.firsts + other.firsts, self.shared + other.shared, self.beaten + other.beaten)
        return Tally(seats, *counts, self.players)

    def to_data(self) -> Any:
        """Plain data for a journal."""
        return msgspec.to_builtins(self, enc_hook=lambda array: array.tolist())

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Tally":
        """The counts from plain data."""
        seats = tuple(SeatTally(**_arrays(seat)) for seat in data["seats"])
        return cls(**_arrays(data) | {"seats": seats, "players": tuple(data["players"])})


def _arrays(data: dict[str, Any]) -> dict[str, Any]:
    """Plain data with arrays for its lists."""
    return {name: np.array(value) if isinstance(value, list) else value for name, value in data.items()}


def moments(counts: Array) -> tuple[float, float]:
    """The mean and the standard deviation of 0, 1, 2, … with these counts, int64[…], exact until the last division."""
    number = int(counts.sum())
    total = sum(value * count for value, count in enumerate(counts.tolist()))
    squares = sum(value * value * count for value, count in enumerate(counts.tolist()))
    if number < 2:
        return float(total), 0.0
    return total / number, ((squares * number - total * total) / (number * (number - 1))) ** 0.5


def share_interval(count: float, number: int) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share of which `count` of `number` were seen; halves are ties.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
    """
    if number == 0:
        return 0.0, 1.0
    share, z = count / number, Z95
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    half = z / (1 + z * z / number) * (share * (1 - share) / number + z * z / (4 * number * number)) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)


def _sum(a: Array, b: Array) -> Array:
    """The sum of two arrays of counts, of which one may be longer along the last axis."""
    longer, shorter = (a, b) if a.shape[-1] >= b.shape[-1] else (b, a)
    total = longer.copy()
    total[..., : shorter.shape[-1]] += shorter
    return total
