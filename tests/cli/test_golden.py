"""Golden reports: one game of every shipped ruleset, and of one reading, and the text of its review.

Each file in `tests/golden/` contains a record, with the digest of its rules, and the review below `report:`. After a
change of a report or a ruleset, regenerate them with `make golden` and check the difference. The largest rulesets are
reduced to some of their boxes; solving them completely would take too long, or too much memory.
"""

from collections.abc import Iterator

import numpy as np
import pytest

from benchmarks.solo_games import Policy, play_games, records_of
from fivedice.analysis.reviews.review import review
from fivedice.base.language import LANGUAGES
from fivedice.cli.commands.review import review_lines
from fivedice.cli.language import chosen, speaking
from fivedice.cli.text.output import format_json
from fivedice.game.record import Record, Seat, parse_record
from fivedice.rulesets import ruleset_ids
from fivedice.solver.solution import Solution
from fivedice.views.review import ReviewView, review_view
from tests.amount import cases
from tests.repository import ROOT
from tests.solutions import reduced_solution_of

GOLDEN = ROOT / "tests" / "golden"
REPORT = "\nreport:\n"
READINGS = ("kniffel[second_kniffel=joker]",)
"""Options with rules that no ruleset has without them."""


def game(solution: Solution) -> Record:
    """A game in which one choice in ten is random."""
    games = play_games(solution, Policy("slips", solution, 0.1), 1, np.random.default_rng(11))
    return next(records_of(games, Seat("Ann", "human"), "2026-11-21T10:00:00+00:00"))


def report(solution: Solution, record: Record) -> str:
    """The text of the full review, without reasons and percentiles, which need more than the solution."""
    view = review_view(None, review(solution, record))
    return "\n".join(line.plain for line in review_lines(view, record, is_full=True)) + "\n"


def told(view: ReviewView) -> Iterator[str]:
    """The sentences of a review that each of its forms shows."""
    yield from (view.outcome, view.congratulations, view.note)
    for seat in view.seats:
        summary = seat.summary
        yield from (*summary.result, *summary.done_well, *(marked.words for marked in summary.marks), summary.sums)
        yield from (sentence for decision in seat.costliest for sentence in (decision.sentence, decision.why))
    yield from view.odds.sentences if view.odds else ()


@pytest.mark.parametrize("id", cases(("crag", "yahtzee", "yamb"), full=ruleset_ids()))
def test_text_and_json_of_a_review_say_the_same_sentences_in_every_language(id: str) -> None:
    solution = reduced_solution_of(id)
    record = parse_record((GOLDEN / f"{id}.txt").read_text(encoding="utf-8").partition(REPORT)[0])
    reviewed = review(solution, record)
    for lang in LANGUAGES:
        with speaking(["--lang", lang]):
            view = review_view(None, reviewed, to=chosen())
            text = "\n".join(line.plain for line in review_lines(view, record, is_full=True))
            json = format_json(view)
        found = {"".join(sentence.split()) for sentence in told(view)}  # lines may break anywhere
        assert len(found) > 5
        for shown in (text, json):
            assert [sentence for sentence in found if sentence not in "".join(shown.split())] == [], lang


@pytest.mark.parametrize("id", [*ruleset_ids(), *READINGS])
def test_the_report_of_every_ruleset_is_unchanged(id: str, request: pytest.FixtureRequest) -> None:
    solution, file = reduced_solution_of(id), GOLDEN / f"{id}.txt"
    if request.config.getoption("--write-golden"):
        record = game(solution)
        file.write_text(f"{record}{REPORT}{report(solution, record)}", encoding="utf-8")
    text, _, reported = file.read_text(encoding="utf-8").partition(REPORT)
    record = parse_record(text)
    assert record.ruleset.digest == solution.ruleset.digest
    assert report(solution, record) == reported


def test_every_golden_report_belongs_to_a_ruleset() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.txt")) == sorted([*ruleset_ids(), *READINGS])
