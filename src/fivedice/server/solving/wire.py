"""The messages between the server and its worker processes: pickles, each after its length.

All are processes of one program and one user. A ruleset is sent as the text of its file, so that it takes little space
and each process has it once.
"""

import copyreg
import io
import pickle
from collections.abc import Callable
from typing import Any

import msgspec

from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.table.state import ruleset_of
from fivedice.storage.engine.unavailable import UnavailableError

LENGTH_BYTES = 8
"""The size of the length before a message, which is in big-endian order."""

TOO_SLOW = 4
"""Exit status of a worker whose search took too long."""


class SolutionGoneError(UnavailableError):
    """A saved artefact was deleted, because others are needed more, or is damaged. It can be found again."""


class Rules(msgspec.Struct, frozen=True, weakref=True):
    """A ruleset: its reference, and the text of its file unless that is shipped."""

    ref: str
    toml: str


class SavedSolution(msgspec.Struct, frozen=True):
    """The rules of a solution, and the folder in which it is saved with what follows from it."""

    rules: Rules
    folder: str


def rules_of(ruleset: Ruleset) -> Rules:
    """The rules to send to another process."""
    is_shipped = ruleset.file is None or ruleset.file.is_shipped
    return Rules(str(ruleset), "" if is_shipped or ruleset.file is None else ruleset.file.text)


def encode(message: object) -> bytes:
    """A message with its length before it."""

    stream = io.BytesIO()
    stream.write(bytes(LENGTH_BYTES))
    pickler = pickle.Pickler(stream, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {**copyreg.dispatch_table, Ruleset: _reduced}
    pickler.dump(message)
    stream.seek(0)
    stream.write((stream.getbuffer().nbytes - LENGTH_BYTES).to_bytes(LENGTH_BYTES, "big"))
    return stream.getvalue()


def decode(message: bytes) -> Any:
    """A message from what follows its length."""
    return pickle.loads(message)  # noqa: S301


def _reduced(ruleset: Ruleset) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    rules = rules_of(ruleset)
    return ruleset_of, (rules.ref, rules.toml)
