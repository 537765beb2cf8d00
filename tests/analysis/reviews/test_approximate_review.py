"""A game that is too large to solve is reviewed whole, and its luck and loss add up to the score."""

import pytest

from fivedice.analysis.reviews.marks import INACCURACY, mark_of
from fivedice.analysis.reviews.review import Review, review_approximately, review_end
from fivedice.analysis.reviews.seat_review import turn_reviews
from fivedice.game.record import Record, Seat
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.solver.saved.approximations import shipped_approximation
from fivedice.solver.saved.saved_table import has_approximation
from fivedice.views.review import review_view
from tests.game.table_game import table_game

LEARNED = [id for id in ruleset_ids() if has_approximation(load_ruleset(id))]
LIMIT = 2**25


@pytest.fixture(scope="module", params=LEARNED)
def reviewed(request: pytest.FixtureRequest) -> Review:
    """The review of a game of two seats."""
    ruleset = load_ruleset(request.param)
    solution = shipped_approximation(ruleset)
    assert solution
    return review_approximately(solution, table_game(ruleset_ref=ruleset, seed=3), LIMIT)


def test_luck_and_loss_of_all_turns_add_up_to_the_score(reviewed: Review) -> None:
    for number, (seat, card) in enumerate(zip(reviewed.seats, reviewed.record.position.cards, strict=True)):
        assert seat.value == pytest.approx(seat.start_value + seat.luck - seat.loss, abs=1e-6)
        assert seat.value == pytest.approx(card.result, abs=1e-6)
        assert len(turn_reviews(reviewed.record, number, seat)) == reviewed.record.ruleset.rounds


def test_the_last_turns_are_those_of_the_exact_review(reviewed: Review) -> None:
    end = review_end(reviewed.record, LIMIT)
    for seat, exact in zip(reviewed.seats, end.seats, strict=True):
        assert exact.decisions == seat.decisions[-len(exact.decisions) :]
        assert exact.rolls[1:] == seat.rolls[-len(exact.rolls) + 1 :]


def test_a_loss_that_may_be_an_error_of_the_values_has_no_mark(reviewed: Review) -> None:
    for seat in reviewed.seats:
        learned = [decision for decision in seat.decisions if decision.least_mistake]
        assert learned
        assert all(decision.loss >= decision.least_mistake for decision in learned if decision.mark)
        hidden = any(mark_of(decision.loss) and not decision.mark for decision in learned)
        assert hidden or max(decision.least_mistake for decision in learned) < INACCURACY, "the test shows nothing"


def test_the_view_says_that_values_are_not_exact(reviewed: Review) -> None:
    view = review_view(None, reviewed)
    assert (view.exact, view.standard_error) == (False, reviewed.seats[0].error)
    assert "wrong by about" in str(view.limits)
    assert "Both are exact" not in view.note
    for seat in view.seats:
        assert not seat.has_lessons
        assert seat.level is None
        assert seat.summary.result[0].startswith("≈ ")
        assert "Exactly" not in seat.summary.exact_sums


def test_a_seat_without_a_turn_has_the_value_of_a_new_game() -> None:
    ruleset = load_ruleset("triple_yahtzee")
    solution = shipped_approximation(ruleset)
    assert solution
    record = Record.start(ruleset, (Seat("Ann", "human"),), "2026-11-24T10:00:00+00:00")
    (seat,) = review_approximately(solution, record).seats
    assert (seat.value, seat.luck, seat.loss) == (solution.expected_score, 0, 0)
