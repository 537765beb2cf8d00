"""Days, what is drawn for them, the dice of their games, and results with the lines by which they are shared."""

import hashlib
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivedice.analysis.advice import advise
from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.base.language import LANGUAGES, language
from fivedice.daily import days as calendar
from fivedice.daily.choice import LADDER, PER_RUNG, candidates_of, choose_ladder, choose_ten, games_of, run_of
from fivedice.daily.days import open_secret
from fivedice.daily.puzzles import MIN_LOSS, Candidate, GameDice, PlacedGame, candidates, is_best, perfect_play, symbol
from fivedice.daily.results import Share, Tally, of_standing, parse_share
from fivedice.game.action import as_action
from fivedice.players import Greedy
from fivedice.rulesets import load_ruleset
from tests.solutions import solution_of

MASTER = bytes(range(32))


def test_numbers_of_days_read_back_and_what_is_no_day_or_time_zone_is_refused() -> None:
    assert (calendar.number_of(calendar.FIRST), calendar.day_of(1)) == (1, calendar.FIRST)
    assert [calendar.number_of(calendar.day_of(number)) for number in (-3, 0, 214, 9_999)] == [-3, 0, 214, 9_999]
    for text in ("", "2026-11-31", "yesterday"):
        with pytest.raises(MalformedError, match="want year, month and day"):
            calendar.parse_day(text)
    for name in ("Nowhere", "../etc/passwd", ""):
        with pytest.raises(UnknownError, match="there is no time zone"):
            calendar.zone_of(name)


def test_a_day_begins_at_midnight_of_the_time_zone_and_is_longer_when_summer_time_ends() -> None:
    berlin = calendar.zone_of("Europe/Berlin")
    before = datetime(2026, 11, 25, 22, 59, 30, tzinfo=UTC).timestamp()
    assert (calendar.day_at(before, UTC), calendar.day_at(before, berlin)) == (date(2026, 11, 25), date(2026, 11, 25))
    assert calendar.day_at(before + 30, berlin) == date(2026, 11, 26)
    assert (calendar.seconds_to_next(before, berlin), calendar.seconds_to_next(before, UTC)) == (30, 3_630)
    midnight = datetime(2026, 10, 25, tzinfo=berlin).timestamp()
    assert calendar.seconds_to_next(midnight, berlin) == 25 * 3_600


def test_secrets_differ_by_day_and_master() -> None:
    days = [calendar.FIRST + timedelta(number) for number in range(10)]
    secrets = {calendar.day_secret(MASTER, day) for day in days} | {calendar.open_secret(day) for day in days}
    assert len(secrets | {calendar.day_secret(bytes(32), calendar.FIRST)}) == 21
    assert {len(secret) for secret in secrets} == {32}


def test_each_guest_comes_on_sundays_only() -> None:
    days = [calendar.FIRST + timedelta(number) for number in range(70)]
    assert {day.weekday() for day in days if calendar.guest_of(day)} == {6}
    assert {calendar.guest_of(day) for day in days if day.weekday() == 6} == set(calendar.GUESTS)


DICE = GameDice(bytes(32), "game-yahtzee")


def test_dice_do_not_depend_on_what_others_keep_and_an_illegal_action_is_refused() -> None:
    start = PlacedGame.start(load_ruleset("yahtzee"), DICE)
    some, none = start.after(as_action("keep 33")), start.after(as_action("keep -"))
    kept = [place for place, stays in enumerate(some.kept) if stays]
    assert [start.places[place] for place in kept] == [3, 3]
    rolled = [place for place in range(5) if place not in kept]
    assert [some.places[place] for place in rolled] == [none.places[place] for place in rolled]
    assert none.places == DICE.dice(0, 1, 5, 6)
    # A turn that ends early has the same dice after it as one that does not.
    early, late = (
        start.after(as_action("score chance")),
        none.after(as_action("keep -")).after(as_action("score chance")),
    )
    assert early.places == late.places == DICE.dice(1, 0, 5, 6)
    with pytest.raises(IllegalError):
        start.after(as_action("keep 66666"))


