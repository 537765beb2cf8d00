"""What optimal play brings, by following the best actions in the engine."""

from collections.abc import Callable

from fivedice.game.action import Action
from fivedice.game.position import Position
from tests.solver.brute_force import BruteForce, Node, Outcomes

Chances = dict[int, float]


class Followed:
    """The chances of what optimal play brings: exact ones, each rounded once.

    `count` says what is counted: a number of the card at the end of the game.
    """

    def __init__(self, brute: BruteForce, count: Callable[[Position], int]) -> None:
        self.brute = brute
        self.count = count
        self._found: dict[Node, _Courses] = {}

    def chances(self, position: Position) -> Chances:
        return _as_chances(self._from(self.brute.tree.at(position)))

    def after(self, position: Position, action: Action) -> Chances:
        return _as_chances(self._mean(self.brute.tree.at(position).after[action]))

    def _from(self, node: Node) -> "_Courses":
        if node not in self._found:
            self._found[node] = self._search(node)
        return self._found[node]

    def _search(self, node: Node) -> "_Courses":
        if node.position.is_over:
            return 1, {self.count(node.position): 1}
        return self._mean(node.rolled or node.after[self.brute.best_at(node)])

    def _mean(self, outcomes: Outcomes) -> "_Courses":
        found = [(count, *self._from(node)) for count, node in outcomes]
        most = max(total for _, total, _ in found)
        result: dict[int, int] = {}
        for count, total, courses in found:
            times = count * (most // total)  # both are powers of the number of faces
            for number, ways in courses.items():
                result[number] = result.get(number, 0) + times * ways
        return most * sum(count for count, _ in outcomes), result


_Courses = tuple[int, dict[int, int]]
"""The number of equally likely courses of the dice, and of those with each number."""


def _as_chances(courses: _Courses) -> Chances:
    total, found = courses
    return {number: ways / total for number, ways in found.items()}
