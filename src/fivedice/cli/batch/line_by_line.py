"""`LineByLine`: answers to a few lines in plain Python, at once."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from fivedice.cli.saved_advice import Table, advice_on
from fivedice.cli.text.output import format_json
from fivedice.cli.text.read_position import line_position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.views.advice import advised_position_view

Answered: TypeAlias = tuple[str, bool]
"""Lines of JSON, each with its line end, and whether any of them is an error."""


class LineByLine:
    """Answers lines with the tables that `table_of` gives; its `ValueError`s are answers, too."""

    def __init__(self, table_of: Callable[[Ruleset], Table], top: int | None) -> None:
        self._table, self._top = lru_cache(maxsize=16)(table_of), top

    def answer(self, lines: Sequence[str]) -> Answered:
        """The answers to these lines, in order."""
        answers, has_errors = [], False
        for line in lines:
            answer: object
            try:
                answer = advised_position_view(advice_on(line_position(line), self._table), self._top)
            except ValueError as error:
                answer = {"position": line, "error": str(error)}
                has_errors = True
            answers.append(json_line(answer))
        return "".join(answers), has_errors


def json_line(answer: object) -> str:
    """A line of JSON with its end."""
    return f"{format_json(answer, indent=0)}\n"
