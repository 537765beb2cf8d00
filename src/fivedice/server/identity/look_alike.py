"""`skeleton`: the same for all names that people take for each other.

It follows Unicode's report 39, and leaves out what that keeps apart: case, marks and blanks. Look-alikes are those of
the package `confusable-homoglyphs`, which has Unicode's table; that takes a second to read, so call this in a thread.

>>> skeleton("Bella") == skeleton("Ве11а") == skeleton("BÉL LA")  # the second begins with two Cyrillic letters
True
>>> skeleton("Ben") == skeleton("Ann")
False
"""

import unicodedata
from functools import lru_cache

from fivedice.game.names import MAX_NAME_CHARACTERS


def skeleton(name: str) -> str:
    """The skeleton of a name, which is no longer than a name: PostgreSQL has no index of long texts.

    >>> len(skeleton("ﷺ" * 640))
    640
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name))
    shown = (one for one in plain if unicodedata.category(one)[0] not in "MZC")
    # The capital I looks like an l, and two letters like one, which the table has in the other direction only.
    found = "".join(map(_shape, shown)).replace("i", "l").replace("rn", "m").replace("vv", "w")
    return found[:MAX_NAME_CHARACTERS]


@lru_cache(maxsize=4096)
def _shape(one: str) -> str:
    """What a character looks like: a Latin letter if it or its capital looks like one, in lower case."""
    for form in (one, one.upper()):
        if latin := [other for other in _look_alikes(form) if other.isascii() and other.isalpha()]:
            return max(latin).lower()  # small letters come last: l, not I
    return min(_look_alikes(one.casefold()[:1]))


def _look_alikes(one: str) -> set[str]:
    """All single characters that look like this one, directly or by way of others, and itself."""
    from confusable_homoglyphs.confusables import confusables_data

    found, left = {one}, [one]
    while left:
        for other in confusables_data.get(left.pop(), ()):
            character = other["c"].strip("\u200e")
            if len(character) == 1 and character not in found:
                found.add(character)
                left.append(character)
    return found
