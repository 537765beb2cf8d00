"""`format_json`, apart from `output`, for processes that parse no command line."""

import json

import msgspec


def format_json(value: object, indent: int | None = 2) -> str:
    """A view, or plain data, as JSON text."""
    return json.dumps(msgspec.to_builtins(value), indent=indent, ensure_ascii=False)
