"""Portable solutions: plain Python reads what was written, and rounding costs no decision a thousandth of a point."""

import gzip
import json
from array import array
from collections.abc import Callable

import numpy as np
import pytest

from fivedice.analysis.action_arrays import advise_arrays
from fivedice.analysis.action_values import action_values
from fivedice.game.position import Position
from fivedice.rulesets import parse_ruleset
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.saved.portable import MAX_LOSS, pack, pack_parts, read, read_parts, rounding_loss
from fivedice.solver.saved.saved_table import UnusableSolutionError
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from tests.amount import amount, cases
from tests.solutions import solution_of

IDS = cases(["crag"], full=["crag", "yahtzee", "kniffel", "yatzy", "kismet", "generala", "cheerio"])
"""Rulesets whose rounding is examined; the first is the smallest."""


@pytest.fixture(scope="module")
def packed(crag: Solution) -> bytes:
    return pack(crag.ruleset.digest, crag.float_values).data


def test_a_file_with_all_digits_has_every_value_to_the_last_bit(crag: Solution) -> None:
    digest, values, scores = read(pack(crag.ruleset.digest, crag.float_values, is_rounded=False).data)
    assert (digest, scores) == (crag.ruleset.digest, None)
    assert np.array_equal(np.array(values).view("u8"), crag.values.view("u8"))
    position = Position.start(crag.ruleset).roll((4, 4, 5))
    assert action_values(crag.states, values, position) == action_values(crag.states, crag.float_values, position)


def test_a_rounded_file_has_every_value_to_the_nearest_1024th_of_a_point(crag: Solution, packed: bytes) -> None:
    values = read(packed).values
    assert isinstance(values, array)
    assert values.typecode == "f"
    assert np.array_equal(np.array(values), np.round(crag.values * 1_024) / 1_024, equal_nan=True)
    assert pack(crag.ruleset.digest, crag.float_values).data == packed


@pytest.mark.parametrize("id", IDS)
def test_no_decision_by_rounded_values_loses_more_than_is_said(id: str) -> None:
    exact, chance = solution_of(id), np.random.default_rng(33)
    found = pack(exact.ruleset.digest, exact.float_values)
    assert (found.type, found.loss < MAX_LOSS) == ("float32", True)
    rounded = Solution(exact.states, np.array(read(found.data).values, dtype="f8"), exact.num_turn_states, 0.0)
    states = exact.indices()
    open_states = states[[not exact.states.is_finished(int(one) // exact.states.stride) for one in states]]
    num = amount(10_000, full=100_000)
    positions = (
        chance.choice(open_states, num),
        chance.integers(0, exact.dice.num_rolls, num),
        chance.integers(0, exact.ruleset.rolls, num),
    )
    by_exact, by_rounded = (
        np.concatenate([one.scores, one.zeros, one.keeps], axis=1)
        for one in (advise_arrays(table, *positions, None) for table in (exact, rounded))
    )
    chosen = np.nanargmax(by_rounded, axis=1)[:, np.newaxis]
    losses = np.nanmax(by_exact, axis=1) - np.take_along_axis(by_exact, chosen, axis=1)[:, 0]
    assert 0.0 <= losses.max() <= found.loss + 1e-9


def test_values_that_would_lose_too_much_keep_all_digits() -> None:
    assert rounding_loss([1e6 + 0.01], array("f", [1e6 + 0.01])) > MAX_LOSS
    found = pack("0" * 16, [1e6 + 0.01, float("nan")])
    assert (found.type, found.loss) == ("float64", 0.0)
    assert read(found.data).values[0] == 1e6 + 0.01


def test_points_that_no_rounded_number_can_hold_keep_all_digits() -> None:
    rule = 'id = "rich"\ndice = 1\nfaces = 2\nrolls = 1\n[categories]\nhigh = { scorer = "any_dice", pays = 256 }'
    breakdown = find_breakdown(solve(parse_ruleset(rule, "rich")))
    assert read_parts(pack_parts(breakdown)).at(0) == [256.0, 0.0, 0.0] == breakdown.at(0).tolist()


def with_header(data: bytes, **changes: object) -> bytes:
    """The file with other entries in its header."""
    head, _, table = gzip.decompress(data).partition(b"\n")
    return gzip.compress(json.dumps(json.loads(head) | changes).encode() + b"\n" + table)


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda data: data[:-20], "damaged"),
        (lambda data: data[:9_999] + bytes([data[9_999] ^ 1]) + data[10_000:], "damaged"),
        (gzip.decompress, "not compressed by gzip"),
        (lambda data: with_header(data, format=99), "of another version"),
        (lambda data: with_header(data, digest=None), "of another version"),
        (lambda data: with_header(data, entries=10**9), "not that of its header"),
    ],
)
def test_an_unusable_file_is_refused_with_the_reason(
    packed: bytes, damage: Callable[[bytes], bytes], sentence: str
) -> None:
    with pytest.raises(UnusableSolutionError, match=sentence):
        read(damage(packed))
