"""`to_dict`: a result as the JSON that the command line prints, of dictionaries, lists, texts and numbers.

>>> from fivedice import advise, solve
>>> found = to_dict(advise(solve("crag"), "crag - 445 r0"))
>>> found["position"], found["actions"][0]["action"]
('crag - 445 r0', 'score crag')
"""

from typing import TYPE_CHECKING, Any

import msgspec

from fivedice.base.errors import wrong_type
from fivedice.game.position import Position
from fivedice.game.record import Record

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution  # it loads NumPy


def to_dict(result: Any) -> dict[str, Any]:
    """The JSON of a result, as `--json` prints it: of advice, chances, odds, a review or an evaluation, of a
    solution, a record, a position with its legal actions, a ruleset with its rules in English, and of `Why`.

    A review is without reasons and without chances over time. Raises `TypeError` for anything else.
    """
    # Imported here because the solver's libraries are slow to import.
    from fivedice.analysis.advice import Advice
    from fivedice.analysis.chances import Chances
    from fivedice.analysis.odds.odds import Odds
    from fivedice.analysis.reviews.review import Review
    from fivedice.analysis.why import Why
    from fivedice.base.language import ENGLISH
    from fivedice.rulesets.ruleset import Ruleset
    from fivedice.solver.solution import Solution
    from fivedice.views.advice import advised_position_view
    from fivedice.views.chances import chances_view
    from fivedice.views.evaluation import Evaluation
    from fivedice.views.odds import position_odds_view
    from fivedice.views.position import why_view
    from fivedice.views.review import review_view
    from fivedice.views.rules import explained_rules_view
    from fivedice.views.to_dict import legal_data, record_data, solution_data

    view: Any
    match result:
        case Advice():
            view = advised_position_view(result)
        case Chances():
            view = chances_view(result)
        case Odds():
            view = position_odds_view(result)
        case Review():
            view = review_view(None, result)
        case Evaluation():
            view = result
        case Solution():
            view = solution_data(result)
        case Record():
            view = record_data(result)
        case Position():
            view = legal_data(result)
        case Ruleset():
            view = explained_rules_view(result, ENGLISH)
        case Why():
            view = why_view(result)
        case object(to_dict=method):
            view = method()
        case _:
            raise wrong_type("a result of fivedice, such as advice or a review", result)
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(view))
    return found


def solution_data(solution: "Solution") -> dict[str, Any]:
    """The figures of a solution."""
    return {
        "ruleset": str(solution.ruleset),
        "digest": solution.ruleset.digest,
        "expected_score": solution.expected_score,
        "turn_states": solution.num_turn_states,
        "seconds": solution.seconds,
    }


def legal_data(position: Position) -> dict[str, Any]:
    """The position and its legal actions, scores first; `bonus` is paid for an extra Yahtzee."""
    others = [{"action": str(action)} for action in (*position.announcements(), *position.keeps())]
    scores = [{"action": str(o.action), "points": o.points, "bonus": o.bonus} for o in position.offers()]
    return {"position": str(position), "actions": [*scores, *others]}


def record_data(record: Record) -> dict[str, Any]:
    """The record; dice and actions are in notation."""
    return {
        "ruleset": str(record.ruleset),
        "digest": record.ruleset.digest,
        "date": record.date,
        "first": record.first,
        "seats": [
            {"name": seat.name, "kind": seat.kind, "total": card.total, "card": str(card)}
            for seat, card in zip(record.seats, record.position.cards, strict=True)
        ],
        "winners": list(record.position.winners),
        "is_over": record.is_over,
        "position": str(record.position),
        "turns": record.lines,
    }
