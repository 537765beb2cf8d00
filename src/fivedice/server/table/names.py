"""Names of people at a table: short, printable, and valid in a record."""

import unicodedata

from fivedice.errors import MalformedError, shown
from fivedice.game.record import is_seat_name


def checked_name(text: str) -> str:
    """Return a name in NFC, without surrounding blanks; raises `MalformedError` if it is not valid."""
    name = unicodedata.normalize("NFC", text).strip()
    if not is_seat_name(name):
        raise MalformedError(f"name {shown(text)}: want 1 to 40 printable characters without a comma, = or :")
    return name
