"""Reviews: luck and loss add up to the score in every game, under every policy and every ruleset."""

import random
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from fivedice.analysis.advice import advise
from fivedice.analysis.reviews.luck_scale import LuckScale
from fivedice.analysis.reviews.player_figures import game_figures
from fivedice.analysis.reviews.review import Review, review
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action, Score
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat, parse_record
from fivedice.players import Greedy, Optimal, Random
from fivedice.rulesets import load_ruleset
from fivedice.solver.play.distribution import Distribution
from fivedice.views.review import review_view
from tests.amount import cases
from tests.solutions import ids_up_to, solution_of

DATE = "2026-11-21T10:00:00+00:00"
RULESETS = cases(
    ids_up_to("crag"),  # each game is replayed action by action
    full=[*ids_up_to("yatzy"), "yatzy_american[rounds=13]"],
)
Policy = Callable[[Position], Action]


def slips(policy: Policy, chance: random.Random, share: float) -> Policy:
    """A policy with a share of random actions."""
    return lambda position: (Random(chance).choose if chance.random() < share else policy)(position)


def policies(ref: str, chance: random.Random) -> dict[str, Policy]:
    optimal = Optimal(solution_of(ref)).choose
    return {
        "optimal": optimal,
        "optimal with one slip in ten": slips(optimal, chance, 0.1),
        "greedy": Greedy().choose,
        "random": Random(chance).choose,
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


def check_identity(reviewed: Review) -> None:
    for number, seat in enumerate(reviewed.seats):
        assert seat.start_value + seat.luck - seat.loss == pytest.approx(seat.value, abs=1e-9)
        assert seat.dice_neutral == pytest.approx(seat.value - seat.luck, abs=1e-9)
        assert all(decision.loss >= 0 for decision in seat.decisions)
        if reviewed.record.position.cards[number].is_complete:
            assert seat.value == pytest.approx(seat.score, abs=1e-9)


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


@pytest.mark.parametrize("ref", RULESETS)
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