def test_perfect_play_loses_nothing() -> None:
    solution, dice = solution_of("crag"), GameDice(bytes(32), "game-crag")
    game = PlacedGame.start(load_ruleset("crag"), dice)
    for puzzle in perfect_play(solution, dice):
        [action] = puzzle.best
        assert puzzle.position == game.position
        assert advise(solution, game.position).of(action).loss == pytest.approx(0, abs=1e-6)
        game = game.after(action)
    assert game.position.is_over


MARKS = st.sampled_from(["✓", "?!", "?", "??"])


@st.composite
def shares(draw: Any) -> Share:
    """What a line can say."""
    kind = draw(st.sampled_from(["ten", "game", "storm", "streak"]))
    number, rules = draw(st.integers(-99, 99_999)), draw(st.sampled_from(sorted(calendar.RULES.values())))
    if kind == "ten":
        marks = tuple(draw(st.lists(MARKS, max_size=10)))
        lost = draw(st.integers(0, 9_999))
        return Share(kind, number, rules, marks.count("✓"), len(marks), lost, marks)
    if kind == "game":
        return Share(kind, number, rules, draw(st.integers(0, 1_575)), 0, draw(st.integers(0, 9_999)))
    return Share(kind, number, rules, draw(st.integers(0, 200)))


@given(shares(), st.sampled_from(sorted(LANGUAGES)), st.sampled_from(["", " https://dice.example.org/d/a_B-9"]))
def test_a_shared_line_reads_back_in_every_language_with_or_without_link(share: Share, lang: str, link: str) -> None:
    assert parse_share(share.line(language(lang)) + link) == share


@pytest.mark.parametrize(
    "line", ["", "fivedice", "fivedice #x · 1/1", "other #1 · 1/10 · 0.0 points lost", "fivedice #1 · 1/1 · 0.0 p · ✓✗"]
)
def test_another_text_is_refused(line: str) -> None:
    with pytest.raises(MalformedError, match="want a line"):
        parse_share(line)


def test_a_ten_is_ranked_by_points_lost_a_game_then_by_score_and_a_storm_by_what_was_solved() -> None:
    tens = [Tally(10, 9, 0.5), Tally(10, 8, 0.9), Tally(10, 9, 4.2)]
    assert sorted(tens, key=lambda one: one.standing("ten")) == tens
    games = [Tally(30, 30, 0.0, 150), Tally(35, 34, 0.9, 300), Tally(35, 34, 0.9, 299), Tally(35, 33, 1.0, 400)]
    assert sorted(games, key=lambda one: one.standing("game")) == games
    assert [of_standing("game", one.standing("game")) for one in games] == [(one.lost, one.score) for one in games]
    assert of_standing("ten", tens[0].standing("ten")) == (0.5, None)
    assert Tally.of([0, 0, 3.0]).standing("storm") < Tally.of([0, 0.4]).standing("storm")
    assert Tally.of([0, 0]).standing("streak") == Tally.of([0, 0, 9.0]).standing("streak")


def test_only_a_best_answer_has_a_check_mark() -> None:
    assert [symbol(loss) for loss in (0, 1e-9, 0.3, 2.9, 3.0, 8.0)] == ["✓", "✓", "?!", "?!", "?", "??"]


SECRET = open_secret(date(2026, 11, 25))


@pytest.fixture(scope="module")
def crag_candidates() -> list[Candidate]:
    return candidates_of(solution_of("crag"), SECRET, "ten")


def test_the_same_secret_draws_the_same_ten_everywhere(crag_candidates: list[Candidate]) -> None:
    ten = choose_ten(SECRET, crag_candidates)
    assert choose_ten(SECRET, crag_candidates[::-1]) == ten != choose_ten(bytes(32), crag_candidates)
    # The hashes of a set or a mapping, on which it must not depend, differ in each process.
    assert hashlib.sha256("\n".join(str(one.position) for one in ten).encode()).hexdigest()[:16] == "9e87588791ad4ed5"


