"""`latin`: what a key means on keyboards that write other characters, as terminals send only these."""

from textual.events import Key

_ROWS = {
    "qwertyuiop": ("йцукенгшщз", ";ςερτυθιοπ"),
    "asdfghjkl": ("фывапролд", "ασδφγηξκλ"),
    "zxcvbnm": ("ячсмить", "ζχψωβνμ"),
    "1234567890": ("&é\"'(-è_çà", "+ěščřžýáí", "+ľščťžýáí"),  # French, Czech and Slovak
}
_MEANT = {
    character: meant
    for row, others in _ROWS.items()
    for other in others
    for character, meant in zip(other, row, strict=False)
    if not character.isascii() or row[0] == "1"
}


def latin(event: Key) -> Key:
    """The event of the letter or digit in the same place, in lower case; the event itself for any other key.

    >>> [latin(Key(key, key)).key for key in "rRК&?"]
    ['r', 'r', 'r', '1', '?']
    """
    character = (event.character or "").lower()
    meant = _MEANT.get(character, character if character.isascii() and character.isalpha() else "")
    return event if not meant or event.key == meant or "+" in event.key[1:] else Key(meant, meant)
