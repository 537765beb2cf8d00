"""The three ways in which a request can be wrong, as `ValueError`s, and the error of what is not available now.

The message of each is one sentence for a person. If it is about one line of a text, `line` is the number of that line,
from 1, which also begins the message.
"""

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class _LineError(ValueError):
    line: int | None = None


class MalformedError(_LineError):
    """The text or value cannot be parsed, or is out of bounds."""


class IllegalError(_LineError):
    """It can be parsed, but the rules do not allow it here."""


class UnknownError(_LineError):
    """It names something that does not exist: a ruleset, an option, a category, a scorer."""


class UnavailableError(Exception):
    """Something cannot be used now, and nothing was changed; the message gives the reason. A retry may succeed."""


def require(condition: bool, otherwise: str) -> None:
    """Raise `IllegalError` with a reason unless a condition holds."""
    if not condition:
        raise IllegalError(otherwise)


def suggest(word: str, known: Iterable[str]) -> str:
    """The end of the message of an `UnknownError`: the closest known name, if one is close, and all of them."""
    names, given = list(known), word[:60].lower()
    small = {name.lower(): name for name in names}
    close = difflib.get_close_matches(given, small, n=1) or [name for name in small if len(given) > 2 and given in name]
    near = [small[name] for name in close]
    tail = f"known: {', '.join(names)}" if names else "there are none"
    return f"did you mean {near[0]!r}? {tail}" if near else tail


def shown(value: object, limit: int = 60) -> str:
    """A value for an error message: its `repr`, which is one line, truncated to `limit` characters."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # nested too deeply, or an int with more digits than Python converts
        return f"{type(value).__name__} too large to show"
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def wrong_type(wanted: str, value: object) -> TypeError:
    """The error for an argument of the wrong type: what was wanted, and what was given."""
    return TypeError(f"want {wanted}, not {shown(value)}")


@contextmanager
def at_line(number: int) -> Iterator[None]:
    """Prefixes the messages of errors raised in the block with a line number, counted from 1, and sets their `line`."""
    try:
        yield
    except ValueError as error:
        at_this_line = type(error)(f"line {number}: {error}")
        if isinstance(at_this_line, _LineError):
            at_this_line.line = number
        raise at_this_line from None


def line_of_error(error: ValueError) -> int | None:
    """The number of the line that an error is about, if it is about one."""
    return error.line if isinstance(error, _LineError) else None
