"""Layered tables: their layout, and the solve on disk, which can be interrupted."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivedice.analysis.advice import advise
from fivedice.analysis.reviews.solo_games import Policy, play_games
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.box import Column
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.saved import layered_solve
from fivedice.solver.saved.kinds import SOLUTION
from fivedice.solver.saved.layered_solve import BusyError, solve_on_disk, unfinished_path
from fivedice.solver.saved.saved_table import HEADER_BYTES
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError, solve
from fivedice.solver.tables.card_layers import layers_of_cards
from fivedice.solver.tables.card_layout import CardNumbers
from fivedice.solver.tables.states import States
from fivedice.testing import TINY
from tests.solver.brute_force import best_play, turn_state, written

SMALL = parse_ruleset(
    """
id = "small"
dice = 3
saved_rolls = true
upper_bonus = "20@9"
[categories]
ones = { scorer = "sum_of_face", face = 1 }
twos = { scorer = "sum_of_face", face = 2 }
threes = { scorer = "sum_of_face", face = 3 }
pair = { scorer = "n_of_a_kind", n = 2, pays = "matched" }
chance = { scorer = "any_dice" }
""",
    "small",
)

JOKER = replace(
    TINY["tiny_joker"],
    rolls=2,
    rounds=4,
    saved_rolls=True,
    columns=(Column("a"), Column("b", multiplier=2, order="down")),
)

CHILD = """
import sys
from pathlib import Path
import fivedice.solver.tables.states
fivedice.solver.tables.states.LAYERED_FROM = 0
from fivedice.rulesets import load_ruleset
from fivedice.solver.saved import layered_solve
layered_solve.CARDS_PER_PART = 10
def show(what, share):
    print(what, share, flush=True)
