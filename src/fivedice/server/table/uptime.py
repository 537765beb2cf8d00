"""`Uptime`: when the service was up. Idle time counts only then, because no action is possible while it is down."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf


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
