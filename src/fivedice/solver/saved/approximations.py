"""Approximate solutions in files, some of which come with the program.

In a file, two weights of float32 take the place of one float64.
"""

from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.approximate_solution import ApproximateSolution, Measured, approximate
from fivedice.solver.features import Game
from fivedice.solver.learn import Learning, Progress
from fivedice.solver.saved.saved_table import SHIPPED, Layout, has_approximation
from fivedice.solver.saved.store import Artefact
from fivedice.solver.tables.states import Array


def _layout(ruleset: Ruleset) -> Layout:
    plan = Game(ruleset).whole.plan
    meaning = sha256(repr([np.asarray(field).tolist() for field in plan]).encode()).hexdigest()[:16]
    numbers = {"seed": int, "games": int, "rounds": int, "measured_games": int}
    return Layout(
        {"features": plan.size, "plan": meaning},
        numbers | {"mean": float, "standard_error": float, "error": float},
        ((ruleset.rounds + 1) * plan.size + 1) // 2,
    )


def _pack(found: ApproximateSolution) -> tuple[dict[str, object], Array]:
    learning, measured = found.learning, found.measured
    header: dict[str, object] = {
        "seed": learning.seed,
        "games": learning.games,
        "rounds": learning.rounds,
        "measured_games": measured.games,
        "mean": measured.mean,
        "standard_error": measured.standard_error,
        "error": measured.error,
    }
    weights = np.zeros(found.weights.size + found.weights.size % 2, dtype="<f4")
    weights[: found.weights.size] = found.weights.ravel()
    return header, weights.view("<f8")


def _unpack(ruleset: Ruleset, header: dict[str, Any], values: Array) -> ApproximateSolution:
    layers, features = ruleset.rounds + 1, header["features"]
    weights = values.view("<f4")[: layers * features].astype(np.float64).reshape(layers, features)
    learning = Learning(header["seed"], header["games"], header["rounds"])
    measured = Measured(header["measured_games"], header["mean"], header["standard_error"], header["error"])
    return ApproximateSolution(ruleset, weights, learning, measured)


APPROXIMATE: Artefact[Ruleset, ApproximateSolution] = Artefact(
    name="approximate", title="approximate solution", find=approximate, layout=_layout, pack=_pack, unpack=_unpack
)
"""The weights of an approximate solution."""


UNFINISHED = ".unfinished"
"""What the name of the file ends with from which learning continues."""


def known_approximation(ruleset: Ruleset, learned_in: Path) -> ApproximateSolution | None:
    """The approximate solution that comes with the program, or that has been learned in a folder; None if there is
    none. Raises `UnusableSolutionError` for a damaged file."""
    if not has_approximation(ruleset, learned_in):
        return None  # nor are there tables for kernels of all rules
    return APPROXIMATE.load(ruleset, learned_in)


def learn_approximation(
    ruleset: Ruleset, folder: Path, learning: Learning | None = None, *, progress: Progress = lambda done, number: None
) -> ApproximateSolution:
    """Learns an approximate solution and saves it in a folder; continues if that was interrupted with the same
    `learning`."""
    learning = learning or Learning()
    folder.mkdir(parents=True, exist_ok=True)
    path = APPROXIMATE.path(ruleset, folder)
    unfinished = path.with_suffix(UNFINISHED)
    found = approximate(ruleset, learning, measured_games=learning.games // 2, progress=progress, unfinished=unfinished)
    APPROXIMATE.save(ruleset, found, folder)
    unfinished.unlink(missing_ok=True)
    return found


def shipped_approximation(ruleset: Ruleset) -> ApproximateSolution | None:
    """The approximate solution that comes with the program, or None."""
    return APPROXIMATE.load(ruleset, SHIPPED) if has_approximation(ruleset) else None
