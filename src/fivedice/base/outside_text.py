"""Text from outside: files, standard input, bodies of requests, and what somebody pastes. It is UTF-8.

A byte order mark, which Windows writes, is dropped. Other encodings are refused by name.
"""

import codecs
from pathlib import Path

from fivedice.base.errors import MalformedError, UnknownError, shown

_NUL = "is not text: it has a NUL character, as UTF-16 has; save it as UTF-8"
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def plain(text: str, name: str) -> str:
    """A text without a byte order mark. Raises `MalformedError`, which names it, if it has NUL characters."""
    if "\0" in text:
        raise MalformedError(f"{name} {_NUL}")
    return text.removeprefix("\ufeff")


def unmarked(data: bytes, name: str) -> bytes:
    """Bytes without a byte order mark. Raises `MalformedError`, which names them, if they are UTF-16."""
    if data.startswith(UTF_16):
        raise MalformedError(f"{name} is UTF-16 text: save it as UTF-8")
    if b"\0" in data:
        raise MalformedError(f"{name} {_NUL}")
    return data.removeprefix(codecs.BOM_UTF8)


def decoded(data: bytes, name: str) -> str:
    """The text of bytes. Raises `MalformedError`, which begins with their name, if they are not UTF-8."""
    try:
        return unmarked(data, name).decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedError(f"{name} is not UTF-8 text (byte {error.start})") from None


def read_text(path: Path) -> str:
    """The text of a file. Raises `UnknownError` if it cannot be read, and the errors of `decoded`; both name it."""
    name = f"the file {shown(str(path), 300)}"
    try:
        data = path.read_bytes()
    except (FileNotFoundError, ValueError):  # a ValueError if the name is not a valid path
        raise UnknownError(f"there is no file {shown(str(path), 300)}") from None
    except OSError as error:
        raise UnknownError(f"{name} cannot be read: {error.strerror}") from None
    return decoded(data, name)
