"""`ManyLines`: answers to many lines with the compiled kernels, as whole arrays wherever possible.

The text is the same as that of `LineByLine`, byte for byte.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from fivedice.analysis.action_values import place_of_card
from fivedice.analysis.advice import BatchAdvice, advise_batch, for_cards, is_compiled, settled_points
from fivedice.cli.saved_advice import Answered, LineByLine, Table, json_line
from fivedice.cli.text.read_position import line_position
from fivedice.game.action import Keep, Score
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice, sub_keeps
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solution import Solution
from fivedice.solver.tables.dice_tables import roll_indices
from fivedice.solver.tables.states import Array, States
from fivedice.views.advice import EXPECTED_SCORE, AdvisedActionView, AdvisedPositionView

Row: TypeAlias = tuple[int, Position, int]
"""The place of a line, its position, and the index of its turn state."""


class ManyLines:
    """Answers lines with the solutions that `solution_of` gives; its `ValueError`s are answers, too."""

    def __init__(self, solution_of: Callable[[Ruleset], Solution], top: int | None) -> None:
        self._solution_of, self._top = solution_of, top
        self._others = LineByLine(self._table_of, top)

    def answer(self, lines: Sequence[str]) -> Answered:
        """The answers to these lines, in order."""
        answers = [""] * len(lines)
        groups: dict[Ruleset, list[Row]] = defaultdict(list)
        has_errors = False
        solution: Solution | None = None
        for number, line in enumerate(lines):
            with suppress(ValueError):  # it belongs in the line's answer
                position = line_position(line)
                if solution is None or position.ruleset is not solution.ruleset:
                    solution = self._solution_of(position.ruleset)
                if position.dice and is_compiled(solution.states):
                    index, _ = _place(solution.states, position.card)
                    if not math.isnan(solution.values[index]):
                        groups[position.ruleset].append((number, position, index))
                        continue
            answers[number], is_error = self._others.answer([line])
            has_errors |= is_error
        for ruleset, rows in groups.items():
            for (number, _, _), text in zip(rows, self._with_dice(self._solution_of(ruleset), rows), strict=True):
                answers[number] = text
        return "".join(answers), has_errors

    def _table_of(self, ruleset: Ruleset) -> Table:
        solution = self._solution_of(ruleset)
        return solution.states, solution.float_values

    def _with_dice(self, solution: Solution, rows: Sequence[Row]) -> Iterator[str]:
        """The answers to positions of one ruleset that have dice."""
        ruleset, positions = solution.ruleset, [position for _, position, _ in rows]
        index_of = roll_indices(ruleset.dice, ruleset.faces)
        indices = np.array([index for _, _, index in rows])
        places = np.array([index_of[position.dice] for position in positions])
        left = [position.rolls_left for position in positions]
        found = advise_batch(solution, indices, places, np.array(left))
        found = for_cards(solution.states, found, [position.card for position in positions])

        # Columns are in the order of `Position.actions`: a score of each box, then its zero, then the keeps.
        num_boxes = len(ruleset.boxes)
        scores = np.stack([found.scores, found.zeros], axis=2).reshape(len(rows), 2 * num_boxes)
        to_come = np.concatenate([scores, found.keeps], axis=1)
        order = np.argsort(-to_come, axis=1, kind="stable")[:, : self._top]
        num_legal = np.minimum(np.count_nonzero(~np.isnan(to_come), axis=1), order.shape[1]).tolist()
        to_come = np.take_along_axis(to_come, order, axis=1)
        is_legal = np.arange(order.shape[1]) < np.array(num_legal)[:, np.newaxis]
        written = np.array([_place(solution.states, position.card)[1] for position in positions], dtype=np.float64)
        values = (written[:, np.newaxis] + to_come)[is_legal].tolist()
        losses = (to_come[:, :1] - to_come)[is_legal].tolist()
        places, points = (np.take_along_axis(one, order, axis=1)[is_legal].tolist() for one in _columns(ruleset, found))
        names = _score_names(ruleset)
        end = 0
        for number, position in enumerate(positions):
            begin, end = end, end + num_legal[number]
            of_row = names + _keep_names(position.dice)
            parts = zip(places[begin:end], values[begin:end], losses[begin:end], points[begin:end], strict=True)
            actions = [
                AdvisedActionView(of_row[place], value, loss, None if scored < 0 else scored)
                for place, value, loss, scored in parts
            ]
            yield json_line(AdvisedPositionView(str(position), EXPECTED_SCORE, values[begin], actions))


def _columns(ruleset: Ruleset, found: BatchAdvice) -> tuple[Array, Array]:
    """int64[N, columns] twice: for every action the place of its name among `_score_names` and `_keep_names`, and its
    points, with -1 for a keep."""
    num_rows, num_boxes = found.points.shape
    num_columns = 2 * num_boxes + found.keeps.shape[1]
    places = np.tile(np.arange(num_columns), (num_rows, 1))
    boxes = np.arange(num_boxes)
    places[:, : 2 * num_boxes : 2] = boxes
    places[:, 1 : 2 * num_boxes : 2] = np.where(np.isnan(found.scores), boxes, num_boxes + boxes)
    points = np.full((num_rows, num_columns), -1)
    points[:, : 2 * num_boxes : 2] = found.points
    points[:, 1 : 2 * num_boxes : 2] = 0
    return places, points


@lru_cache(maxsize=16)
def _score_names(ruleset: Ruleset) -> list[str]:
    """A score of each box in notation, then a voluntary zero in each."""
    return [str(Score(box.id, is_scratch=is_scratch)) for is_scratch in (False, True) for box in ruleset.boxes]


@lru_cache(maxsize=4_096)
def _place(states: States, card: ScoreCard) -> tuple[int, int]:
    """The index of a card's turn state, and the points on it; cached, since a turn has a line for every roll."""
    return place_of_card(states, card), settled_points(card)


@lru_cache(maxsize=4_096)
def _keep_names(roll: Dice) -> list[str]:
    """Each keep of a roll in notation."""
    return [str(Keep(keep)) for keep in sub_keeps(roll)]
