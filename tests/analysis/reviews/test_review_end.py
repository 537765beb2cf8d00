"""The review of the last turns of a game, as in that of the whole game, or exact by itself where there is none; and of
a game that is too large to solve, whose luck and loss add up to the score."""

import pytest

from fivedice.analysis.reviews.marks import mark_of
from fivedice.analysis.reviews.review import Review, review, review_approximately, review_end
from fivedice.analysis.reviews.seat_review import turn_reviews
from fivedice.game.record import Record, Seat
from fivedice.rulesets import load_ruleset
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import END_BYTES, REST_BYTES, States, TooLargeError
from fivedice.testing import TINY, TINY_TURNS
from fivedice.views.review import review_view
from tests.game.table_game import table_game
from tests.solver.approximate.shipped import shipped

ALL_TINY = TINY | TINY_TURNS
LIMIT = 2**25
UNSOLVED = ("balut", "triple_yahtzee", "yamb")


def check_sums(found: Review) -> None:
    """The value at the end is that at the start with luck and without loss, and the score of a complete card."""
    for seat, card in zip(found.seats, found.record.position.cards, strict=True):
        assert seat.value == pytest.approx(seat.start_value + seat.luck - seat.loss, abs=1e-6)
        if card.is_complete:
            assert seat.value == pytest.approx(card.result, abs=1e-6)


@pytest.mark.parametrize("id", ALL_TINY)
def test_the_last_turns_are_reviewed_as_in_the_whole_game(id: str) -> None:
    ruleset = ALL_TINY[id]
    record = table_game(ruleset_ref=ruleset, seed=1)
    whole = review(solve(ruleset), record)
    for memory_limit in (REST_BYTES, States(ruleset).num_bytes * len(record.seats) // 2):
        try:
            last = review_end(record, memory_limit)
        except TooLargeError:
            assert memory_limit < REST_BYTES
            continue
        assert memory_limit < REST_BYTES or {seat.first_turn for seat in last.seats} == {1}
        check_sums(last)
        for number, (one, other) in enumerate(zip(last.seats, whole.seats, strict=True)):
            turns, expected = turn_reviews(record, number, one), turn_reviews(record, number, other)
            assert [turn.number for turn in turns] == [turn.number for turn in expected[one.first_turn - 1 :]]
            for turn, same in zip(turns, expected[one.first_turn - 1 :], strict=True):
                assert (turn.luck, turn.loss) == pytest.approx((same.luck, same.loss), abs=1e-9)
                assert [decision.action for decision in turn.decisions] == [d.action for d in same.decisions]


@pytest.mark.parametrize("id", UNSOLVED)
def test_games_too_large_to_solve_are_reviewed_in_their_last_turns(id: str) -> None:
    record = table_game(ruleset_ref=load_ruleset(id), seed=2)
    found = review_end(record, LIMIT)
    check_sums(found)
    rounds = record.ruleset.rounds
    for seat, solution in zip(found.seats, found.solutions, strict=True):
        assert solution is not None
        assert solution.states.num_bytes <= LIMIT // len(found.seats)
        assert 1 < seat.first_turn <= rounds
        assert len({roll.turn for roll in seat.rolls}) == rounds + 1 - seat.first_turn
    view = review_view(None, found)
    assert "cannot be solved as a whole" in str(view.limits)
    assert [seat.summary.result[0] for seat in view.seats] == [
        f"from turn {seat.first_turn} on" for seat in found.seats
    ]
    assert not any(seat.has_lessons or seat.level for seat in view.seats)


def test_an_unfinished_game_that_is_far_from_its_end_is_refused() -> None:
    yamb = load_ruleset("yamb")
    start = Record.start(yamb, (Seat("Ann", "human"), Seat("Ben", "human")), "2026-11-21T10:00:00+00:00")
    for record in (start, start.roll((1, 2, 3, 4, 5))):
        with pytest.raises(TooLargeError, match="yamb"):
            review_end(record)


@pytest.fixture(scope="module", params=UNSOLVED)
def reviewed(request: pytest.FixtureRequest) -> Review:
    """The review of a game of two seats."""
    return review_approximately(shipped(request.param), table_game(ruleset_ref=request.param, seed=3))


def test_luck_and_loss_of_all_turns_add_up_to_the_score(reviewed: Review) -> None:
    check_sums(reviewed)
    for number, seat in enumerate(reviewed.seats):
        assert len(turn_reviews(reviewed.record, number, seat)) == reviewed.record.ruleset.rounds


def test_the_last_turns_are_those_of_the_exact_review(reviewed: Review) -> None:
    end = review_end(reviewed.record, END_BYTES * 2)
    for seat, exact in zip(reviewed.seats, end.seats, strict=True):
        assert exact.decisions == seat.decisions[-len(exact.decisions) :]
        assert exact.rolls[1:] == seat.rolls[-len(exact.rolls) + 1 :]


def test_a_loss_that_may_be_an_error_of_the_values_has_no_mark(reviewed: Review) -> None:
    for seat in reviewed.seats:
        learned = [decision for decision in seat.decisions if decision.least_mistake]
        assert learned
        assert all(decision.loss >= decision.least_mistake for decision in learned if decision.mark)
        hidden = any(mark_of(decision.loss) and not decision.mark for decision in learned)
        assert hidden or reviewed.record.ruleset.id == "balut", "the test shows nothing"


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
    solution = shipped("triple_yahtzee")
    record = Record.start(solution.ruleset, (Seat("Ann", "human"),), "2026-11-24T10:00:00+00:00")
    (seat,) = review_approximately(solution, record).seats
    assert (seat.value, seat.luck, seat.loss) == (solution.expected_score, 0, 0)
