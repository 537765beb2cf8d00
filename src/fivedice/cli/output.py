"""How commands print: JSON for programs, one sentence for what is wrong."""

import json
import sys
from typing import Annotated, NoReturn, TypeAlias

from cyclopts import Parameter

Flag: TypeAlias = Annotated[bool, Parameter(negative="")]
"""An option that is given or not: it has no --no-form."""

File: TypeAlias = Annotated[str, Parameter(allow_leading_hyphen=True)]
"""The name of a file, which may be `-` for standard input."""


def print_json(value: object) -> None:
    """A value as indented JSON."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def fail(sentence: str) -> NoReturn:
    """Say what is wrong and leave with status 2."""
    print(f"fivedice: {sentence}", file=sys.stderr)
    sys.exit(2)
