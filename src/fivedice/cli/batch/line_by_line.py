"""`LineByLine`: answers to a few lines in plain Python, at once; `error_line` is the answer to an invalid line."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TypeAlias

from fivedice.cli.saved_advice import Table, advice_on
from fivedice.cli.text.format_json import format_json
from fivedice.cli.text.read_position import line_position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.views.advice import advised_position_view

Answered: TypeAlias = tuple[str, bool]
"""Lines of JSON, each with its line end, and whether any of them is an error."""


class LineByLine:
    """Answers lines in this process with the tables that `table_of` gives; its `ValueError`s are answers, too."""

    def __init__(self, table_of: Callable[[Ruleset], Table], top: int | None) -> None:
        self._table, self._top = lru_cache(maxsize=16)(table_of), top

    def answer(self, lines: Sequence[str]) -> Answered:
        """The answers to these lines, in order."""
        answers, has_errors = [], False
        for line in lines:
            try:
                position = line_position(line)
                advice = advice_on(position, self._table)
            except ValueError as error:
                answers.append(error_line(line, error))
                has_errors = True
            else:
                answers.append(f"{format_json(advised_position_view(advice, self._top), indent=None)}\n")
        return "".join(answers), has_errors

    def solve(self, lines: Sequence[str]) -> None:
        """Get the tables of all rulesets of these lines, which solves those that are not solved yet."""
        for line in lines:
            with suppress(ValueError):  # it belongs in the line's answer
                self._table(line_position(line).ruleset)


def error_line(line: str, error: ValueError) -> str:
    """The answer to an invalid line."""
    return f"{format_json({'position': line, 'error': str(error)}, indent=None)}\n"
