"""Reviews: luck and loss add up to the score, also in games that are too large to solve, of which the last turns are
reviewed as by a solution."""

import random
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from fivedice.analysis.advice import advise
from fivedice.analysis.reviews.marks import LuckScale, mark_of
from fivedice.analysis.reviews.player_figures import game_figures
from fivedice.analysis.reviews.review import Review, review, review_approximately, review_end
from fivedice.analysis.reviews.seat_review import turn_reviews
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action, Score
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat, parse_record
from fivedice.players import Greedy, Optimal, Random
from fivedice.rulesets import load_ruleset
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import END_BYTES, REST_BYTES, States, TooLargeError
from fivedice.testing import TINY, TINY_TURNS
from fivedice.views.review import review_view
from tests.amount import cases
from tests.game.table_game import table_game
from tests.solutions import ids_up_to, shipped, solution_of

DATE = "2026-11-21T10:00:00+00:00"
Policy = Callable[[Position], Action]


def policies(ref: str, chance: random.Random) -> dict[str, Policy]:
    optimal, anything = Optimal(solution_of(ref)).choose, Random(chance).choose
    return {
        "optimal": optimal,
        "optimal with one slip in ten": lambda position: (anything if chance.random() < 0.1 else optimal)(position),
        "greedy": Greedy().choose,
        "random": anything,
    }


def game(ref: str, players: Sequence[Policy], chance: random.Random, max_steps: int = 10_000) -> Record:
    ruleset = load_ruleset(ref)
    seats = tuple(Seat(f"p{number}", "human") for number in range(len(players)))
    record = Record.start(ruleset, seats, DATE)
    for _ in range(max_steps):
        position = record.position
        if position.is_over:
            break
        if position.dice:
            record = record.play(players[position.seat](position), chance)
        else:
            record = record.roll(chance)
    return record


def check_identity(reviewed: Review, error: float = 1e-9) -> None:
    for seat, card in zip(reviewed.seats, reviewed.record.position.cards, strict=True):
        assert seat.start_value + seat.luck - seat.loss == pytest.approx(seat.value, abs=error)
        assert seat.dice_neutral == pytest.approx(seat.value - seat.luck, abs=error)
        assert all(decision.loss >= 0 for decision in seat.decisions)
        if card.is_complete:
            assert seat.value == pytest.approx(card.result, abs=error)
            assert seat.score == card.total


@pytest.mark.parametrize("steps", range(0, 60, 7))
def test_an_unfinished_game_adds_up_to_its_value_so_far(steps: int) -> None:
    chance = random.Random(steps)
    players = list(policies("yahtzee", chance).values())[1:3]
    record = game("yahtzee", players, chance, steps)
    reviewed = review(solution_of("yahtzee"), record)
    check_identity(reviewed)
    mover = record.position.seat
    if record.position.dice:
        assert reviewed.seats[mover].value == pytest.approx(advise(solution_of("yahtzee"), record.position).value)


@pytest.mark.parametrize("ref", cases(ids_up_to("crag"), full=[*ids_up_to("yatzy"), "yatzy_american[rounds=13]"]))
def test_every_decision_agrees_with_advice_on_its_position(ref: str) -> None:
    chance = random.Random(3)
    record = game(ref, [policies(ref, chance)["random"]] * 2, chance)
    for seat in review(solution_of(ref), record).seats:
        for decision in seat.decisions:
            advice = advise(solution_of(ref), decision.position)
            assert decision.value == pytest.approx(advice.of(decision.action).value, abs=1e-9)
            assert decision.best_value == pytest.approx(advice.value, abs=1e-9)
            assert advice.of(decision.best).loss == pytest.approx(0, abs=1e-9)
            losses = [advised.loss for advised in advice.actions]
            assert decision.is_unforced == (max(losses) > 1e-9)


def test_a_record_of_other_rules_is_refused() -> None:
    record = Record.start(load_ruleset("yatzy"), (Seat("Ann", "human"),), DATE)
    with pytest.raises(IllegalError, match="this is the solution of crag, not of yatzy"):
        review(solution_of("crag"), record)


def test_a_new_game_has_neither_luck_nor_loss() -> None:
    seat = review(solution_of("crag"), Record.start(load_ruleset("crag"), (Seat("Ann", "human"),), DATE)).seats[0]
    assert (seat.luck, seat.loss, seat.error_rate, seat.rolls) == (0, 0, 0.0, ())
    assert seat.level is None
    assert seat.value == seat.start_value == seat.dice_neutral
    values = shipped("triple_yahtzee")
    seat = review_approximately(values, Record.start(values.ruleset, (Seat("Ann", "human"),), DATE)).seats[0]
    assert (seat.value, seat.luck, seat.loss) == (values.expected_score, 0, 0)


