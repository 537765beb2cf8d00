"""The messages between the server and its helper process: pickles, each after its length.

Both are processes of one program and one user. A ruleset is sent as the text of its file, so that it takes little space
and each process has it once.
"""

import copyreg
import io
import pickle
from collections.abc import Callable
from typing import Any

from fivedice.ruleset import Ruleset
from fivedice.server.solving.child import rules_of
from fivedice.server.table.state import ruleset_of

LENGTH_BYTES = 8
"""The size of the length before a message, which is in big-endian order."""


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