def test_a_ten_gets_harder_and_the_obvious_choice_is_wrong_in_some(crag_candidates: list[Candidate]) -> None:
    by_position = {one.position: one for one in crag_candidates}
    chosen = [by_position[puzzle.position] for puzzle in choose_ten(SECRET, crag_candidates)]
    assert len({one.position for one in chosen}) == 10
    assert chosen[0].missed <= 1 < 5 <= chosen[-1].missed
    assert sum(one.margin > 0 for one in chosen) >= 4
    assert sum(one.margin < 0 for one in chosen) >= 1
    assert min(one.margin for one in chosen) >= -4, "no position is trivial while others fit"


def test_grades_equal_advice_and_no_answer_depends_on_less_than_0_3_points(crag_candidates: list[Candidate]) -> None:
    solution = solution_of("crag")
    for one in crag_candidates:
        advice = advise(solution, one.position)
        losses = [found.loss for found in advice.actions]
        assert [one.puzzle.loss(found.action) for found in advice.actions] == pytest.approx(losses, abs=1e-6)
        assert all(is_best(loss) or loss >= MIN_LOSS - 1e-6 for loss in losses)
        assert not all(map(is_best, losses))
        tempting = advice.of(Greedy().choose(one.position)).loss
        assert (one.margin < 0) == is_best(tempting)
        assert one.margin == pytest.approx(
            tempting if one.margin > 0 else -min(x for x in losses if not is_best(x)), abs=1e-6
        )


def test_sundays_have_two_positions_of_the_guest(crag_candidates: list[Candidate]) -> None:
    guest = candidates(solution_of("yacht"), *games_of(SECRET, "ten", "yacht")[0][::-1], asks_levels=True)
    chosen = choose_ten(SECRET, crag_candidates, guest)
    assert [puzzle.position.ruleset.id for puzzle in chosen].count("yacht") == 2


def test_a_grade_shows_the_best_actions_the_next_best_one_and_a_legal_answer(crag_candidates: list[Candidate]) -> None:
    puzzle = next(one.puzzle for one in crag_candidates if len(one.puzzle.losses) > len(one.puzzle.best) + 1)
    actions = list(puzzle.losses)
    shown = puzzle.answered(actions[-1])
    assert list(shown.losses) == [*puzzle.best, actions[len(puzzle.best)], actions[-1]]
    assert (shown.best, shown.loss(actions[-1])) == (puzzle.best, puzzle.loss(actions[-1]))
    assert list(puzzle.answered(actions[0]).losses) == actions[: len(puzzle.best) + 1]
    with pytest.raises(IllegalError):
        puzzle.loss(as_action("score everything"))
    assert len(puzzle.levels) == 9
    assert is_best(puzzle.levels[-1])


def test_a_ladder_climbs_and_its_runs_share_no_position() -> None:
    crag_ladder = candidates_of(solution_of("crag"), SECRET, "ladder")
    ladder = choose_ladder(SECRET, crag_ladder)
    rungs = [puzzle.rung or 0 for puzzle in ladder]
    margins = {one.position: one.margin for one in crag_ladder}
    for rung, puzzle in zip(rungs, ladder, strict=True):
        low, high = LADDER[rung]
        assert low <= margins[puzzle.position] < high
    assert rungs == sorted(rungs)
    assert len({(one.rung, one.position.dice, one.position.rolls_left) for one in ladder}) == len(ladder)
    first, second = run_of(rungs, 1), run_of(rungs, 2)
    assert sorted(first) == sorted(second) == list(range(len(rungs)))
    full = [rung for rung in set(rungs) if rungs.count(rung) >= 2 * PER_RUNG]
    assert full
    for rung in full:
        asked = [[index for index in run if rungs[index] == rung][:PER_RUNG] for run in (first, second)]
        assert not set(asked[0]) & set(asked[1])
