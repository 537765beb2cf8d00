"""`skeleton`: the same for all names that people take for each other.

It follows Unicode's report 39, and leaves out what that keeps apart: case, marks and blanks. Look-alikes are those of
the package `confusable-homoglyphs`, which has Unicode's table.

>>> skeleton("Ann") == skeleton("АNN") == skeleton("Ánn")  # the second begins with a Cyrillic letter
True
>>> skeleton("Ben") == skeleton("Ann")
False
"""

import unicodedata
from functools import lru_cache


def skeleton(name: str) -> str:
    """The skeleton of a name."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    shown = (one for one in plain if unicodedata.category(one)[0] not in "MZC")
    # Two letters that look like one; the table has them only in the other direction.
    return "".join(map(_representative, shown)).replace("rn", "m").replace("vv", "w")


@lru_cache(maxsize=4096)
def _representative(one: str) -> str:
    """The least of all single characters that look like this one, directly or by way of others."""
    from confusable_homoglyphs.confusables import confusables_data  # takes a second to read

    found, left = {one}, [one]
    while left:
        for other in confusables_data.get(left.pop(), ()):
            character = other["c"].strip("\u200e")
            if len(character) == 1 and character not in found:
                found.add(character)
                left.append(character)
    return min(found)
