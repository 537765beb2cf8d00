"""What optimal play brings: distributions, moments, breakdowns and endgames are as in the engine."""

from collections.abc import Callable
from itertools import compress, count, islice
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fivedice.analysis.action_values import settled_points, turn_state
from fivedice.analysis.endgames import advise_to_win
from fivedice.base.errors import IllegalError
from fivedice.game.action import Keep
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.dice import rolls
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver import endgame
from fivedice.solver.components import EXTRA_BONUS, OUTRIGHT_WIN, UPPER_BONUS
from fivedice.solver.play.breakdown import Breakdown, find_breakdown
from fivedice.solver.play.distribution import Distribution, distributions, forecast
from fivedice.solver.play.moments import find_moments
from fivedice.solver.play.policy_transitions import Start, list_policy
from fivedice.solver.solve import TooLargeError, solve
from fivedice.solver.tables.dice_tables import keep_rows
from fivedice.solver.tables.states import TurnState
from fivedice.testing import TINY, playthrough, rulesets
from tests.amount import amount, cases
from tests.solutions import breakdown_of, ids_up_to, solution_of
from tests.solver.brute_force import Chances, Followed, Minimax, best_play


def as_chances(found: Distribution) -> dict[int, float]:
    pairs = zip(found.scores.tolist(), found.chances.tolist(), strict=True)
    return {score: chance for score, chance in pairs if chance}


def approximately(chances: Chances, less: int = 0) -> object:
    return pytest.approx({score - less: float(chance) for score, chance in chances.items() if chance}, abs=1e-14)


@pytest.mark.parametrize("id", TINY)
def test_all_chances_equal_those_of_the_best_actions_in_the_engine(id: str) -> None:
    ruleset = TINY[id]
    solution = solve(ruleset)
    followed = Followed(best_play(ruleset), lambda position: position.card.total)
    extras = Followed(best_play(ruleset), lambda position: position.card.extras)
    cards = [card for card in followed.brute.cards if not Position.at_turn(ruleset, (card,), 0).is_over]
    positions = [Position.at_turn(ruleset, (card,), 0) for card in cards]
    starts = [Start(solution.states.index(turn_state(p.card)), -1, p.rolls_left) for p in positions]
    transitions = list_policy(solution)
    moments = find_moments(solution)
    for position, start, found in zip(positions, starts, distributions(transitions, starts), strict=True):
        points = settled_points(position.card)
        assert as_chances(found) == approximately(followed.chances(position), less=points)
        alone = forecast(solution, start)
        assert alone.points.first == found.first
        assert np.allclose(alone.points.chances, found.chances, rtol=0, atol=1e-15)
        assert as_chances(alone.num_extras) == approximately(extras.chances(position), less=position.card.extras)
        mean, deviation, skewness = moments.at(start.state)
        assert found.mean == pytest.approx(mean, abs=1e-12)
        assert found.standard_deviation == pytest.approx(deviation, abs=1e-9)
        assert found.skewness == pytest.approx(skewness, abs=1e-6)


