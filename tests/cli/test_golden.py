"""Golden reports: one game of every shipped ruleset and the text of its review.

Each file in `tests/golden/` contains a record, with the digest of its rules, and the review below `report:`. After a
change of a report or a ruleset, regenerate them with `make golden` and check the difference. The two largest rulesets
are reduced to some of their boxes; solving them completely would take too long, or too much memory.
"""

import json

import numpy as np
import pytest

from fivedice.analysis.review import review
from fivedice.cli.report.review_text import review_lines
from fivedice.game.record import Record, Seat, parse_record
from fivedice.ruleset import Ruleset
from fivedice.rulesets import load_ruleset, parse_ruleset, ruleset_ids
from fivedice.simulate.solo_games import Policy, play_games
from fivedice.simulate.to_records import records_of
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from tests.repository import ROOT

GOLDEN = ROOT / "tests" / "golden"
REPORT = "\nreport:\n"

SOME_BOXES = {
    "maxi_yatzy": {"ones", "sixes", "two_pairs", "full_straight", "villa", "tower", "chance", "maxi_yatzy"},
    "triple_yahtzee": {"twos", "full_house", "yahtzee"},
}
"""The categories kept in the reduced rulesets."""


def rules(id: str) -> Ruleset:
    """A shipped ruleset, reduced if it is too large."""
    ruleset = load_ruleset(id)
    if id not in SOME_BOXES:
        return ruleset
    drop = [category.id for category in ruleset.categories if category.id not in SOME_BOXES[id]]
    text = f'id = "some_of_{id}"\nlike = "{id}"\nupper_bonus = "10@6"\ndrop = {json.dumps(drop)}\n'
    return parse_ruleset(text, f"some_of_{id}.toml")


def game(solution: Solution) -> Record:
    """A game in which one choice in ten is random."""
    games = play_games(solution, Policy("slips", solution, 0.1), 1, np.random.default_rng(11))
    return next(records_of(games, Seat("Ann", "human"), "2026-11-21T10:00:00+00:00"))


def report(solution: Solution, record: Record) -> str:
    """The text of the full review, without reasons and percentiles, which need more than the solution."""
    return "\n".join(line.plain for line in review_lines(solution, None, review(solution, record), is_full=True)) + "\n"


@pytest.mark.parametrize("id", ruleset_ids())
def test_the_report_of_every_ruleset_is_unchanged(id: str, request: pytest.FixtureRequest) -> None:
    solution, file = solve(rules(id)), GOLDEN / f"{id}.txt"
    if request.config.getoption("--write-golden"):
        record = game(solution)
        file.write_text(f"{record}{REPORT}{report(solution, record)}", encoding="utf-8")
    text, _, reported = file.read_text(encoding="utf-8").partition(REPORT)
    record = parse_record(text)
    assert record.ruleset.digest == solution.ruleset.digest
    assert report(solution, record) == reported


def test_every_golden_report_belongs_to_a_ruleset() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.txt")) == list(ruleset_ids())
