"""Arguments that shells complete: the names of rulesets, players and saved games, beside files where they may be."""

import re
from collections.abc import Iterable, Iterator
from glob import escape, glob
from os.path import isdir
from typing import TYPE_CHECKING, Annotated, TypeAlias

from cyclopts import Parameter

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


Rules: TypeAlias = Annotated[str, Parameter(completer=_rulesets)]
"""A ruleset."""

DailyRules: TypeAlias = Annotated[str, Parameter(completer=_daily_rulesets)]
"""A ruleset of the daily."""

Players: TypeAlias = Annotated[str, Parameter(completer=_players)]
"""Players, separated by commas."""

RecordFile: TypeAlias = Annotated[str, Parameter(completer=_records, allow_leading_hyphen=True)]
"""The name of a file of a record or of a saved game, or `-` for standard input."""