layered_solve.solve_on_disk(load_ruleset(sys.argv[1]), Path(sys.argv[2]), progress=show)
"""


@pytest.fixture
def layered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Ruleset], Solution]:
    """Solves rulesets on disk, however small their tables."""
    monkeypatch.setattr("fivedice.solver.tables.states.LAYERED_FROM", 0)

    def solved(ruleset: Ruleset) -> Solution:
        solve_on_disk(ruleset, tmp_path)
        solution = SOLUTION.load(ruleset, tmp_path)
        assert solution is not None
        assert solution.states.is_layered
        return solution

    return solved


@given(st.lists(st.integers(2, 4), min_size=1, max_size=5))
def test_a_card_number_has_a_rank_and_every_rank_a_card_number(radices: list[int]) -> None:
    numbers = CardNumbers(tuple(radices))
    by_filled: dict[int, list[int]] = {}
    for card in range(numbers.size):
        by_filled.setdefault(numbers.filled(card), []).append(card)
    for filled, cards in by_filled.items():
        assert numbers.count(filled) == len(cards)
        assert [numbers.rank(card) for card in cards] == list(range(len(cards)))
        assert [numbers.at(filled=filled, rank=rank) for rank in range(len(cards))] == cards


@pytest.mark.parametrize("ruleset", [TINY["tiny_saved"], SMALL, JOKER], ids=str)
def test_every_value_on_disk_is_that_in_memory_and_of_brute_force(
    ruleset: Ruleset, layered: Callable[[Ruleset], Solution], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_disk = layered(ruleset)
    monkeypatch.undo()
    in_memory = solve(ruleset)
    known = {in_memory.states.from_index(i): in_memory.values[i] for i in in_memory.indices().tolist()}
    assert {on_disk.states.from_index(i): on_disk.values[i] for i in on_disk.indices().tolist()} == known
    assert on_disk.num_turn_states == in_memory.num_turn_states == len(known)
    if ruleset is not SMALL:
        by_engine = best_play(ruleset).before_turn
        indices = {on_disk.states.index(turn_state(card)) for card in by_engine}
        assert indices == set(on_disk.indices().tolist())
        for card, value in by_engine.items():
            assert on_disk.value(turn_state(card)) == pytest.approx(value - written(card), abs=1e-12)


def test_every_index_of_a_layered_table_gives_its_turn_state_and_back(
    layered: Callable[[Ruleset], Solution],
) -> None:
    solution = layered(JOKER)
    states, rules = solution.states, solution.rules
    indices = solution.indices()
    for index, saved in zip(indices.tolist(), solution.saved_rolls(indices).tolist(), strict=True):
        state = states.from_index(index)
        assert states.index(state) == index
        assert state.saved == saved
    for layer in layers_of_cards(states):
        assert [states.card_row(card) for card in layer.tolist()] == rules.layers.card_rows[layer].tolist()


def test_a_killed_solve_continues_with_the_next_layer_and_gives_the_same_bytes(
    layered: Callable[[Ruleset], Solution], tmp_path: Path
) -> None:
    ref = "crag[saved_rolls=true]"
    ruleset = load_ruleset(ref)
    whole = solve_on_disk(ruleset, tmp_path / "whole").read_bytes()

    folder = tmp_path / "killed"
    with _child(ref, folder) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if line.startswith("Solving") and float(line.split()[-1]) > 0.5:
                child.kill()
                break
    assert SOLUTION.load(ruleset, folder) is None
    solved = json.loads(unfinished_path(ruleset, folder).with_suffix(".journal").read_text())["layers"]
    assert 0 < len(solved) < ruleset.rounds + 1

    with _child(ref, folder) as child:
        assert child.stdout is not None
        seen = [line.rsplit(maxsplit=1) for line in child.stdout]
    checked = [float(share) for what, share in seen if what == "Checking what is solved"]
    later = [float(share) for what, share in seen if what.startswith("Solving")]
    assert len(checked) == len(solved)
    assert min(later) > checked[-1] > 0
    path = next(folder.iterdir())
    assert path.read_bytes()[HEADER_BYTES:] == whole[HEADER_BYTES:]
    assert [file.name for file in folder.iterdir()] == [f"{ruleset.digest}-1.solution"]


def test_a_damaged_layer_is_solved_again_with_all_that_follow_from_it(
    layered: Callable[[Ruleset], Solution], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = solve_on_disk(SMALL, tmp_path / "whole").read_bytes()
    states, folder = States(SMALL), tmp_path / "damaged"

    def interrupt(what: str, share: float) -> None:
        if what.startswith("Solving") and share > 0.9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_on_disk(SMALL, folder, progress=interrupt)
    path = unfinished_path(SMALL, folder)
    before = sorted(map(int, json.loads(path.with_suffix(".journal").read_text())["layers"]))
    assert before == [3, 4, 5]
    with path.open("r+b") as file:
        file.seek(HEADER_BYTES + 8 * states.stride * states.card_row(7))  # a card with three boxes filled
        file.write(b"\1\2\3\4")
    checked: list[float] = []
    solve_on_disk(
        SMALL, folder, progress=lambda what, share: checked.append(share) if what.startswith("Checking") else None
    )
    assert len(checked) == len([4, 5])
    assert next(folder.iterdir()).read_bytes()[HEADER_BYTES:] == whole[HEADER_BYTES:]


def test_two_processes_do_not_write_the_same_file(layered: Callable[[Ruleset], Solution], tmp_path: Path) -> None:
    def again(what: str, share: float) -> None:
        with pytest.raises(BusyError, match=r"another process is writing .*\.unfinished"):
            solve_on_disk(SMALL, tmp_path)

    solve_on_disk(SMALL, tmp_path, progress=again)
    assert SOLUTION.load(SMALL, tmp_path) is not None


def test_a_disk_that_is_too_small_is_refused_with_one_sentence(
    layered: Callable[[Ruleset], Solution], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda folder: _Usage())
    with pytest.raises(TooLargeError, match=r"^small needs [\d.]+ MB of disk space in .*, and only 0 MB"):
        solve_on_disk(SMALL, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_layered_table_is_not_solved_in_memory_whatever_the_memory(
    layered: Callable[[Ruleset], Solution],
) -> None:
    with pytest.raises(TooLargeError, match=r"needs [\d.]+ MB on disk$"):
        solve(SMALL, memory_limit=2**60)


def test_maxi_yatzy_with_saved_rolls_is_layered_and_smaller_tables_keep_their_layout() -> None:
    maxi = States(load_ruleset("maxi_yatzy[saved_rolls=true]"))
    assert maxi.is_layered
    assert layered_solve.disk_bytes(maxi) == HEADER_BYTES + 8 * 128 * 2**20 * 21
    assert layered_solve.memory_bytes(maxi) < 9 * 2**30
    for ref in ("maxi_yatzy", "yatzy[saved_rolls=true]"):
        assert not States(load_ruleset(ref)).is_layered


def test_advice_and_simulated_games_read_a_layered_table(
    layered: Callable[[Ruleset], Solution], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_disk = layered(SMALL)
    monkeypatch.undo()
    in_memory = solve(SMALL)
    position = Position.start(SMALL).roll((1, 1, 3))
    assert advise(on_disk, position) == advise(in_memory, position)
    one, other = (
        play_games(solution, Policy("optimal", solution), 500, np.random.default_rng(1))
        for solution in (on_disk, in_memory)
    )
    assert np.array_equal(one.scores, other.scores)
    assert np.array_equal(one.luck, other.luck)


class _Usage:
    free = 1_000


def _child(ref: str, folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", CHILD, ref, folder], stdout=subprocess.PIPE, text=True)  # noqa: S603
