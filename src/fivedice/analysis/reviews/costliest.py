"""`costliest`: the decisions of a seat's game that lost most, which every report lists separately."""

from fivedice.analysis.reviews.marks import SHOWN_LOSS
from fivedice.analysis.reviews.seat_review import ReviewedDecision, SeatReview

NUM_COSTLIEST = 3
"""The most decisions listed."""


def costliest(seat: SeatReview) -> list[ReviewedDecision]:
    """The decisions that lost most, the largest loss first; none whose loss rounds to 0.0."""
    errors = [decision for decision in seat.decisions if decision.loss >= SHOWN_LOSS]
    return sorted(errors, key=lambda decision: -decision.loss)[:NUM_COSTLIEST]
