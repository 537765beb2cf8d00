"""Solutions, records and the actions of positions as plain data."""

from typing import TYPE_CHECKING, Any

from fivedice.game.position import Position
from fivedice.game.record import Record

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution  # it loads NumPy


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
