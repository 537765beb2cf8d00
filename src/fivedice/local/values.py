"""`KeptValues`: the tables of values that a device keeps, and what can be had with them."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace

from fivedice.analysis.action_values import PlainSolution
from fivedice.analysis.advice import Advice, advise
from fivedice.errors import MalformedError
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.language import ENGLISH, Language
from fivedice.players import Available
from fivedice.ruleset import Ruleset
from fivedice.server.table.available import available_here
from fivedice.solver.tables.states import States

MAX_ADVICE = 500
"""Advice in memory: on all positions of a few games, which their reviews ask for again."""


class KeptValues:
    """The values of rulesets by digest, and the advice that follows from them."""

    def __init__(self) -> None:
        self._values: dict[str, Callable[[], Sequence[float]]] = {}
        self._solutions: dict[Ruleset, PlainSolution] = {}
        self._known: OrderedDict[Position, Advice] = OrderedDict()

    def keep(self, digest: str, values: Callable[[], Sequence[float]]) -> None:
        """Take the table of the rules with a digest, in the order of its `Solution`; it is read when it is needed."""
        self._values[digest] = values

    def has(self, ruleset: Ruleset) -> bool:
        """Whether the values of some rules are kept, and plain Python has a recursion for the rules."""
        return ruleset.digest in self._values and not ruleset.divides_dice

    def solution(self, ruleset: Ruleset) -> PlainSolution | None:
        """The values of some rules; None unless the device has them."""
        if not self.has(ruleset):
            return None
        if ruleset not in self._solutions:
            states, values = States(ruleset), self._values[ruleset.digest]()
            if len(values) != states.num_entries:
                raise MalformedError(f"values of {ruleset}: want {states.num_entries:,} of them, not {len(values):,}")
            self._solutions[ruleset] = PlainSolution(states, values)
        return self._solutions[ruleset]

    def advice(self, position: Position) -> Advice | None:
        """Advice on a position; None without values. Raises `IllegalError` if no game leads to it."""
        solution = self.solution(position.ruleset)
        if solution is None:
            return None
        if position not in self._known:
            self._known[position] = advise(solution, position)
        self._known.move_to_end(position)
        if len(self._known) > MAX_ADVICE:
            self._known.popitem(last=False)
        return self._known[position]

    def loss(self, position: Position, action: Action) -> tuple[float, Action] | None:
        """The loss of an action in points, and the best action; None without values."""
        advice = self.advice(position)
        return None if advice is None else (advice.of(action).loss, advice.best.action)

    def available(self, ruleset: Ruleset, to: Language = ENGLISH) -> Available:
        """What can be had under some rules on this device, with reasons in a language."""
        found = available_here(ruleset, to)
        on_server = to.say("Only a server computes this: it is not there offline.")
        greedy = found.greedy or (on_server if ruleset.divides_dice else "")
        trained = found.trained or on_server
        if self.has(ruleset):
            return replace(found, chances=found.chances or on_server, greedy=greedy, trained=trained)
        missing = to.say(
            "The values of {game} are not on this device: there is no advice, no review and no level offline.",
            game=ruleset.name,
        )
        reason = on_server if found.solution or ruleset.divides_dice else missing
        return Available(
            found.solution or reason,
            found.advice or reason,
            found.review or reason,
            found.chances or reason,
            greedy,
            trained,
        )
