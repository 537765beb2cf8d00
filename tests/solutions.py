"""Solutions and breakdowns for tests, computed once in a run."""

import json
import os
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from fivedice.rulesets import load_ruleset, parse_ruleset, ruleset_ids
from fivedice.rulesets.dice import rolls
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.perfect_scores import PERFECT_SCORES
from fivedice.solver.approximate_solution import ApproximateSolution
from fivedice.solver.play.breakdown import Breakdown
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.saved.approximations import shipped_approximation
from fivedice.solver.saved.portable import pack, pack_parts
from fivedice.solver.saved.store import BREAKDOWN, SOLUTION, Artefact, Of
from fivedice.solver.solution import Solution

Found = TypeVar("Found")


SOME_BOXES = {
    "balut": {"sixes", "balut"},
    "maxi_yatzy": {"ones", "sixes", "two_pairs", "full_straight", "villa", "tower", "chance", "maxi_yatzy"},
    "triple_yahtzee": {"twos", "full_house", "yahtzee"},
    "yamb": {"ones", "sixes", "full_house", "poker", "yamb"},
    "yams": {"ones", "sixes", "full_house", "superior", "inferior"},
}
"""Rulesets that are too large for tests, and the categories kept in their reduced forms."""


UNADVISED = "triple_yahtzee[extra_yahtzee=by_column]"
"""A ruleset that is too large to solve, and of which no approximate values come with the program."""


def shipped(id: str) -> ApproximateSolution:
    """The approximate solution that comes with the program."""
    found = shipped_approximation(load_ruleset(id))
    assert found
    return found


def some_boxes(id: str) -> Ruleset:
    """A ruleset of `SOME_BOXES`, reduced."""
    ruleset = load_ruleset(id)
    bonus = 'upper_bonus = "10@6"\n'
    drop = [category.id for category in ruleset.categories if category.id not in SOME_BOXES[id]]
    text = f'id = "some_of_{id}"\nlike = "{id}"\n{bonus}drop = {json.dumps(drop)}\n'
    if ruleset.conversion:
        text += 'conversion = "none"\n'
    if ruleset.lines:
        text += 'lines = "none"\ncolumns = "none"\n'
    return parse_ruleset(text, f"some_of_{id}.toml")


def ids_up_to(id: str) -> list[str]:
    """The shipped rulesets that are at most as large as one of them, measured in rolls times cards."""

    def size(id: str) -> int:
        ruleset = load_ruleset(id)
        return len(rolls(ruleset.dice, ruleset.faces)) << len(ruleset.boxes)

    return [other for other in ruleset_ids() if size(other) <= size(id)]


def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder for all workers of this run: `fivedice` replaces its files at once, never part by part."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared-cache"


class _Saved:
    """Where solutions are saved: nowhere before the first test."""

    folder: Path | None = None


def use_cache(folder: Path) -> None:
    """Save solutions in a cache folder, and load those that another worker saved there."""
    _Saved.folder = folder / "solutions"


def _saved_or_found(artefact: Artefact[Of, Found], of: Of) -> Found:
    """What another worker saved, or a new result that is saved for the others."""
    folder = _Saved.folder
    found = artefact.load(of, folder) if folder else None
    if found is None:
        found = artefact.find(of)
        if folder:
            artefact.save(of, found, folder)
    return found


@cache
def solution_of(ref: str) -> Solution:
    """The solution of a shipped ruleset, with its options."""
    return _saved_or_found(SOLUTION, load_ruleset(ref))


@cache
def reduced_solution_of(id: str) -> Solution:
    """The solution of a shipped ruleset, or of its reduced form if that is in `SOME_BOXES`."""
    return _saved_or_found(SOLUTION, some_boxes(id)) if id in SOME_BOXES else solution_of(id)


@cache
def breakdown_of(ref: str) -> Breakdown:
    """The breakdown of `solution_of`."""
    return _saved_or_found(BREAKDOWN, solution_of(ref))


@cache
def scores_of(ref: str) -> Distribution:
    """The scores of perfect games."""
    return _saved_or_found(PERFECT_SCORES, solution_of(ref))


def portable_tables(ref: str, *, is_rounded: bool) -> tuple[bytes, bytes]:
    """The portable files of a solution and of its breakdown."""
    solution, scores = solution_of(ref), scores_of(ref)
    values = pack(solution.ruleset.digest, solution.float_values, scores, is_rounded=is_rounded).data
    return values, pack_parts(breakdown_of(ref), is_rounded=is_rounded)
