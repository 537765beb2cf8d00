"""`Clocks`: how long the people at a table have thought; `Away`: what does not count of that, because no server ran."""

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
class Away:
    """What the times of a table are corrected by, since nobody could act while no server ran.

    Idle time begins anew when one was `back`, and at the `latest` when this process read the newest event: the clock of
    the one that wrote it may have been ahead. The end of the clock that runs is put off by `put_off` seconds.
    """

    back: float = -inf
    latest: float = inf
    put_off: float = 0.0

    def idle_from(self, moment: float) -> float:
        """From when somebody is idle who acted at a moment."""
        return max(min(moment, self.latest), self.back)


NEVER_AWAY = Away()
"""A service that was always there."""