@pytest.mark.parametrize("id", TINY)
def test_chances_within_a_turn_equal_those_in_the_engine(id: str) -> None:
    ruleset = TINY[id]
    solution = solve(ruleset)
    rows = keep_rows(ruleset.dice, ruleset.faces)
    followed = Followed(best_play(ruleset), lambda position: position.card.total)
    for card in list(followed.brute.cards)[:: max(1, len(followed.brute.cards) // 12)]:
        before = Position.at_turn(ruleset, (card,), 0)
        if before.is_over:
            continue
        state, points = solution.states.index(turn_state(card)), settled_points(card)
        for roll in rolls(ruleset.dice, ruleset.faces):
            position = before.roll(roll)
            start = Start(state, rows[roll], position.rolls_left)
            assert as_chances(forecast(solution, start).points) == approximately(
                followed.chances(position), less=points
            )
            for action in position.actions():
                if isinstance(action, Keep):
                    # Keeping all dice is the same roll with one roll less.
                    start = Start(state, rows[action.dice], position.rolls_left - (action.dice == roll))
                    expected = approximately(followed.after(position, action), less=points)
                    assert as_chances(forecast(solution, start).points) == expected


@pytest.mark.parametrize("id", TINY)
def test_chances_of_boxes_and_of_the_upper_bonus_equal_those_in_the_engine(id: str) -> None:
    ruleset = TINY[id]
    found = forecast(solve(ruleset), Start(0, -1, ruleset.rolls))
    start = Position.start(ruleset)
    for box, chance in list(enumerate(found.boxes.tolist()))[:: amount(2, full=1)]:
        followed = Followed(best_play(ruleset), lambda position, box=box: int((position.card.boxes[box] or 0) > 0))  # type: ignore[misc]
        assert chance == pytest.approx(followed.chances(start).get(1, 0.0), abs=1e-14)
    bonus = Followed(best_play(ruleset), lambda position: position.card.total - settled_points(position.card))
    assert as_chances(found.upper_bonus) == approximately(bonus.chances(start))


def test_the_distribution_of_yahtzee_with_free_jokers_is_the_published_one() -> None:
    solution = solution_of("yahtzee_free")
    found = forecast(solution, Start(0, -1, 3))
    points, boxes = found.points, solution.ruleset.box_index
    assert points.mean == pytest.approx(solution.expected_score, abs=1e-9)
    assert points.chances.sum() == pytest.approx(1, abs=1e-12)
    assert round(points.standard_deviation, 3) == 59.612
    assert (points.percentile(0.5), points.mode) == (248, 266)
    assert [points.percentile(share) for share in (0.05, 0.25, 0.75, 0.95, 0.99)] == [180, 217, 272, 388, 474]
    assert (round(found.upper_bonus.at_least(35), 4), round(1 - found.boxes[boxes["yahtzee"]], 4)) == (0.6812, 0.6626)
    assert found.num_extras.chances[:4].round(5).tolist() == [0.91755, 0.07041, 0.01084, 0.00112]
    assert (points.first, points.scores[-1]) == (12, 1575)


@pytest.mark.parametrize(
    ("id", "lowest", "highest"),
    cases(
        [("yahtzee_plain", 39.82009, 39.82085)],
        full=[("yahtzee", 59.60758, 59.60789), ("yahtzee_plain", 39.82009, 39.82085), ("yatzy", 38.49637, 38.49640)],
    ),
)
def test_standard_deviations_lie_between_those_of_all_optimal_policies(id: str, lowest: float, highest: float) -> None:
    solution = solution_of(id)
    transitions = list_policy(solution)
    moments = find_moments(solution)
    assert lowest <= round(moments.at(0).standard_deviation, 5) <= highest
    reachable = transitions.row_of >= 0
    assert (moments.table[0, reachable] >= 0).all()
    (points,) = distributions(transitions, [Start(0, -1, solution.ruleset.rolls)])
    assert points.standard_deviation == pytest.approx(moments.at(0).standard_deviation, abs=1e-9)
    assert points.skewness == pytest.approx(moments.at(0).skewness, abs=1e-9)


def test_a_distribution_answers_for_scores_inside_and_outside_its_range() -> None:
    found = Distribution(10, np.array([0.25, 0.0, 0.5, 0.25]))
    assert [found.at_least(score) for score in (-5, 10, 11, 12, 13, 14)] == [1, 1, 0.75, 0.75, 0.25, 0]
    assert [found.percentile(share) for share in (0, 0.25, 0.26, 0.75, 0.9, 1)] == [10, 10, 12, 12, 13, 13]
    assert found.shifted(-10).scores.tolist() == [0, 1, 2, 3]
    assert (found.mean, found.mode) == (11.75, 12)


def test_what_does_not_fit_in_memory_is_refused_with_its_size() -> None:
    crag = solution_of("crag")
    with pytest.raises(TooLargeError, match=r"optimal play of crag is too large to list: .* at least [0-9.]+ MB"):
        list_policy(crag, memory_limit=2**20)
    with pytest.raises(TooLargeError, match=r"moments of crag are too large to find: they need [0-9.]+ MB"):
        find_moments(crag, memory_limit=2**16)
    with pytest.raises(TooLargeError, match=r"distribution of scores of crag is too large to find: .* MB"):
        distributions(list_policy(crag), [Start(0, -1, 2)], memory_limit=2**16)
    with pytest.raises(
        TooLargeError, match=r"breakdown of crag is too large to find: 8,192 .* 15 components .* 1\.2\d MB"
    ):
        find_breakdown(crag, memory_limit=2**20)


def test_threads_change_neither_transitions_nor_parts_and_an_interrupt_ends_a_listing() -> None:
    def interrupt(done: int, rows: int) -> None:
        raise KeyboardInterrupt

    crag = solution_of("crag")
    with pytest.raises(KeyboardInterrupt):
        list_policy(crag, progress=interrupt)
    one, many = (list_policy(crag, threads=threads) for threads in (1, 5))
    for layer, others in zip(one.layers, many.layers, strict=True):
        for part, other in zip(layer, others, strict=True):
            assert all(np.array_equal(a, b) for a, b in zip(part, other, strict=True))
    assert np.array_equal(find_breakdown(crag, threads=1).parts, find_breakdown(crag, threads=5).parts)


def check_sums(breakdown: Breakdown) -> None:
    """In every reachable turn state, the parts add up to the value."""
    solution = breakdown.solution
    indices = solution.indices()
    rows = breakdown.row_of[indices]
    goes_on = indices[rows >= 0]
    assert np.array_equal(rows[rows >= 0], np.arange(len(breakdown.parts)))
    parts = breakdown.parts[:, : len(breakdown.names)]
    assert np.abs(parts.sum(axis=1) - solution.values[goes_on]).max() < 1e-9
    assert (breakdown.parts >= 0).all()
    for index in indices[rows < 0].tolist():
        assert breakdown.at(index).sum() == solution.values[index]


@pytest.mark.parametrize("id", cases(ids_up_to("crag"), full=ids_up_to("yatzy")))
def test_the_parts_add_up_to_every_value_of_shipped_rulesets(id: str) -> None:
    check_sums(breakdown_of(id))


@given(st.booleans().flatmap(lambda orders: rulesets(orders=orders)))
@settings(max_examples=amount(20, full=200), deadline=None, suppress_health_check=list(HealthCheck))
def test_the_parts_add_up_to_every_value_of_random_tiny_rulesets(ruleset: Ruleset) -> None:
    check_sums(find_breakdown(solve(ruleset, threads=1), threads=1))


def counted(ruleset: Ruleset, name: str) -> Callable[[ScoreCard], int]:
    """What of a card belongs to a component."""
    of_card: dict[str, Callable[[ScoreCard], int]] = {
        UPPER_BONUS: lambda card: card.total - settled_points(card),
        EXTRA_BONUS: lambda card: card.extra_bonus,
        OUTRIGHT_WIN: lambda card: card.outright_points,
    }
    if name in of_card:
        return of_card[name]
    index = ruleset.box_index[name]
    multiplier = ruleset.columns[ruleset.boxes[index].column].multiplier
    return lambda card: multiplier * (card.boxes[index] or 0)


@pytest.mark.parametrize("id", TINY)
def test_the_parts_equal_those_of_the_best_actions_in_the_engine(id: str) -> None:
    ruleset, brute, breakdown = TINY[id], best_play(TINY[id]), find_breakdown(solve(TINY[id]))
    states = breakdown.solution.states
    for place, name in enumerate(breakdown.names):
        count = counted(ruleset, name)
        followed = Followed(brute, lambda position, count=count: count(position.card))  # type: ignore[misc]
        for card in brute.cards:
            chances = followed.chances(Position.at_turn(ruleset, (card,), 0))
            to_come = float(sum(number * chance for number, chance in chances.items()))
            if name != UPPER_BONUS:  # it is counted at the end
                to_come -= count(card)
            assert breakdown.at(states.index(turn_state(card)))[place] == pytest.approx(to_come, abs=1e-12), name


def an_endgame(ruleset: Ruleset, chance: Random, most_turns: int = 4) -> Position:
    """A position with at most two turns left on each card and `most_turns` on both, before a roll or in a turn."""
    while True:
        positions = playthrough(ruleset, chance, 2, chance.randrange(2)).positions[:-1]
        left = [[card.turns_left for card in position.cards] for position in positions]
        late = [max(each) <= 2 and sum(each) <= most_turns for each in left]
        if any(late):
            return chance.choice([*compress(positions, late)])


@pytest.mark.parametrize("ruleset", TINY.values(), ids=str)
def test_every_action_of_an_endgame_has_the_value_of_minimax(ruleset: Ruleset) -> None:
    solution, chance = solve(ruleset), Random(ruleset.id)
    brute_force = Minimax(0)
    for _ in range(amount(1, full=12)):
        position = an_endgame(ruleset, chance, amount(3, full=4))
        for_first = [brute_force.value(position)]
        for_first += [brute_force.after(position, action) for action in position.actions()]
        expected = [1 - value if position.seat else value for value in for_first]
        advice = advise_to_win(solution, position)
        found = [advice.value, *(advice.of(action).value for action in position.actions())]
        assert found == pytest.approx([float(value) for value in expected], abs=1e-9), position


@pytest.mark.parametrize(
    "ref", [*cases(ids_up_to("crag"), full=ids_up_to("yatzy")), "generala[first_roll_generala=wins]"]
)
def test_a_score_is_worth_what_the_next_turn_of_the_other_seat_is(ref: str) -> None:
    solution, chance = solution_of(ref), Random(ref)
    found = (an_endgame(solution.ruleset, chance) for _ in count())
    for position in islice((one for one in found if one.dice), 3):
        advice = advise_to_win(solution, position)
        for offer in position.offers():
            after = position.take(offer)
            if after.is_over:
                won = position.seat in after.winners
                worth_after = float(won) / len(after.winners)
            else:
                worth_after = 1 - advise_to_win(solution, after).value
            assert advice.of(offer.action).value == pytest.approx(worth_after, abs=1e-9), (position, offer)


def test_more_than_two_turns_are_not_an_endgame_and_one_that_would_take_long_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crag, tiny = solution_of("crag"), solve(TINY["tiny_plain"])
    with pytest.raises(IllegalError, match="not an endgame: want two cards with at most 2 turns left each"):
        advise_to_win(crag, Position.start(crag.ruleset, 2))
    with pytest.raises(IllegalError, match="13 turns left and 13: want at most 2"):
        endgame.solve_endgame(crag, 0, 0)
    monkeypatch.setattr(endgame, "MAX_WORK", 10)
    cards = (tiny.states.index(TurnState(filled=frozenset({box}))) for box in (0, 1))
    with pytest.raises(TooLargeError, match=r"this endgame of tiny_plain is too large: .* rows, at most 10"):
        endgame.solve_endgame(tiny, *cards)
