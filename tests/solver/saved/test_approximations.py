"""Approximate solutions come with the program where no exact one can be had; those that are learned on this machine are
saved, found again, and continued after an interruption."""

from pathlib import Path

import numpy as np
import pytest

from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.solver.approximate import learn as room
from fivedice.solver.approximate.approximate_solution import measure
from fivedice.solver.approximate.features import Game
from fivedice.solver.approximate.learn import Learning, learn
from fivedice.solver.kernels.game_tables import Cards
from fivedice.solver.saved.approximations import (
    APPROXIMATE,
    known_approximation,
    learn_approximation,
    shipped_approximation,
)
from fivedice.solver.saved.saved_table import SHIPPED, has_approximation
from fivedice.solver.tables.states import Array, States
from fivedice.testing import TINY

SMALL = Learning(seed=2, games=512, rounds=2)
TWO = TINY["tiny_columns"]


class StoppedError(Exception):
    """Stands for Ctrl-C."""


def learned(folder: Path, stop_at: int = 10**9) -> bytes:
    """Learn until a layer, and the bytes of the file."""

    def progress(done: int, number: int) -> None:
        if done == stop_at:
            raise StoppedError

    learn_approximation(TWO, folder, SMALL, progress=progress)
    return APPROXIMATE.path(TWO, folder).read_bytes()


def test_what_is_learned_is_saved_and_found_again(tmp_path: Path) -> None:
    assert not has_approximation(TWO, tmp_path)
    assert known_approximation(TWO, tmp_path) is None
    learned(tmp_path)
    found = known_approximation(TWO, tmp_path)
    assert found
    assert has_approximation(TWO, tmp_path)
    assert (found.learning, found.measured.games) == (SMALL, SMALL.games // 2)
    (file,) = tmp_path.iterdir()
    assert file.suffix == ".approximate"
    game = Game(TWO)
    weights = learn(game, SMALL)
    assert (found.weights.tobytes(), found.measured) == (weights.tobytes(), measure(game, weights, SMALL.games // 2))


@pytest.mark.parametrize("stop_at", [1, TWO.rounds + 1])
def test_learning_continues_where_it_was_interrupted(
    stop_at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, fitted, fit = learned(tmp_path / "whole"), list[Game](), room.fit
    with pytest.raises(StoppedError):
        learned(tmp_path / "parts", stop_at)

    def counted(game: Game, cards: Cards, weights: Array) -> Array:
        fitted.append(game)
        return fit(game, cards, weights)

    monkeypatch.setattr(room, "fit", counted)
    assert learned(tmp_path / "parts") == whole
    assert 0 < len(fitted) < SMALL.rounds * (TWO.rounds - 1)


@pytest.mark.parametrize("damage", [b"", b"nothing", None])
def test_a_damaged_or_foreign_unfinished_file_is_not_continued(damage: bytes | None, tmp_path: Path) -> None:
    whole = learned(tmp_path / "whole")
    with pytest.raises(StoppedError):
        learned(tmp_path / "parts", 1)
    (unfinished,) = (tmp_path / "parts").glob("*.unfinished")
    if damage is None:  # of another seed
        kept = room._kept(unfinished, Game(TWO), Learning(seed=3, games=512, rounds=2))
        assert np.isnan(kept).all()
    else:
        unfinished.write_bytes(damage)
    assert learned(tmp_path / "parts") == whole


def test_what_comes_with_the_program_is_usable_and_of_rules_that_cannot_be_solved() -> None:
    shipped = [ruleset for ruleset in map(load_ruleset, ruleset_ids()) if has_approximation(ruleset)]
    assert len(shipped) == len(list(SHIPPED.glob("*.approximate"))) > 0
    assert all(file.stat().st_size <= 1_000_000 for file in SHIPPED.iterdir()), "the files are small"
    for ruleset in shipped:
        states = States(ruleset)
        assert states.obstacle or states.num_bytes > 2**31, ruleset
        solution = shipped_approximation(ruleset)
        assert solution
        assert solution.measured.games >= 40_000
        assert abs(solution.expected_score / solution.measured.mean - 1) < 0.03, ruleset
        assert solution.decision_error >= abs(solution.expected_score - solution.measured.mean)
