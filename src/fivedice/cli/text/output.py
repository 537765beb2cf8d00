"""Types of command-line options, and output: JSON for programs, one sentence for an error."""

import json
import re
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any, NoReturn, TypeAlias, TypeVar

import msgspec
from cyclopts import Parameter, Token
from cyclopts.validators import Number

from fivedice.base.errors import MalformedError, shown

DataPackage: TypeAlias = dict[str, Any]
"""The description of a table, or of a data set, in the form of https://datapackage.org."""

Flag: TypeAlias = Annotated[bool, Parameter(negative="", show_default=False)]
"""A flag without a --no- form."""

Json: TypeAlias = Annotated[bool, Parameter(negative="", show_default=False, help="Print JSON.")]
"""A flag with which a command prints JSON."""

DatabaseUrl: TypeAlias = Annotated[str | None, Parameter(help="The database, as for `fivedice serve`.")]
"""Where a database is that a server has, or had."""

Several: TypeAlias = Annotated[tuple[str, ...], Parameter(negative="", show_default=False)]
"""An option that can be repeated, without an --empty- form."""

Rest: TypeAlias = Annotated[str, Parameter(allow_leading_hyphen=True, show=False)]
"""The other words of a position that was typed without quotes."""


def _whole(_: object, tokens: Sequence[Token]) -> int:
    """Parse a whole number strictly; the default converter accepts 1.5 as 2."""
    text = tokens[0].value
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        raise MalformedError(f"want a whole number, not {shown(text)}")
    return int(text)


Whole: TypeAlias = Annotated[int, Parameter(converter=_whole)]
"""A whole number, written without a decimal point or an exponent."""


def within(least: float, most: float | None = None) -> Parameter:
    """A number that is neither less nor more."""
    return Parameter(validator=Number(gte=least, lte=most))


Positive: TypeAlias = Annotated[Whole, within(1)]
"""A whole number from 1."""

Workers: TypeAlias = Annotated[Whole | None, within(1, 1_024)]
"""The number of processors to use."""

Days: TypeAlias = Annotated[Whole, within(0, 36_500)]
"""For how many days to keep something; 0 is for ever."""

Pace: TypeAlias = Annotated[float, within(0, 60)]
"""Seconds for a step of a computer player."""


Command = TypeVar("Command", bound=Callable[..., None])


def prints(*types: Any) -> Callable[[Command], Command]:
    """Say of a command what its `--json` prints: one of these types."""

    def marked(command: Command) -> Command:
        vars(command)["json_types"] = types
        return command

    return marked


def format_json(value: object, indent: int | None = 2) -> str:
    """A view, or plain data, as JSON text."""
    return json.dumps(msgspec.to_builtins(value), indent=indent, ensure_ascii=False)


def print_json(value: object) -> None:
    """Print a view, or plain data, as indented JSON."""
    print(format_json(value))


def fail(sentence: str) -> NoReturn:
    """Print an error and exit with status 2."""
    print(f"fivedice: {sentence}", file=sys.stderr)
    sys.exit(2)
