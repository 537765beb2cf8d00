"""Figures of players: means with confidence intervals, and errors by kind of decision and by box."""

import random

import pytest

from fivedice.analysis.reviews.player_figures import estimate, kind_of, player_figures
from fivedice.analysis.reviews.review import review, review_all
from fivedice.game.action import Keep, Score
from fivedice.game.record import Record, Seat
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.solver.solve import solve
from tests.analysis.reviews.test_review import DATE, game, policies
from tests.solutions import solution_of


def test_the_interval_uses_students_t() -> None:
    # t(0.975; 4) = 2.776; the standard deviation of 1 … 5 is 1.5811.
    found = estimate([1, 2, 3, 4, 5])
    assert found.mean == 3
    assert found.half_width == pytest.approx(2.7764 * 1.58114 / 5**0.5, abs=1e-3)
    assert estimate([7.0]).half_width is None


def test_figures_of_a_player_are_those_of_its_reviews() -> None:
    chance = random.Random(1)
    players = policies("crag", chance)
    records = [game("crag", [players["optimal"], players["random"]], chance) for _ in range(6)]
    reviews = list(review_all(solution_of("crag"), records))
    best, worst = player_figures(reviews)
    seats = [review.seats[1] for review in reviews]
    assert (worst.name, worst.ruleset, worst.score.num) == ("p1", load_ruleset("crag"), 6)
    assert worst.score.mean == pytest.approx(sum(seat.score for seat in seats) / 6)
    assert worst.luck.mean == pytest.approx(sum(seat.luck for seat in seats) / 6)
    assert worst.dice_neutral.mean == pytest.approx(sum(seat.dice_neutral for seat in seats) / 6)
    assert worst.errors.loss == pytest.approx(sum(seat.loss for seat in seats))
    assert worst.errors.num_unforced == sum(seat.num_unforced for seat in seats)
    assert sum(errors.loss for errors in worst.by_kind.values()) == pytest.approx(worst.errors.loss)
    assert list(worst.by_kind) == ["first keep", "box"]
    assert sum(errors.loss for errors in worst.by_box.values()) == pytest.approx(worst.by_kind["box"].loss)
    assert best.errors.rate == pytest.approx(0, abs=1e-9)
    assert best.dice_neutral.half_width == pytest.approx(0, abs=1e-9)


def test_changed_rules_of_the_same_name_have_separate_figures() -> None:
    reviews = []
    for pays in (20, 26):
        text = f'like = "crag"\nid = "house"\n[categories.thirteen]\npays = {pays}\n'
        house = parse_ruleset(text, "house.toml")
        record = Record.start(house, (Seat("Ann", "human"),), DATE)
        for box in house.boxes:
            record = record.roll((1, 2, 3)).play(Score(box.id))
        reviews.append(review(solve(house), record))
    assert [(one.name, str(one.ruleset), one.score.num) for one in player_figures(reviews)] == [
        ("Ann", "house.toml", 1),
        ("Ann", "house.toml", 1),
    ]


def test_an_unfinished_card_does_not_count() -> None:
    chance = random.Random(2)
    record = game("crag", [policies("crag", chance)["random"]], chance, max_steps=5)
    assert player_figures(review_all(solution_of("crag"), [record])) == []


def test_a_card_that_a_resignation_left_incomplete_does_not_count() -> None:
    chance = random.Random(2)
    player = policies("crag", chance)["random"]
    record = game("crag", [player, player, player], chance, max_steps=15).resign(2)
    assert player_figures(review_all(solution_of("crag"), [record.resign(1)])) == []
    while not record.position.is_over:
        if not record.position.dice:
            record = record.roll((1, 2, 3))
        record = record.play(record.position.offers()[0].action)
    assert [one.name for one in player_figures(review_all(solution_of("crag"), [record]))] == ["p0", "p1"]


def test_kinds_of_keeps_depend_on_their_place_in_the_turn() -> None:
    chance = random.Random(3)
    record = game("yahtzee", [policies("yahtzee", chance)["optimal"]], chance)
    [reviewed] = review_all(solution_of("yahtzee"), [record])
    for decision in reviewed.seats[0].decisions:
        if isinstance(decision.action, Keep):
            assert kind_of(decision) == {2: "first keep", 1: "second keep"}[decision.position.rolls_left]
        else:
            assert kind_of(decision) == "box"
