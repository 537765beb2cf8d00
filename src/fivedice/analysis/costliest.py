"""The dearest decisions of a seat's game: what every report shows apart."""

from fivedice.analysis.marks import SHOWN_LOSS
from fivedice.analysis.review import ReviewedDecision, SeatReview

NUM_COSTLIEST = 3
"""Decisions that are shown apart, the dearest first."""


def costliest(seat: SeatReview) -> list[ReviewedDecision]:
    """The decisions that cost most, dearest first; none that cost nothing to one decimal."""
    costly = [decision for decision in seat.decisions if decision.loss >= SHOWN_LOSS]
    return sorted(costly, key=lambda decision: -decision.loss)[:NUM_COSTLIEST]
