"""Advice by saved values, which are read without loading NumPy: on one position, or on the lines of a file."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from fivedice.analysis.advice import Advice, advise, advise_without_kernels, rest_of
from fivedice.cli.text.output import format_json
from fivedice.cli.text.read_position import line_position
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.saved.saved_table import UnusableSolutionError, has_approximation, read_values, solutions_folder
from fivedice.solver.tables.states import States, TooLargeError
from fivedice.views.advice import advised_position_view

Table: TypeAlias = tuple[States, Sequence[float]]
"""The layout of a table of values, and the table itself."""


def table_of(ruleset: Ruleset) -> Table:
    """The values of a solved ruleset. Without a usable saved solution, it is solved and saved.

    Raises `TooLargeError` if it is too large.
    """
    states = States(ruleset)
    try:
        saved = read_values(states, solutions_folder())
    except UnusableSolutionError:
        saved = None  # `solution_of` finds the same fault, and prints a warning
    if saved:
        return states, saved[1]
    # Imported here, because it loads NumPy.
    from fivedice.cli.solutions import solution_of

    return states, solution_of(ruleset).float_values


def advice_on(position: Position, of_rules: Callable[[Ruleset], Table] = table_of) -> Advice:
    """Advice on a position, with the table of its rules that `of_rules` gives.

    Where rules are too large, it is by their approximate solution, or without one by what is left to play.
    Raises `IllegalError` if it is unreachable, and `TooLargeError` if there are no such values.
    """
    try:
        table = of_rules(position.ruleset)
    except TooLargeError as error:
        from fivedice.cli.solutions import approximation_or_raise

        if has_approximation(position.ruleset, solutions_folder()):
            return advise(approximation_or_raise(position.ruleset, error), position)
        try:
            solution = rest_of(position)
        except TooLargeError as too_large:
            return advise(approximation_or_raise(position.ruleset, too_large), position)
        table = solution.states, solution.float_values
    return advise_without_kernels(*table, position)


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
