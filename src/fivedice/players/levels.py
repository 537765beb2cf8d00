"""The levels: nine computer players from a newcomer to perfect play, which err as people do.

>>> list(LEVELS)[0], LEVELS["level_1"].name
('level_1', 'Newcomer')
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.language import marked

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution


class LevelText(NamedTuple):
    """The name of a level and a sentence about how it plays, both messages of `fivedice.language`."""

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
    "level_7": LevelText(marked("Expert"), marked("Knows what boxes are worth, and errs where choices are close.")),
    "level_8": LevelText(marked("Master"), marked("Errs seldom, and hardly ever by much.")),
    "level_9": LevelText(marked("Perfect"), marked("Makes no mistake: plays for the highest expected score, exactly.")),
}
"""The levels by kind, the weakest first. `level_9` is the same player as `optimal`."""


@dataclass(frozen=True)
class Level:
    """A player of one level, which judges by the exact solution of the rules and errs.

    It rolls no dice to decide: in the same position it always takes the same action, so its mistakes are those of one
    person. `seed` chooses another person of the same habits.
    """

    kind: str
    solution: "Solution"
    seed: int = 0

    def choose(self, position: Position) -> Action:
        """The action that it believes to be best."""
        # Imported here because the solver's libraries are slow to import.
        from fivedice.analysis.advice import advise

        return advise(self.solution, position).best.action
