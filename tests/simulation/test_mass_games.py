"""Mass simulations: the dice, the games and what is counted, against the engine and the exact figures."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from fivedice.game.action import Keep
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.exact_tables import box_chances, exact_table
from fivedice.simulation.mass_games import NO_DECISION, faces_of_turn, play_many
from fivedice.solver.kernels.random_dice import random_words
from fivedice.solver.solve import solve
from fivedice.solver.tables.dice_tables import keep_rows, roll_indices
from fivedice.solver.tables.states import Array
from fivedice.testing import TINY
from tests.amount import amount, cases
from tests.solutions import solution_of

VECTORS = [
    ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((2**32 - 1,) * 4, (2**32 - 1,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0), "d16cfe09 94fdcceb 5001e420 24126ea1"),
]
"""Counter, key and words of `philox4x32 10`, from the file `kat_vectors` of Random123."""


@pytest.mark.parametrize(("counter", "key", "words"), VECTORS)
def test_philox_gives_the_published_words(counter: tuple[int, ...], key: tuple[int, int], words: str) -> None:
    found = np.zeros(32, dtype=np.int64)
    random_words(np.repeat(np.array(counter, dtype=np.int64), 8), *key, found)
    assert [f"{word:08x}" for word in found[:8].tolist()] == [words.split()[0]] * 8
    assert " ".join(f"{word:08x}" for word in found[::8].tolist()) == words


REFS = [*sorted({*ruleset_ids()} - {"balut"}), "generala[first_roll_generala=wins]", "yatzy[saved_rolls=true]"]
"""The states of `balut` are too many to number."""


def replayed(ruleset: Ruleset, decisions: Array, points: list[int], game: tuple[int, int, int]) -> ScoreCard:
    rolls = list(roll_indices(ruleset.dice, ruleset.faces))
    keeps = list(keep_rows(ruleset.dice, ruleset.faces))
    position = Position.start(ruleset)
    for round, path in enumerate(decisions.reshape(ruleset.rounds, -1, 2).tolist()):
        if position.is_over:
            assert path[0][0] == NO_DECISION
            break
        faces = faces_of_turn(ruleset, *game, round, position.card.rolls).tolist()
        position = position.roll(tuple(faces[0]))
        for number, (roll, choice) in enumerate(path):
            if roll == NO_DECISION:
                break
            assert position.dice == rolls[roll]
            if choice >= 0:
                keep = Keep(keeps[choice])
                position = position.play(keep, tuple(faces[number + 1][: ruleset.dice - len(keep.dice)]))
            else:
                box = ruleset.boxes[-1 - choice]
                written = points[-1 - choice] // ruleset.columns[box.column].multiplier
                offers = [offer for offer in position.offers() if offer.action.box == box.id]
                position = position.take(next(offer for offer in offers if offer.points == written))
    assert position.is_over
    return position.cards[0]


@pytest.mark.parametrize("ref", [*TINY, *cases(REFS[:2], full=REFS)])
def test_simulated_games_are_games_of_the_engine(ref: str) -> None:
    table = solve(TINY[ref]) if ref in TINY else solution_of(ref)
    number = 40 if ref in TINY else 15
    games: Any = play_many(table, seed=2**40 + 3, seat=1, first=2**33, number=number, with_decisions=True)
    for number, decisions in enumerate(games.decisions):
        points = games.points[number].tolist()
        card = replayed(games.ruleset, decisions, points, (2**40 + 3, 1, 2**33 + number))
        assert (card.total, card.extra_bonus) == (games.scores[number], games.extra_bonus[number])
        assert [points is None for points in card.boxes] == (games.points[number] < 0).tolist()
        assert card.won == (games.won_after[number] >= 0)
        whole = games.points[number].clip(0).sum() + games.upper_bonus[number] + games.extra_bonus[number]
        assert whole == games.scores[number]


def test_many_optimal_games_agree_with_the_exact_distribution_and_the_exact_means() -> None:
    yahtzee, number = solution_of("yahtzee"), amount(100_000, full=10**7)
    exact = exact_table("distribution", yahtzee).to_pydict()
    games: Any = play_many(yahtzee, seed=20261122, seat=0, first=0, number=number, with_boxes=True)

    first, chances = exact["score"][0], np.array(exact["chance"])
    found = np.zeros(first + chances.size)
    found[: games.tally.scores.size] = games.tally.scores
    check_chi_square(found[first:], chances * number)
    assert abs(games.tally.mean - yahtzee.expected_score) < 4 * games.tally.standard_error
    deviation = float(np.sqrt(chances @ (np.array(exact["score"]) - yahtzee.expected_score) ** 2))
    assert games.tally.standard_deviation == pytest.approx(deviation, rel=0.01)

    of_boxes = box_chances(yahtzee).values()
    means = [sum(points * chance for points, chance in of_box.items()) for of_box in of_boxes]
    means.append(yahtzee.expected_score - sum(means))
    columns = [*games.points.T, games.upper_bonus + games.extra_bonus]
    for name, mean, points in zip([*yahtzee.ruleset.box_index, "bonuses"], means, columns, strict=True):
        error = float(points.std()) / number**0.5
        assert abs(float(points.mean()) - mean) < 4 * error, name
    assert games.tally.box_means == pytest.approx(games.points.mean(axis=0))
    assert games.tally.extra_points == games.extra_bonus.sum()


def p_value(found: Array, expected: Array) -> float:
    """The chance of counts at least as far from the expected ones, which have the same sum, by the chi-square test."""
    from scipy.special import chdtrc  # takes longer to import than most tests run, as `scipy.stats` does

    return float(chdtrc(found.size - 1, ((found - expected) ** 2 / expected).sum()))


def check_chi_square(found: Array, expected: Array) -> None:
    """Scores that are expected less than ten times are one class with their neighbours."""
    classes = (np.cumsum(expected) // 10).astype(np.int64)
    classes = np.minimum(classes, classes[-1] - 1)
    pair = np.bincount(classes, found), np.bincount(classes, expected)
    pair = pair[0][pair[1] > 0], pair[1][pair[1] > 0]
    assert p_value(pair[0], pair[1] * pair[0].sum() / pair[1].sum()) > 1e-4


def test_dice_are_fair_and_differ_between_seats_rounds_and_seeds() -> None:
    ruleset = load_ruleset("yahtzee")
    counts: Counter[int] = Counter()
    turns = {}
    for seed, seat, game, round in np.ndindex(2, 2, 40, 3):
        faces = faces_of_turn(ruleset, seed, seat, game, round, 3)
        turns[seed, seat, game, round] = faces.tobytes()
        counts.update(faces.ravel().tolist())
    assert len(set(turns.values())) == len(turns)
    found = np.array([counts[face] for face in range(1, 7)])
    assert p_value(found, np.full(found.size, found.mean())) > 1e-4


def test_games_do_not_depend_on_those_played_with_them() -> None:
    solution = solution_of("crag")
    together: Any = play_many(solution, seed=1, seat=0, first=0, number=3_000, with_decisions=True)
    for first, number in ((0, 1), (7, 100), (2_999, 1)):
        some: Any = play_many(solution, seed=1, seat=0, first=first, number=number, with_decisions=True)
        assert (some.scores == together.scores[first : first + number]).all()
        assert (some.decisions == together.decisions[first : first + number]).all()