def test_percentiles_need_a_scale_and_a_complete_card() -> None:
    chance = random.Random(4)
    players = list(policies("crag", chance).values())[:2]
    scale = LuckScale(solution_of("crag").expected_score, Distribution(99, np.array([0.25, 0.5, 0.25])))
    finished = review(solution_of("crag"), game("crag", players, chance), scale)
    for seat in finished.seats:
        assert seat.luck_percentile == scale.percentile(seat.luck)
    assert all(seat.luck_percentile is None for seat in review(solution_of("crag"), finished.record).seats)
    going_on = review(solution_of("crag"), game("crag", players, chance, 20), scale)
    assert all(seat.luck_percentile is None for seat in going_on.seats)


def without_first_rolls(record: Record) -> Record:
    """The game with real dice, without the first rolls of every third turn."""
    found = Record.start(record.ruleset, record.seats, record.date, record.first).with_real_dice()
    for number, turn in enumerate(record.turns):
        missing = 0 if number % 3 else len(turn.keeps)
        found = found.roll(turn.rolls[missing], missing)
        for keep, roll in zip(turn.keeps[missing:], turn.rolls[missing + 1 :], strict=True):
            found = found.play(keep, tuple((Counter(roll) - Counter(keep.dice)).elements()))
        assert turn.offer
        found = found.play(turn.offer.action)
    return found


@pytest.mark.parametrize("seats", [1, 2])
def test_a_review_has_the_known_decisions_and_no_luck_where_rolls_are_missing(seats: int) -> None:
    chance = random.Random(3)
    whole = game("crag", [Random(chance).choose] * seats, chance)
    record = without_first_rolls(whole)
    assert parse_record(str(record)) == record
    full, found = review(solution_of("crag"), whole), review(solution_of("crag"), record)
    assert review(solution_of("crag"), whole.with_real_dice()).seats == full.seats
    view = review_view(None, found)
    assert view.dice == "Real dice, entered by hand; nothing to verify."
    for before, seat, shown in zip(full.seats, found.seats, view.seats, strict=True):
        gone = {number for number, turn in enumerate(record.turns) if turn.missing}
        known = [one for one in before.decisions if one.turn not in gone or isinstance(one.action, Score)]
        assert [(one.turn, one.action) for one in seat.decisions] == [(one.turn, one.action) for one in known]
        assert [one.loss for one in seat.decisions] == pytest.approx([one.loss for one in known])
        assert seat.missing
        assert seat.start_value + seat.luck - seat.loss == pytest.approx(seat.score)
        assert (seat.level, shown.luck, shown.dice_neutral, shown.luck_percentile) == (None, None, None, None)
        assert [turn.luck is None for turn in shown.turns] == [turn.turn in gone for turn in shown.turns]
        assert "not known" in shown.summary.result[1]
    assert game_figures(found) == []


ALL_TINY = TINY | TINY_TURNS
LIMIT = 2**25
UNSOLVED = ("balut", "triple_yahtzee", "yamb")


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
        check_identity(last)
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
    check_identity(found)
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
    start = Record.start(yamb, (Seat("Ann", "human"), Seat("Ben", "human")), DATE)
    for record in (start, start.roll((1, 2, 3, 4, 5))):
        with pytest.raises(TooLargeError, match="yamb"):
            review_end(record)


@pytest.fixture(scope="module", params=UNSOLVED)
def reviewed(request: pytest.FixtureRequest) -> Review:
    """The review of a game of two seats."""
    return review_approximately(shipped(request.param), table_game(ruleset_ref=request.param, seed=3))


def test_luck_and_loss_of_all_turns_add_up_and_the_last_turns_are_those_of_the_exact_review(reviewed: Review) -> None:
    check_identity(reviewed, 1e-6)
    end = review_end(reviewed.record, END_BYTES * 2)
    for number, (seat, exact) in enumerate(zip(reviewed.seats, end.seats, strict=True)):
        assert len(turn_reviews(reviewed.record, number, seat)) == reviewed.record.ruleset.rounds
        assert (exact.decisions, exact.num_hard) == (seat.decisions[-len(exact.decisions) :], seat.num_hard)
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
    ruleset, seats = reviewed.record.ruleset, reviewed.record.seats
    undecided = Record.start(ruleset, seats, DATE).roll((1,) * ruleset.dice).resign(0)
    assert not review_view(None, review_approximately(shipped(ruleset.id), undecided)).limits
