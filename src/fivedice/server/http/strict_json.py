"""Strict decoding of JSON from clients: any invalid input raises `MalformedError`."""

from typing import TypeVar

import msgspec

from fivedice.errors import MalformedError

T = TypeVar("T")


def read_json(decoder: msgspec.json.Decoder[T], text: str | bytes) -> T:
    """Decode a text; raises `MalformedError`."""
    try:
        return decoder.decode(text)
    except msgspec.DecodeError as error:
        raise MalformedError(str(error)) from None
    except UnicodeDecodeError:
        raise MalformedError("a string in it is not UTF-8") from None
    except RecursionError:
        raise MalformedError("it is nested too deeply") from None
