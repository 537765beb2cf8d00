"""The tutor: it refuses a costly decision with a question once, and the events say how it was used.

It asks about the costliest few of a game, and leaves the rest to the review. What is costly depends on the opponent.

A refused command is no event, so its `Questions` are kept by the process that asked, while it has the table in memory.
"""

from collections.abc import Callable

from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.players.levels import LEVELS, losses
from fivedice.rulesets import load_ruleset
from fivedice.server.table.answers import RefusedError
from fivedice.server.table.state import Table
from fivedice.views.action import action_parts

MOST_QUESTIONS = 3
"""The decisions of a game that the tutor questions at most."""

FIRST_ROUND = 3
"""The tutor asks nothing before this round, except about a win that is given away."""

LEAST_LOSS = 2.0
"""The tutor questions no decision that loses fewer points than this."""

USUAL_LEVEL = "level_5"
"""The level whose threshold applies where no level is at the table."""

LossOf = Callable[[Position, Action], tuple[float, Action] | None]
"""Returns the loss of an action in points of expected final score, and the best action; None if not known,
or not well enough for a question."""


class Questions:
    """The actions that the tutor has asked about, by decision."""

    def __init__(self) -> None:
        self._asked: dict[tuple[int, tuple[str, ...]], list[Action]] = {}

    def add(self, table: Table, action: Action) -> None:
        """Remember that the tutor asked about an action in the present decision of a table."""
        self._asked.setdefault(_decision(table), []).append(action)

    def about(self, table: Table) -> frozenset[Action]:
        """The actions that it has asked about in the present decision of a table."""
        return frozenset(self._asked.get(_decision(table), ()))


def check_loss(table: Table, action: Action, loss_of: LossOf, questions: Questions) -> None:
    """Refuse a legal action as costly if its loss exceeds the tutor's threshold, and remember the question."""
    turn = table.turn
    found = loss_of(turn.position, action)
    if found is not None and found[0] > threshold(table):
        loss, best = found
        wins = any(offer.wins and offer.action == best for offer in turn.position.offers())
        has_asked_enough = table.mover.asked + len(questions.about(table)) >= MOST_QUESTIONS
        if not wins and (turn.position.round < FIRST_ROUND or has_asked_enough):
            return
        detail = f"{action} gives away a win" if wins else f"{action} costs {loss:.2f} points"
        questions.add(table, action)
        raise RefusedError(
            "costly",
            detail,
            loss=loss,
            best=str(best),
            best_parts=action_parts(best),
            asked=str(action),
            asked_parts=action_parts(action),
            gives_away_win=wins or None,
        )


def threshold(table: Table) -> float:
    """The tutor questions decisions that lose more points than this: what the best level at the table loses in a turn,
    so that a beginner's opponent is no reason for many questions."""
    lost = losses(table.ruleset) or losses(load_ruleset("yahtzee"))
    assert lost is not None, "yahtzee has levels"
    by_kind = {**dict(zip(LEVELS, lost, strict=True)), "optimal": 0, "trained": 0}
    here = [by_kind[seat.kind] for seat in table.seats if seat.kind in by_kind]
    return max(LEAST_LOSS, min(here, default=by_kind[USUAL_LEVEL]) / table.ruleset.rounds)


def _decision(table: Table) -> tuple[int, tuple[str, ...]]:
    """The present decision: the dice cannot change without another roll, even if a score is taken back."""
    return table.turn.rolled_at, table.position.card.notes
