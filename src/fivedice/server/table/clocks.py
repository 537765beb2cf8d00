"""`Clocks`: how long the people at a table have thought; `Uptime`: when the service was up, so that time counts.

Idle time and clocks count only then, because no action is possible while it is down.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf

from fivedice.players.pace import Pace


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of all seats. That of the seat to move runs `since` a moment, in seconds since 1970.

    `spent` are the seconds of each clock that were used before. `late` is the number of the last turn in which a clock
    ran out.
    """

    pace: Pace
    since: float
    spent: tuple[float, ...]
    late: int | None = None

    def left(self, seat: int) -> float:
        """The seconds that the clock of a seat had when it last began to run."""
        return max(self.pace.seconds - self.spent[seat], 0.0)

    def run(self, seat: int, at: float, *, is_new: bool) -> "Clocks":
        """The clocks when that of a seat begins to run: at its start, if it is for a turn and the turn is new."""
        begins = is_new and self.pace.per == "turn"
        return replace(self, since=at, spent=self._with(seat, 0.0) if begins else self.spent)

    def charge(self, seat: int, seconds: float) -> "Clocks":
        """The clocks after that of a seat has run for some seconds."""
        return replace(self, spent=self._with(seat, self.spent[seat] + seconds))

    def _with(self, seat: int, seconds: float) -> tuple[float, ...]:
        return (*self.spent[:seat], seconds, *self.spent[seat + 1 :])


@dataclass(frozen=True, slots=True)
class Uptime:
    """The times in which any process served: `spans` of (start, end) in seconds since 1970, ascending and disjoint.

    The last span may end in the future: until then the service counts as up without another heartbeat. `latest` is the
    latest moment from which time can count: the clock of a process that stored a later one was ahead.
    """

    spans: tuple[tuple[float, float], ...] = ()
    latest: float = inf

    @classmethod
    def of(cls, spans: Iterable[tuple[float, float]]) -> "Uptime":
        """The union of spans."""
        joined: list[tuple[float, float]] = []
        for began, until in sorted(spans):
            if joined and began <= joined[-1][1]:
                joined[-1] = joined[-1][0], max(joined[-1][1], until)
            else:
                joined.append((began, until))
        return cls(tuple(joined))

    def after(self, moment: float, seconds: float, now: float) -> float:
        """When the service has been up for `seconds` seconds since `moment`, assuming that it is up from now on."""
        moment, left = min(moment, self.latest), seconds
        for began, until in self.spans:
            if began > now:
                break  # the clock of another machine is ahead
            start, end = max(began, moment), until if until < now else inf
            if start + left <= end:
                return start + left
            left -= max(end - start, 0.0)
        return max(moment, now) + left

    def between(self, moment: float, now: float) -> float:
        """The seconds for which the service has been up from a moment until now."""
        moment = min(moment, self.latest)
        return sum(max(min(until, now) - max(began, moment), 0.0) for began, until in self.spans)


ALWAYS = Uptime(((-inf, inf),))
"""A service that was never down."""
