"""fivedice: Yahtzee and its whole family, played by exactly the rules people chose.

Names are imported when they are first used, so that `import fivedice` is fast.

>>> import fivedice
>>> position = fivedice.Position.parse("crag - 445 r0")
>>> print(fivedice.advise(fivedice.solve("crag"), position).best.action)
score crag
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fivedice.analysis.advice import Advice as Advice
    from fivedice.analysis.advice import advise as advise
    from fivedice.analysis.advice import advise_batch as advise_batch
    from fivedice.analysis.chances import Chances as Chances
    from fivedice.analysis.chances import chances as chances
    from fivedice.analysis.odds import Odds as Odds
    from fivedice.analysis.odds import odds as odds
    from fivedice.analysis.reviews.review import Review as Review
    from fivedice.analysis.reviews.review import review as review
    from fivedice.analysis.why import Why as Why
    from fivedice.analysis.why import why as why
    from fivedice.base.errors import IllegalError as IllegalError
    from fivedice.base.errors import MalformedError as MalformedError
    from fivedice.base.errors import UnknownError as UnknownError
    from fivedice.base.extras import MissingExtraError as MissingExtraError
    from fivedice.game.action import Announce as Announce
    from fivedice.game.action import Keep as Keep
    from fivedice.game.action import Offer as Offer
    from fivedice.game.action import Score as Score
    from fivedice.game.card import ScoreCard as ScoreCard
    from fivedice.game.notation import parse_action as parse_action
    from fivedice.game.notation import parse_position as parse_position
    from fivedice.game.position import Position as Position
    from fivedice.game.record import Record as Record
    from fivedice.game.record import parse_record as parse_record
    from fivedice.game.verification import verify_record as verify_record
    from fivedice.players import Greedy as Greedy
    from fivedice.players import Optimal as Optimal
    from fivedice.players import Player as Player
    from fivedice.players import Random as Random
    from fivedice.players import Rival as Rival
    from fivedice.rulesets import load_ruleset as load_ruleset
    from fivedice.rulesets import parse_ruleset as parse_ruleset
    from fivedice.rulesets import ruleset_ids as ruleset_ids
    from fivedice.rulesets.explanation import explain as explain
    from fivedice.rulesets.ruleset import Ruleset as Ruleset
    from fivedice.simulation.evaluate import evaluate as evaluate
    from fivedice.simulation.simulate import Experiment as Experiment
    from fivedice.simulation.simulate import simulate as simulate
    from fivedice.solver.play.breakdown import Breakdown as Breakdown
    from fivedice.solver.play.breakdown import find_breakdown as find_breakdown
    from fivedice.solver.solution import Solution as Solution
    from fivedice.solver.solve import TooLargeError as TooLargeError
    from fivedice.solver.solve import solve as solve
    from fivedice.views.evaluation import Evaluation as Evaluation
    from fivedice.views.to_dict import to_dict as to_dict

    __version__: str

_ROOMS = {
    "analysis.advice": ("Advice", "advise", "advise_batch"),
    "analysis.chances": ("Chances", "chances"),
    "analysis.odds": ("Odds", "odds"),
    "analysis.reviews.review": ("Review", "review"),
    "analysis.why": ("Why", "why"),
    "base.errors": ("IllegalError", "MalformedError", "UnknownError"),
    "simulation.evaluate": ("evaluate",),
    "rulesets.explanation": ("explain",),
    "base.extras": ("MissingExtraError",),
    "game.action": ("Announce", "Keep", "Offer", "Score"),
    "game.card": ("ScoreCard",),
    "game.notation": ("parse_action", "parse_position"),
    "game.position": ("Position",),
    "game.record": ("Record", "parse_record"),
    "game.verification": ("verify_record",),
    "players": ("Greedy", "Optimal", "Player", "Random", "Rival"),
    "rulesets.ruleset": ("Ruleset",),
    "rulesets": ("load_ruleset", "parse_ruleset", "ruleset_ids"),
    "simulation.simulate": ("Experiment", "simulate"),
    "solver.play.breakdown": ("Breakdown", "find_breakdown"),
    "solver.solution": ("Solution",),
    "solver.solve": ("TooLargeError", "solve"),
    "views.evaluation": ("Evaluation",),
    "views.to_dict": ("to_dict",),
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("fivedice")
    elif name in _HOME:
        value = getattr(import_module(f"fivedice.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"module 'fivedice' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
