"""The three ways a request can be wrong; all are `ValueError`s with one sentence for a person."""

import difflib
from collections.abc import Iterable


class MalformedError(ValueError):
    """The text or the value cannot be read: it breaks the grammar or a bound."""


class IllegalError(ValueError):
    """It can be read, but the rules in force do not allow it here."""


class UnknownError(ValueError):
    """It names something that does not exist: a ruleset, an option, a category, a scorer."""


def suggest(word: str, known: Iterable[str]) -> str:
    """The tail of an `UnknownError`: the nearest known name if one is near, and all of them."""
    names = list(known)
    near = difflib.get_close_matches(word, names, n=1)
    tail = f"known: {', '.join(names)}" if names else "there are none"
    return f"did you mean {near[0]!r}? {tail}" if near else tail
