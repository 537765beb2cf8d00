"""A `Bus`: carries lines of text between the processes that serve one database, on named channels."""

from collections.abc import Iterable
from typing import Protocol

PEERS = "peers"
"""The channel to which all processes listen. All others are those of shards, see `fivedice.server.config.shards`."""


class Receiver(Protocol):
    """What a bus calls, in the event loop."""

    def on_lines(self, channel: str, lines: list[str]) -> None:
        """Other processes have sent these."""

    def on_listening(self, channels: frozenset[str], added: frozenset[str]) -> None:
        """Lines on these channels arrive, and until now did not on those that are added."""

    def on_gap(self) -> None:
        """Lines may have been lost, in either direction: the connection is new."""


class Bus(Protocol):
    """Delivers a line at most once, and those of one process in order. Lines have no line feed and at most 7,900 bytes.

    Lines that are sent while there is no connection may be lost; `Receiver.on_gap` says so afterwards.
    """

    @property
    def is_listening(self) -> bool:
        """Whether lines arrive."""

    def send(self, channel: str, line: str) -> None:
        """Send a line soon, with others."""

    def listen(self, channels: Iterable[str]) -> None:
        """Listen to these channels and `PEERS`, and to no others. It takes effect with `Receiver.on_listening`."""

    async def sent(self) -> None:
        """Wait until everything is sent."""

    async def run(self) -> None:
        """Work until cancelled."""
