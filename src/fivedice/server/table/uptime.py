"""`Uptime`: when the service was up. Only then does time count as somebody's silence, for else nobody could act."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf


@dataclass(frozen=True, slots=True)
class Uptime:
    """`spans` are the times in which any process served, from and until, in seconds since 1970: ascending, and apart.

    The last one may reach beyond now: the service is up, and so far it counts as up without a further sign of life.
    """

    spans: tuple[tuple[float, float], ...] = ()

    @classmethod
    def of(cls, spans: Iterable[tuple[float, float]]) -> "Uptime":
        """The time that any of these spans covers."""
        joined: list[tuple[float, float]] = []
        for began, until in sorted(spans):
            if joined and began <= joined[-1][1]:
                joined[-1] = joined[-1][0], max(joined[-1][1], until)
            else:
                joined.append((began, until))
        return cls(tuple(joined))

    def after(self, moment: float, seconds: float, now: float) -> float:
        """When the service was up for so many seconds since a moment, or will be if it is up from now on."""
        left = seconds
        for began, until in self.spans:
            if began > now:
                break  # the clock of another machine is ahead
            start, end = max(began, moment), until if until < now else inf
            if start + left <= end:
                return start + left
            left -= max(end - start, 0.0)
        return max(moment, now) + left


ALWAYS = Uptime(((-inf, inf),))
"""There was no pause."""
