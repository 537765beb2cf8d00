"""What the page's worker calls: texts in JSON, and the files of values, in and out of one `LocalService`."""

import os
import time
from collections.abc import Callable

import msgspec

from fivedice.local.local_table import LocalEvent
from fivedice.local.routes import request
from fivedice.local.service import LocalService, Reply
from fivedice.solver.saved.portable import read
from fivedice.solver.saved.portable_parts import read_parts

_encode = msgspec.json.Encoder().encode
_events: Callable[[str], list[LocalEvent]] = msgspec.json.Decoder(list[LocalEvent]).decode


class Browser:
    """A service with the browser's random source and its clock."""

    def __init__(self) -> None:
        self.service = LocalService(os.urandom, time.time)

    def request(self, method: str, target: str, body: str) -> str:
        """The `Reply` to a request."""
        return _text(request(self.service, method, target, body))

    def keep(self, digest: str, file: bytes) -> None:
        """Take the portable file of the rules with a digest, which is read when its values are needed first."""
        self.service.values.keep(digest, lambda: read(file))

    def keep_parts(self, digest: str, file: bytes) -> None:
        """Take the portable breakdown of the rules with a digest, likewise."""
        self.service.values.keep_parts(digest, lambda: read_parts(file))

    def restore(self, events: str) -> None:
        """Take a table from its stored events; raises `ValueError` if they do not replay."""
        self.service.restore(_events(events))

    def forget(self, table: str) -> None:
        """Drop a table whose events could not be stored."""
        self.service.forget(table)

    def wait(self) -> float | None:
        """The seconds until the next step of a computer player, 0 if it is due; None if none is to act."""
        due = self.service.due()
        return None if due is None else max(0.0, due[1] - self.service.clock())

    def step(self) -> str:
        """The `Reply` after the step of a computer player that is due."""
        due = self.service.due()
        return _text(Reply() if due is None else self.service.step(due[0]))


def _text(reply: Reply) -> str:
    return _encode(reply).decode()
