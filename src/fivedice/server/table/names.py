"""The names of people at a table: short, printable, and such that a record can hold them."""

import unicodedata

from fivedice.errors import MalformedError, shown
from fivedice.game.record import is_seat_name


def checked_name(text: str) -> str:
    """A name in its one composed form, without blanks around it; raises `MalformedError`."""
    name = unicodedata.normalize("NFC", text).strip()
    if not is_seat_name(name):
        raise MalformedError(f"name {shown(text)}: want 1 to 40 printable characters without a comma, = or :")
    return name
