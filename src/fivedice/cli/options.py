"""Arguments and options of several commands, with their help, and the words by which shells complete them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from glob import escape, glob
from os.path import isdir
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from cyclopts import Parameter, Token
from cyclopts.validators import Number

from fivedice.base.errors import MalformedError, shown

if TYPE_CHECKING:
    from cyclopts.completion import CompletionContext


def _rulesets(context: "CompletionContext") -> list[str]:
    """Rulesets by id, and files of TOML."""
    from fivedice.rulesets import ruleset_ids

    return [*_beginning(ruleset_ids(), context), *_files(context.incomplete, ".toml")]


def _daily_rulesets(context: "CompletionContext") -> list[str]:
    from fivedice.daily.days import RULES

    return [*_beginning(RULES.values(), context)]


def _players(context: "CompletionContext") -> list[str]:
    """The kind of player that is being typed: the last one of `ann=human,gree`."""
    from fivedice.players.kinds import KINDS

    typed = re.split(r"[,=]", context.incomplete)[-1]
    before = context.incomplete[: len(context.incomplete) - len(typed)]
    return [before + kind for kind in KINDS if kind.startswith(typed)]


def _records(context: "CompletionContext") -> list[str]:
    """Saved games by name, and files of text."""
    from fivedice.cli.files.record_file import records_folder

    names = (file.name.removesuffix(".txt") for file in sorted(records_folder().glob("*.txt")))
    return [*_beginning(names, context), *_files(context.incomplete, ".txt")]


def _beginning(names: Iterable[str], context: "CompletionContext") -> Iterator[str]:
    return (name for name in names if name.startswith(context.incomplete))


def _files(typed: str, ending: str) -> Iterator[str]:
    """Folders, and files with this ending, that begin with what was typed."""
    for path in sorted(glob(f"{escape(typed)}*")):
        if isdir(path):
            yield f"{path}/"
        elif path.endswith(ending):
            yield path


Rules: TypeAlias = Annotated[
    str,
    Parameter(
        completer=_rulesets, help="A ruleset: an id with any options, such as yahtzee[joker=free], or a TOML file."
    ),
]

DailyRules: TypeAlias = Annotated[
    str, Parameter(completer=_daily_rulesets, help="yahtzee, kniffel or yatzy. The default is that of your language.")
]

Players: TypeAlias = Annotated[str, Parameter(completer=_players)]

Records: TypeAlias = Annotated[str, Parameter(completer=_records, allow_leading_hyphen=True)]
"""The name of a file of a record or of a saved game, or `-` for standard input; also of a folder."""

RecordFile: TypeAlias = Annotated[
    Records,
    Parameter(help="A record: a file, the name of one of your games in fivedice games, or - for standard input."),
]

PositionText: TypeAlias = Annotated[
    str,
    Parameter(
        help='A position in one line, such as "yahtzee - 33456 r2": RULESET CARD DICE rN. RULESET is an id with any '
        "options, such as yahtzee[joker=free], or a TOML file. CARD is - for an empty card, or boxes with their "
        "points, as in ones=3,chance=20; cards of several players are separated by /, with @1 for the second one to "
        "move. DICE are digits in any order, or - before the first roll. rN are the rolls left. What is missing is "
        "taken from a new game of yahtzee after its first roll, so 33456 means the same."
    ),
]

Flag: TypeAlias = Annotated[bool, Parameter(negative="", show_default=False)]
"""A flag without a --no- form."""

Json: TypeAlias = Annotated[bool, Parameter(negative="", show_default=False, help="Print JSON.")]

DatabaseUrl: TypeAlias = Annotated[str | None, Parameter(help="The database, as for `fivedice serve`.")]

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

Count: TypeAlias = Annotated[Positive, Parameter(help="The maximum number of positions.")]

Seed: TypeAlias = Annotated[Whole, Parameter(help="The seed of the dice, from 0 on.")]

Workers: TypeAlias = Annotated[
    Whole | None, within(1, 1_024), Parameter(help="The number of processors to use; by default all.")
]

Scheduler: TypeAlias = Annotated[
    str | None,
    Parameter(
        help='The address of a Dask scheduler, such as tcp://10.0.0.1:8786, or "local" to start one on this machine.'
    ),
]

Created: TypeAlias = Annotated[
    str | None,
    Parameter(
        help="The day to write into the description, such as 2026-11-26; by default none, so that the same command "
        "writes the same bytes."
    ),
]

Output: TypeAlias = Annotated[Path | None, Parameter(negative="")]

Simulated: TypeAlias = Annotated[
    Positive | None,
    Parameter(
        help="How many games to simulate for each seat, rounded up to a multiple of 8, where a game is too large to be "
        "computed; 4,096 by default."
    ),
]

Days: TypeAlias = Annotated[Whole, within(0, 36_500)]
"""For how many days to keep something; 0 is for ever."""

Pace: TypeAlias = Annotated[float, within(0, 60)]
"""Seconds for a step of a computer player."""
