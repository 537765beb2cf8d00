"""`ManyLines`: answers to many lines with the compiled kernels, as whole arrays wherever possible.

The text is the same as that of `FewLines`, byte for byte.
"""

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

import msgspec
import numpy as np

from fivedice.analysis.advice import advise, advise_batch, points_written, state_index
from fivedice.cli.batch.few_lines import Answered, error_line
from fivedice.cli.text.format_json import format_json
from fivedice.dice import Dice, sub_keeps
from fivedice.game.action import Action, Keep, Score
from fivedice.game.joker import rule_on
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.ruleset import Category, Ruleset
from fivedice.solver.dice_tables import roll_indices
from fivedice.solver.solution import Solution
from fivedice.solver.states import Array
from fivedice.views.advice import advised_position_view

_EXPONENT = 1e-4
"""Numbers below this have an exponent, which msgspec writes unlike Python."""

Row: TypeAlias = tuple[int, Position, int]
"""The place of a line, its position, and the index of its turn state."""


class ManyLines:
    """Answers lines with the solutions that `solution_of` gives; its `ValueError`s are answers, too."""

    def __init__(self, solution_of: Callable[[Ruleset], Solution], top: int | None) -> None:
        self._solution_of, self._top = solution_of, top

    def answer(self, lines: Sequence[str]) -> Answered:
        """The answers to these lines, in order."""
        answers = [""] * len(lines)
        groups: dict[Ruleset, list[Row]] = defaultdict(list)
        has_errors = False
        for number, line in enumerate(lines):
            try:
                position = parse_position(line)
                solution = self._solution_of(position.ruleset)
                index = -1 if position.is_over else state_index(solution, position.card)
                if not position.dice or math.isnan(solution.values[index]):
                    view = advised_position_view(advise(solution, position), self._top)
                    answers[number] = f"{format_json(view, indent=None)}\n"
                else:
                    groups[position.ruleset].append((number, position, index))
            except ValueError as error:
                answers[number] = error_line(line, error)
                has_errors = True
        for ruleset, rows in groups.items():
            for (number, _, _), text in zip(rows, self._with_dice(self._solution_of(ruleset), rows), strict=True):
                answers[number] = text
        return "".join(answers), has_errors

    def _with_dice(self, solution: Solution, rows: Sequence[Row]) -> Iterator[str]:
        """The answers to positions of one ruleset that have dice."""
        ruleset, positions = solution.ruleset, [position for _, position, _ in rows]
        index_of = roll_indices(ruleset.dice, ruleset.faces)
        indices = np.array([index for _, _, index in rows])
        places = np.array([index_of[position.dice] for position in positions])
        left = [position.rolls_left for position in positions]
        found = advise_batch(solution, indices, places, np.array(left), threads=1)

        # Columns are in the order of `Position.actions`: a score of each box, then its zero, then the keeps.
        num_boxes = len(ruleset.boxes)
        scores = np.stack([found.scores, found.zeros], axis=2).reshape(len(rows), 2 * num_boxes)
        to_come = np.concatenate([scores, found.keeps], axis=1)
        order = np.argsort(-to_come, axis=1, kind="stable")[:, : self._top]
        num_legal = np.minimum(np.count_nonzero(~np.isnan(to_come), axis=1), order.shape[1]).tolist()
        to_come = np.take_along_axis(to_come, order, axis=1)
        is_legal = np.arange(order.shape[1]) < np.array(num_legal)[:, np.newaxis]
        written = np.array([points_written(position.card) for position in positions], dtype=np.float64)
        values = _texts((written[:, np.newaxis] + to_come)[is_legal])
        losses = _texts((to_come[:, :1] - to_come)[is_legal])
        columns = order[is_legal].tolist()

        points = _points(ruleset, positions, places).tolist()
        is_zero = np.isnan(found.scores).tolist()
        labels = _labels(ruleset)
        end = 0
        for number, position in enumerate(positions):
            begin, end = end, end + num_legal[number]
            heads = _keep_heads(position.dice)
            actions = []
            for column, value, loss in zip(columns[begin:end], values[begin:end], losses[begin:end], strict=True):
                box = column // 2
                if column >= 2 * num_boxes:
                    actions.append(f'{heads[column - 2 * num_boxes]}{value}, "loss": {loss}, "points": null}}')
                elif column % 2 == 0:
                    actions.append(f'{labels[box][0]}{value}, "loss": {loss}, "points": {points[number][box]}}}')
                else:
                    head = labels[box][not is_zero[number][box]]
                    actions.append(f'{head}{value}, "loss": {loss}, "points": 0}}')
            text = _string(str(position))
            yield f'{{"position": {text}, "value": {values[begin]}, "actions": [{", ".join(actions)}]}}\n'


def _texts(numbers: Array) -> list[str]:
    """Numbers as `json.dumps` writes them, but all at once."""
    if not numbers.size:
        return []
    texts = msgspec.json.encode(numbers.tolist()).decode()[1:-1].split(",")
    for index in np.flatnonzero((numbers < _EXPONENT) & (numbers != 0)).tolist():
        texts[index] = repr(float(numbers[index]))
    return texts


def _points(ruleset: Ruleset, positions: Sequence[Position], places: Array) -> Array:
    """int64[N, boxes]: what each roll would write in each box."""
    points = np.tile(_face_scores(ruleset)[places], len(ruleset.columns))
    for number, position in enumerate(positions):
        if _pays_first_rolls(ruleset) and position.is_first_roll:
            for offer in position.offers():
                if offer.points:
                    points[number, ruleset.box_index[offer.action.box]] = offer.points
        elif position.dice[0] == position.dice[-1]:
            for box in rule_on(position.card, position.dice).at_joker_value:
                points[number, box] = _joker_score(ruleset.boxes[box].category, position.dice)
    return points


@lru_cache(maxsize=16)
def _face_scores(ruleset: Ruleset) -> Array:
    """int64[rolls, categories]: the points of every roll at face value."""
    return np.array([ruleset.face_scores(roll) for roll in roll_indices(ruleset.dice, ruleset.faces)])


@lru_cache(maxsize=1_024)
def _joker_score(category: Category, dice: Dice) -> int:
    return category.joker_score(dice)


@lru_cache(maxsize=16)
def _pays_first_rolls(ruleset: Ruleset) -> bool:
    return any(category.first_roll_bonus for category in ruleset.categories)


@lru_cache(maxsize=16)
def _labels(ruleset: Ruleset) -> list[tuple[str, str]]:
    """The beginning of an answer's action: of a score of each box, and of a voluntary zero."""
    return [(_head(Score(box.id)), _head(Score(box.id, is_scratch=True))) for box in ruleset.boxes]


@lru_cache(maxsize=4_096)
def _keep_heads(roll: Dice) -> list[str]:
    """The same of each keep of a roll."""
    return [_head(Keep(keep)) for keep in sub_keeps(roll)]


def _head(action: Action) -> str:
    return f'{{"action": {_string(str(action))}, "value": '


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
