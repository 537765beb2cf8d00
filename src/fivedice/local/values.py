"""`KeptValues`: the tables of values that a device keeps, and what can be had with them."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from fivedice.analysis.action_values import PlainSolution
from fivedice.analysis.advice import Advice, advise
from fivedice.analysis.plain_breakdown import PlainBreakdown
from fivedice.analysis.reviews.marks import LuckScale
from fivedice.base.errors import MalformedError
from fivedice.base.language import ENGLISH, Language
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.players import Available
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.table.available import available_here, has_browser_reasons
from fivedice.solver.saved.portable import Portable, PortableParts
from fivedice.solver.tables.states import States

MAX_ADVICE = 500
"""Advice in memory: on all positions of a few games, which their reviews ask for again."""


class KeptValues:
    """The values of rulesets by digest, and the advice that follows from them."""

    def __init__(self) -> None:
        self._files: dict[str, Callable[[], Portable]] = {}
        self._parts: dict[str, Callable[[], PortableParts]] = {}
        self._solutions: dict[Ruleset, tuple[PlainSolution, LuckScale | None]] = {}
        self._breakdowns: dict[Ruleset, PlainBreakdown] = {}
        self._advice = lru_cache(MAX_ADVICE)(lambda position: advise(self._read(position.ruleset)[0], position))

    def keep(self, digest: str, file: Callable[[], Portable]) -> None:
        """Take the values of the rules with a digest, in the order of its `Solution`; they are read when needed."""
        self._files[digest] = file

    def keep_parts(self, digest: str, file: Callable[[], PortableParts]) -> None:
        """Take what explains the advice on the rules with a digest."""
        self._parts[digest] = file

    def has(self, ruleset: Ruleset) -> bool:
        """Whether the values of some rules are kept."""
        return ruleset.digest in self._files

    def solution(self, ruleset: Ruleset) -> PlainSolution | None:
        """The values of some rules; None unless the device has them."""
        return self._read(ruleset)[0] if self.has(ruleset) else None

    def scale(self, ruleset: Ruleset) -> LuckScale | None:
        """What compares the luck of a game with that of perfect games; None unless the device has it."""
        return self._read(ruleset)[1] if self.has(ruleset) else None

    def breakdown(self, ruleset: Ruleset) -> PlainBreakdown | None:
        """What explains the advice on some rules; None unless the device has it.

        If the parts of these rules are too large for any browser, the values tell this turn from later ones.
        """
        solution, parts = self.solution(ruleset), self._parts.get(ruleset.digest)
        if solution is None or (parts is None and has_browser_reasons(ruleset)):
            return None
        if ruleset not in self._breakdowns:
            self._breakdowns[ruleset] = PlainBreakdown(solution, parts and parts())
        return self._breakdowns[ruleset]

    def _read(self, ruleset: Ruleset) -> tuple[PlainSolution, LuckScale | None]:
        if ruleset not in self._solutions:
            states, file = States(ruleset), self._files[ruleset.digest]()
            if len(file.values) != states.num_entries:
                raise MalformedError(
                    f"values of {ruleset}: want {states.num_entries:,} of them, not {len(file.values):,}"
                )
            solution = PlainSolution(states, file.values)
            scale = LuckScale(solution.expected_score, file.scores) if file.scores else None
            self._solutions[ruleset] = solution, scale
        return self._solutions[ruleset]

    def advice(self, position: Position) -> Advice | None:
        """Advice on a position; None without values. Raises `IllegalError` if no game leads to it."""
        return self._advice(position) if self.has(position.ruleset) else None

    def loss(self, position: Position, action: Action) -> tuple[float, Action] | None:
        """The loss of an action in points, and the best action; None without values."""
        advice = self.advice(position)
        return None if advice is None else (advice.of(action).loss, advice.best.action)

    def available(self, ruleset: Ruleset, to: Language = ENGLISH) -> Available:
        """What can be had under some rules on this device, with reasons in a language."""
        found = available_here(ruleset, to)
        on_server = to.say("Only a server computes this: it is not there offline.")
        found = replace(found, chances=found.chances or on_server, trained=found.trained or on_server)
        if self.has(ruleset):
            return found
        reason = on_server
        if not found.solution:
            reason = to.say(
                "The values of {game} are not on this device: there is no advice, no review and no level offline.",
                game=ruleset.name,
            )
        return replace(
            found, solution=found.solution or reason, advice=found.advice or reason, review=found.review or reason
        )
