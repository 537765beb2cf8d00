"""`to_dict`: a result as the JSON that the command line prints, of dictionaries, lists, texts and numbers.

>>> from fivedice import advise, solve
>>> found = to_dict(advise(solve("crag"), "crag - 445 r0"))
>>> found["position"], found["actions"][0]["action"]
('crag - 445 r0', 'score crag')
"""

from typing import Any

import msgspec

from fivedice.base.errors import wrong_type


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
    from fivedice.game.position import Position
    from fivedice.game.record import Record
    from fivedice.rulesets.ruleset import Ruleset
    from fivedice.solver.solution import Solution
    from fivedice.views.advice import advised_position_view
    from fivedice.views.chances import chances_view
    from fivedice.views.evaluation import Evaluation
    from fivedice.views.odds import position_odds_view
    from fivedice.views.plain import legal_data, record_data, solution_data
    from fivedice.views.position import why_view
    from fivedice.views.review import review_view
    from fivedice.views.rules import explained_rules_view

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
