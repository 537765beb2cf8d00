"""The three ways a request can be wrong; all are `ValueError`s with one sentence for a person."""

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class MalformedError(ValueError):
    """The text or the value cannot be read: it breaks the grammar or a bound."""


class IllegalError(ValueError):
    """It can be read, but the rules in force do not allow it here."""


class UnknownError(ValueError):
    """It names something that does not exist: a ruleset, an option, a category, a scorer."""


def suggest(word: str, known: Iterable[str]) -> str:
    """The tail of an `UnknownError`: the nearest known name if one is near, and all of them."""
    names = list(known)
    near = difflib.get_close_matches(word[:60], names, n=1)
    tail = f"known: {', '.join(names)}" if names else "there are none"
    return f"did you mean {near[0]!r}? {tail}" if near else tail


def shown(value: object, limit: int = 60) -> str:
    """A value as an error quotes it: its `repr`, which is one line, cut to `limit` characters."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # nested too deeply; or an int of more digits than Python writes
        return f"{type(value).__name__} too large to show"
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


@contextmanager
def at_line(number: int) -> Iterator[None]:
    """Puts the number of a line, from 1, before the sentence of an error raised inside."""
    try:
        yield
    except ValueError as error:
        raise type(error)(f"line {number}: {error}") from None
