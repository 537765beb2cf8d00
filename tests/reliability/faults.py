"""The faults of the crash test, and a schedule of them that a seed determines."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

COMMON = (
    *("kill", "kill_at_start", "freeze_at_start", "freeze_and_kill"),
    *("jump_clock", "start_with_wrong_clock", "reuse_id", "stop_reading_log"),
)
"""Faults on both databases; `CrashTest` has a method for each."""

SQLITE = (*COMMON, "fill_disk", "start_read_only")
POSTGRES = (*COMMON, "crash_database", "kill_backend", "fill_disk")

SEVERAL = ("kill", "kill_process", "freeze_process", "cut_notices", "reuse_id", "kill_backend")
"""Faults of several processes on PostgreSQL."""


@dataclass(frozen=True)
class Fault:
    """A fault of a kind at a time in seconds after the last one; `share`, from 0 to 1, determines it further."""

    kind: str
    uptime: float
    share: float

    @property
    def jump(self) -> float:
        """For faults of the clock: the difference of the server's clock from the true one in seconds."""
        return (2 * self.share - 1) * 400 * 86_400.0


def schedule(kinds: Sequence[str], num: int, seed: int) -> Iterator[Fault]:
    """Faults in random order; each kind occurs equally often."""
    rng = random.Random(f"faults {seed}")
    order: list[str] = []
    for _ in range(num):
        order = order or rng.sample(kinds, len(kinds))
        yield Fault(order.pop(), rng.uniform(0, 0.7), rng.random())
