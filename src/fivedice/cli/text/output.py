"""How commands print: JSON for programs, one sentence for what is wrong."""

import json
import re
import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn, TypeAlias

from cyclopts import Parameter, Token

from fivedice.errors import MalformedError, shown

Flag: TypeAlias = Annotated[bool, Parameter(negative="")]
"""An option that is given or not: it has no --no-form."""

Several: TypeAlias = Annotated[tuple[str, ...], Parameter(negative="")]
"""An option that may be given again; where it is not given, there is no --empty-form to say so."""

File: TypeAlias = Annotated[str, Parameter(allow_leading_hyphen=True)]
"""The name of a file, which may be `-` for standard input."""


def _whole(_: object, tokens: Sequence[Token]) -> int:
    """The number that an option is given; usually 1.5 would be taken for 2."""
    text = tokens[0].value
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        raise MalformedError(f"want a whole number, not {shown(text)}")
    return int(text)


Whole: TypeAlias = Annotated[int, Parameter(converter=_whole)]
"""A whole number, written as one."""


def print_json(value: object) -> None:
    """A value as indented JSON."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def fail(sentence: str) -> NoReturn:
    """Say what is wrong and leave with status 2."""
    print(f"fivedice: {sentence}", file=sys.stderr)
    sys.exit(2)
