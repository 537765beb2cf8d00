"""Results: their order, and lines to share, which read back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivedice.base.errors import MalformedError
from fivedice.base.language import LANGUAGES, language
from fivedice.daily.days import RULES
from fivedice.daily.puzzles import symbol
from fivedice.daily.results import Share, Tally, of_standing, parse_share

MARKS = st.sampled_from(["✓", "?!", "?", "??"])


@st.composite
def shares(draw: Any) -> Share:
    """What a line can say."""
    kind = draw(st.sampled_from(["ten", "game", "storm", "streak"]))
    number, rules = draw(st.integers(-99, 99_999)), draw(st.sampled_from(sorted(RULES.values())))
    if kind == "ten":
        marks = tuple(draw(st.lists(MARKS, max_size=10)))
        lost = draw(st.integers(0, 9_999))
        return Share(kind, number, rules, marks.count("✓"), len(marks), lost, marks)
    if kind == "game":
        return Share(kind, number, rules, draw(st.integers(0, 1_575)), 0, draw(st.integers(0, 9_999)))
    return Share(kind, number, rules, draw(st.integers(0, 200)))


@given(shares(), st.sampled_from(sorted(LANGUAGES)), st.sampled_from(["", " https://dice.example.org/d/a_B-9"]))
def test_a_shared_line_reads_back_in_every_language_with_and_without_its_link(
    share: Share, lang: str, link: str
) -> None:
    assert parse_share(share.line(language(lang)) + link) == share


@pytest.mark.parametrize(
    "line", ["", "fivedice", "fivedice #x · 1/1", "other #1 · 1/10 · 0.0 points lost", "fivedice #1 · 1/1 · 0.0 p · ✓✗"]
)
def test_another_text_is_refused(line: str) -> None:
    with pytest.raises(MalformedError, match="want a line"):
        parse_share(line)


def test_a_ten_is_ranked_by_points_lost_and_a_game_then_by_score() -> None:
    tens = [Tally(10, 9, 0.5), Tally(10, 8, 0.9), Tally(10, 9, 4.2)]
    assert sorted(tens, key=lambda one: one.standing("ten")) == tens
    games = [Tally(30, 30, 0.0, 150), Tally(35, 34, 0.9, 300), Tally(35, 34, 0.9, 299), Tally(35, 33, 1.0, 400)]
    assert sorted(games, key=lambda one: one.standing("game")) == games
    assert [of_standing("game", one.standing("game")) for one in games] == [(one.lost, one.score) for one in games]
    assert of_standing("ten", tens[0].standing("ten")) == (0.5, None)


def test_a_storm_is_ranked_by_what_was_solved() -> None:
    assert Tally.of([0, 0, 3.0]).standing("storm") < Tally.of([0, 0.4]).standing("storm")
    assert Tally.of([0, 0]).standing("streak") == Tally.of([0, 0, 9.0]).standing("streak")


def test_only_a_best_answer_has_a_check_mark() -> None:
    assert [symbol(loss) for loss in (0, 1e-9, 0.3, 2.9, 3.0, 8.0)] == ["✓", "✓", "?!", "?!", "?", "??"]
