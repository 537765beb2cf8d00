"""`Available`: what can be had under some rules: advice, chances and computer players; and why the rest cannot.

Nothing is solved or compiled to find out. The page, the API, the terminal and the documentation ask only here.

>>> from fivedice.rulesets import load_ruleset
>>> found = available(load_ruleset("yamb"), memory_limit=2**31)
>>> found.solution.partition(":")[0]
'Yamb cannot be solved exactly'
>>> found.is_approximate
True
>>> found.player("optimal") == found.solution, found.player("greedy")
(True, '')
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from fivedice.base.language import ENGLISH, Language
from fivedice.players.greedy import greedy_work
from fivedice.players.levels import LEVELS
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.saved.saved_table import has_approximation
from fivedice.solver.tables.states import REST_BYTES, States, TurnState


@dataclass(frozen=True, slots=True)
class Available:
    """What can be had. Each field is a sentence that says why it cannot, or empty.

    `solution` stands for all that needs the exact values: `optimal`, and the reasons why an action is better; `advice`
    for what exact or approximate values allow: advice with the tutor and lessons, and the levels.
    `review` is for finished games, of which the last turns will do. `chances` stands for the chances to win and of
    final scores. `greedy` and `trained` are players.
    """

    solution: str = ""
    advice: str = ""
    review: str = ""
    chances: str = ""
    greedy: str = ""
    trained: str = ""

    @property
    def is_approximate(self) -> bool:
        """Whether advice is from approximate values."""
        return bool(self.solution) and not self.advice

    def player(self, kind: str) -> str:
        """Why there is no player of a kind, or empty."""
        if kind in ("random", "human"):
            return ""
        if kind == "greedy":
            return self.greedy
        if kind == "trained":
            return self.trained
        if kind in LEVELS:
            return self.advice
        if kind == "optimal":
            return self.solution
        return self.chances  # these weigh chances


@lru_cache(maxsize=1_024)  # asked several times for each action at a table
def available(
    ruleset: Ruleset,
    *,
    memory_limit: int,
    end_limit: int = REST_BYTES,
    greedy_limit: int | None = None,
    learned_in: Path | None = None,
    to: Language = ENGLISH,
) -> Available:
    """What can be had under a ruleset, with reasons in a language.

    `memory_limit` is that of a solution in bytes, `end_limit` that for the last turns of one player. `greedy_limit` is
    how many keeps a greedy player may examine for a choice. `learned_in` is the folder of approximate solutions beside
    those that come with the program.
    """
    no_exact = ""
    is_solvable, has_chances = _can_be_solved(ruleset, memory_limit)
    no_solution = to.say(
        "{game} cannot be solved: there is no advice, no tutor and no optimal player.", game=ruleset.name
    )
    if has_approximation(ruleset, learned_in):
        no_exact = to.say(
            "{game} cannot be solved exactly: advice, reviews and the levels are by learned values, which are "
            "only about right, and there are no exact chances.",
            game=ruleset.name,
        )
    no_review = to.say("{game} cannot be solved, nor its last turns: there is no review.", game=ruleset.name)
    no_chances = to.say("{game} has turns of a kind for which no chances are computed.", game=ruleset.name)
    no_training = to.say("{game} is solved exactly, so that nobody needs to be trained in it.", game=ruleset.name)
    no_greedy = to.say("{game} has too many ways to keep dice for a greedy player.", game=ruleset.name)
    return Available(
        solution="" if is_solvable else no_exact or no_solution,
        advice="" if is_solvable or no_exact else no_solution,
        review="" if is_solvable or no_exact or _has_last_turn(ruleset, end_limit) else no_review,
        chances="" if has_chances else no_chances if is_solvable else no_exact or no_solution,
        trained="" if no_exact else no_training if is_solvable else no_solution,
        greedy=no_greedy if greedy_limit is not None and greedy_work(ruleset) > greedy_limit else "",
    )


@lru_cache(maxsize=256)
def _has_last_turn(ruleset: Ruleset, limit: int) -> bool:
    """Whether the last turn of a card has a solution within a limit, whichever boxes it leaves open."""
    boxes, num_parts = range(len(ruleset.boxes)), 3 * len(ruleset.line_boxes) + len(ruleset.conversion)
    for last in boxes:
        filled = [box for box in boxes if box != last][: ruleset.rounds - 1]
        start = TurnState(frozenset(filled), (0,) * len(ruleset.columns), parts=(0,) * num_parts)
        states = States(ruleset, (start,))
        if states.obstacle or states.num_bytes > limit:
            return False
    return True


@lru_cache(maxsize=256)
def _can_be_solved(ruleset: Ruleset, memory_limit: int) -> tuple[bool, bool]:
    """Whether there can be a solution, and chances that kernels compute from it."""
    states = States(ruleset)
    is_solvable = states.num_bytes <= memory_limit and not states.obstacle
    return is_solvable, is_solvable and states.has_kernels
