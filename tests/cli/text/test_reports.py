"""Text: score cards with names of any width; and golden reports, each of a game and of its review.

A game of every shipped ruleset, and of one reading, is in `tests/golden/`: a record, with the digest of its rules, and
the review below `report:`. `make golden` writes them anew. The largest rulesets are reduced to some of their boxes.
"""

from collections.abc import Iterator

import numpy as np
import pytest
from rich.cells import cell_len

from benchmarks.solo_games import Policy, play_games, records_of
from fivedice.analysis.reviews.review import review
from fivedice.base.language import LANGUAGES
from fivedice.cli.commands.review import review_lines
from fivedice.cli.language import chosen, speaking
from fivedice.cli.text.cards import card_rows, column_name, format_cards
from fivedice.cli.text.output import format_json
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat, parse_record
from fivedice.rulesets import parse_ruleset, ruleset_ids
from fivedice.solver.solution import Solution
from fivedice.views.review import ReviewView, review_view
from tests.amount import cases
from tests.repository import ROOT
from tests.solutions import reduced_solution_of


def cell(line: str, label: str) -> str:
    """The first seat's cell in the row with this label."""
    row = next(row for row in card_rows(parse_position(line)) if row.label.startswith(label))
    return row.cells[0]


@pytest.mark.parametrize(
    ("line", "bonus"),
    [
        ("yahtzee - - r3", "63 to go"),
        ("yahtzee threes=3,fours=12,fives=20,sixes=30 - r3", "35"),
        ("yahtzee fours=4,fives=5,sixes=18 - r3", "0"),
    ],
)
def test_the_bonus_row_shows_the_missing_points_until_the_bonus_is_earned(line: str, bonus: str) -> None:
    assert cell(line, "Bonus") == bonus


def test_extra_yahtzees_and_saved_rolls_have_their_own_rows() -> None:
    assert cell("yahtzee yahtzee=50,ones=5,+1 - r3", "Extra Yahtzee") == "100"
    assert cell("maxi_yatzy[saved_rolls=true] ones=1,saved=2 - r5", "Saved rolls") == "2"


@pytest.mark.parametrize("id", ruleset_ids())
def test_all_lines_have_equal_width_with_names_of_any_letters_and_the_total_is_last(id: str) -> None:
    position = parse_position(f"{id} -/- - r{2 if id == 'crag' else 3}")
    for name in ("a very long name", "雀", "ヤッツィー名人戦", "Ünal", "🎲🎲🎲🎲🎲", "x"):
        lines = format_cards(position, [name, "Ben"]).splitlines()
        assert len({cell_len(line) for line in lines}) == 1
        assert lines[-1].startswith("Total")


def test_the_mark_of_the_seat_to_move_does_not_shorten_its_name() -> None:
    names = ["Player 1", "Player 2", "Player 12"]
    [heading, *_] = format_cards(parse_position("yahtzee -/-/- - r3"), names).splitlines()
    assert heading.split() == ["▸Player", "1", "Player", "2", "Player…"]


def test_brackets_show_what_each_open_box_would_score_in_its_column() -> None:
    position = parse_position("yahtzee yahtzee=50,ones=5/yahtzee=50,threes=9 @1 33333 r1")
    lines = format_cards(position, ["Ann", "Ben"]).splitlines()
    offered = format_cards(position, ["Ann", "Ben"], with_offers=True).splitlines()
    changed = [new.split()[-1] for old, new in zip(lines, offered, strict=True) if old != new]
    assert len(lines) == len(offered)
    assert changed == ["(15+100)", "(15+100)", "(25+100)", "(30+100)", "(40+100)", "(15+100)"]
    offered = format_cards(parse_position("triple_yahtzee ones_x1=2 11223 r0"), ["you"], with_offers=True).splitlines()
    assert next(line for line in offered if line.startswith("Ones")).split()[1:] == ["2", "(2)", "(2)"]


@pytest.mark.parametrize(
    ("columns", "headings"),
    [
        ("[columns.x1]\n[columns.x2]\nmultiplier = 2\n", "Ann ×2"),
        ("[columns.left]\n[columns.right]\n", "Ann right"),
        (
            "[columns.a]\n[columns.b]\nmultiplier = 2\n[columns.c]\nmultiplier = 2\n[columns.d]\nmultiplier = 3\n",
            "Ann b c ×3",
        ),
    ],
)
def test_a_column_is_headed_by_its_multiplier_or_by_its_id(columns: str, headings: str) -> None:
    ruleset = parse_ruleset(f'id = "x"\nlike = "crag"\n{columns}')
    [heading, *_] = format_cards(Position.start(ruleset), ["Ann"]).splitlines()
    assert heading.replace("▸", "").split() == headings.split()
    assert headings.split()[1:] == [column_name(ruleset, number) for number in range(1, len(ruleset.columns))]


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
