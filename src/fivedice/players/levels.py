"""The levels: nine computer players from a newcomer to perfect play, which err as people do.

>>> list(LEVELS)[0], LEVELS["level_1"].name
('level_1', 'Newcomer')
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import inf, isnan
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from fivedice.analysis.action_values import (
    Found,
    PlainSolution,
    action_values,
    approximate_action_values,
    best_within,
    tables_of,
)
from fivedice.analysis.arguments import position_under
from fivedice.base.language import marked
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.slips import Habits, Slips, believed, fraction, hash_of
from fivedice.solver.tables.states import EQUAL

if TYPE_CHECKING:
    from fivedice.solver.approximate_solution import ApproximateSolution
    from fivedice.solver.solution import Solution


class LevelText(NamedTuple):
    """The name of a level and a sentence about how it plays, both messages of `fivedice.base.language`."""

    name: str
    about: str


LEVELS: Mapping[str, LevelText] = {
    "level_1": LevelText(
        marked("Newcomer"), marked("Takes the points it sees, overlooks many combinations and forgets the upper bonus.")
    ),
    "level_2": LevelText(
        marked("Beginner"), marked("Likes points now, overlooks many combinations and seldom thinks of the bonus.")
    ),
    "level_3": LevelText(
        marked("Sunday player"), marked("Knows all boxes, but fills the good ones too early and gives up on others.")
    ),
    "level_4": LevelText(
        marked("Family player"), marked("Plays sensibly, but often misjudges what an open box is still worth.")
    ),
    "level_5": LevelText(
        marked("Regular"), marked("Keeps an eye on the bonus, and errs in the less common positions.")
    ),
    "level_6": LevelText(
        marked("Club player"), marked("Plans ahead and seldom overlooks a keep, but weighs some boxes wrongly.")
    ),
    "level_7": LevelText(marked("Old hand"), marked("Knows what boxes are worth, and errs where choices are close.")),
    "level_8": LevelText(marked("Strategist"), marked("Errs seldom, and hardly ever by much.")),
    "level_9": LevelText(
        marked("Champion"),
        marked("The best player known: plays for the highest expected score, exactly wherever rules can be solved."),
    ),
}
"""The levels by kind, the weakest first. `level_9` is the same player as `optimal`, or as `trained` if rules are too
large to solve."""


STEP = 0.563
"""The share of games that each level wins against the one below, a tie counting half: in `yahtzee`, level 1 is then a
newcomer who still sees what lies on the table. Where chance weighs so much that level 1 would have to be absurdly
careless, the steps are smaller, but equal all the same."""

CARELESSNESS: Mapping[str, tuple[float, ...]] = {
    "balut": (1.908, 1.446, 1.124, 0.91, 0.767, 0.603, 0.429, 0.241),
    "cameroon": (1.894, 1.366, 1.008, 0.849, 0.667, 0.484, 0.327, 0.153),
    "cheerio": (1.238, 0.942, 0.82, 0.677, 0.517, 0.367, 0.241, 0.124),
    "crag": (2.0, 1.673, 1.396, 1.071, 0.85, 0.663, 0.438, 0.259),
    "generala": (1.803, 1.447, 1.123, 0.87, 0.661, 0.425, 0.246, 0.103),
    "kismet": (0.836, 0.713, 0.591, 0.476, 0.368, 0.267, 0.174, 0.092),
    "kniffel": (0.845, 0.707, 0.572, 0.45, 0.347, 0.238, 0.145, 0.074),
    "poker_dice": (1.999, 1.638, 1.131, 0.952, 0.74, 0.47, 0.239, 0.092),
    "triple_yahtzee": (0.384, 0.325, 0.266, 0.208, 0.157, 0.113, 0.073, 0.042),
    "yacht": (1.237, 0.942, 0.803, 0.656, 0.504, 0.366, 0.24, 0.122),
    "yacht_dice": (0.912, 0.783, 0.646, 0.515, 0.389, 0.277, 0.178, 0.093),
    "yahtzee": (1.098, 0.91, 0.756, 0.604, 0.452, 0.321, 0.205, 0.104),
    "yahtzee_1956": (1.097, 0.906, 0.752, 0.596, 0.447, 0.318, 0.203, 0.102),
    "yahtzee_free": (1.095, 0.91, 0.756, 0.604, 0.452, 0.322, 0.205, 0.104),
    "yahtzee_no_joker": (1.052, 0.896, 0.741, 0.595, 0.444, 0.317, 0.202, 0.104),
    "yahtzee_plain": (0.845, 0.707, 0.572, 0.45, 0.347, 0.238, 0.145, 0.074),
    "yahtzee_wild": (1.098, 0.91, 0.756, 0.604, 0.452, 0.321, 0.205, 0.104),
    "yamb": (0.392, 0.338, 0.288, 0.24, 0.191, 0.142, 0.092, 0.05),
    "yams": (0.717, 0.607, 0.504, 0.399, 0.309, 0.215, 0.134, 0.07),
    "yatzy": (0.638, 0.54, 0.453, 0.367, 0.282, 0.207, 0.135, 0.075),
    "yatzy_american": (0.613, 0.518, 0.434, 0.347, 0.26, 0.182, 0.12, 0.064),
}
"""By the id of a ruleset, how careless levels 1 to 8 are, as `Habits.of` reads it. `find_carelessness` of
`benchmarks/tables/ladder.py` found it; other rules have that of `yahtzee`."""

MEANS: Mapping[str, tuple[int, ...]] = {
    "cameroon": (67, 73, 79, 85, 91, 97, 103, 110, 117),
    "cheerio": (93, 99, 105, 111, 117, 123, 129, 135, 142),
    "crag": (111, 116, 120, 126, 131, 135, 140, 145, 150),
    "generala": (96, 103, 110, 117, 123, 130, 136, 143, 149),
    "kismet": (224, 234, 246, 258, 268, 280, 291, 303, 315),
    "kniffel": (181, 188, 196, 204, 212, 220, 229, 237, 246),
    "poker_dice": (356, 376, 396, 416, 432, 451, 470, 487, 504),
    "triple_yahtzee": (1468, 1520, 1546, 1569, 1592, 1634, 1662, 1703, 1724),
    "yacht": (109, 116, 123, 130, 137, 144, 152, 159, 167),
    "yacht_dice": (131, 138, 145, 151, 159, 167, 175, 183, 192),
    "yahtzee": (169, 179, 188, 198, 208, 218, 230, 242, 255),
    "yahtzee_1956": (170, 179, 189, 198, 208, 218, 229, 242, 254),
    "yahtzee_free": (169, 179, 188, 198, 208, 218, 230, 242, 255),
    "yahtzee_no_joker": (170, 179, 189, 198, 208, 218, 229, 241, 254),
    "yahtzee_plain": (181, 188, 196, 204, 212, 220, 229, 237, 246),
    "yahtzee_wild": (169, 179, 188, 198, 208, 218, 230, 242, 255),
    "yamb": (1000, 1024, 1054, 1070, 1091, 1124, 1141, 1175, 1193),
    "yatzy": (175, 184, 193, 202, 212, 220, 230, 239, 248),
    "yatzy_american": (229, 238, 247, 256, 266, 276, 285, 295, 304),
}
"""By the id of a ruleset, the mean score of each level, in whole points: exact, as `make ladder` prints it, or measured
where rules are too large to solve."""


SHARES: Mapping[str, float] = {
    "balut": 0.563,
    "cameroon": 0.566,
    "cheerio": 0.566,
    "crag": 0.541,
    "generala": 0.568,
    "kismet": 0.566,
    "kniffel": 0.563,
    "poker_dice": 0.546,
    "triple_yahtzee": 0.568,
    "yacht": 0.564,
    "yacht_dice": 0.564,
    "yahtzee": 0.576,
    "yahtzee_1956": 0.576,
    "yahtzee_free": 0.578,
    "yahtzee_no_joker": 0.574,
    "yahtzee_plain": 0.563,
    "yahtzee_wild": 0.578,
    "yamb": 0.567,
    "yatzy": 0.565,
    "yatzy_american": 0.564,
}
"""By the id of a ruleset, the share of games that a level wins against the one below, as a mean over its ladder in
`docs/players.md`; where levels are of about `STEP` by design, but were not measured, that counts."""


def share_of(rules: str) -> float:
    """The share of games that each level wins against the one below under the rules with an id."""
    return SHARES.get(rules, STEP if rules in CARELESSNESS else SHARES["yahtzee"])


def losses(ruleset: Ruleset) -> tuple[int, ...] | None:
    """The points that each level loses a game against the best play, on average; None where that is not known."""
    means = None if ruleset.options else MEANS.get(ruleset.id)
    return None if means is None else tuple(means[-1] - mean for mean in means)


def habits_of(kind: str, ruleset: Ruleset) -> Habits:
    """The habits of a level under a ruleset, also with options."""
    number = list(LEVELS).index(kind)
    if number == len(LEVELS) - 1:
        return Habits()
    return Habits.of(CARELESSNESS.get(ruleset.id, CARELESSNESS["yahtzee"])[number])


class Believed(Sequence[float]):
    """What a player with these habits believes instead of the values of a solution, by turn-state index.

    Each is found when it is asked for; `beliefs` of `fivedice.simulation.players` finds them all.
    """

    def __init__(self, solution: "Solution | PlainSolution", habits: Habits, seed: int = 0) -> None:
        self._states, self._values, self._habits = solution.states, solution.float_values, habits
        self.slips = Slips.of(habits, solution.expected_score / solution.ruleset.rounds, seed)
        self._rows: dict[int, tuple[float, float] | None] = {}

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: Any) -> Any:
        row, value = index // self._states.stride, self._values[index]
        if row not in self._rows:
            self._rows[row] = self._of_row(row)
        found = self._rows[row]
        return value if found is None else believed(self._habits, value, *found)

    def _of_row(self, row: int) -> tuple[float, float] | None:
        """The middle of a row, and the error in it; None for finished games."""
        states, first = self._states, row * self._states.stride
        if row >= states.num_rows or states.is_finished(row):
            return None
        known = [value for value in self._values[first : first + states.num_lanes] if not isnan(value)]
        return (known[0] + known[-1]) * 0.5, fraction(hash_of(self.slips.seed, row, 0)) * self.slips.error


@lru_cache(maxsize=32)  # at a table, a player is made for each decision
def _misjudged(solution: "ApproximateSolution", habits: Habits, seed: int) -> "ApproximateSolution":
    from fivedice.solver.approximate_solution import misjudged

    return misjudged(solution, habits, seed)


@dataclass(frozen=True)
class Level:
    """A player of one level, which judges by the solution of the rules, exact or approximate, and errs as
    `fivedice.solver.slips` says.

    It rolls no dice to decide: in the same position it always takes the same action, as one person would who misjudges
    it. `seed` chooses another person with the same habits.
    """

    kind: str
    solution: "Solution | PlainSolution | ApproximateSolution"
    seed: int = 0

    def choose(self, position: Position) -> Action:
        """The action that it believes to be best; raises `IllegalError` if its solution is that of other rules."""
        position_under(self.solution.ruleset, position)  # raises
        found, ruleset = self._values_of_actions(position), position.ruleset
        tables = tables_of(ruleset.dice, ruleset.faces)
        x, row = [-inf] * len(tables.row), tables.row[position.dice]
        for value, action, _ in found:
            if isinstance(action, Keep) and not isnan(value):
                x[tables.row[action.dice]] = value
        others = [(value, action) for value, action, _ in found if not isinstance(action, Keep)]
        dice = list(tables.row)[best_within(tables, x)[row]]
        value, action = max(others, key=itemgetter(0), default=(-inf, Keep(dice)))
        return Keep(dice) if x[row] > value + EQUAL else action

    @cached_property
    def _values_of_actions(self) -> Callable[[Position], list[Found]]:
        """The values of the actions of a position, as it believes them to be."""
        habits = habits_of(self.kind, self.solution.ruleset)
        if not self.solution.is_exact:
            approximate = _misjudged(cast("ApproximateSolution", self.solution), habits, self.seed)
            return lambda position: approximate_action_values(approximate, position)
        exact = cast("Solution | PlainSolution", self.solution)
        believed = Believed(exact, habits, self.seed)
        return lambda position: action_values(exact.states, believed, position, believed.slips)
