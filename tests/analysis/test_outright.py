"""A game that is won outright: the winning action is first for everybody, and every figure agrees with the engine."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fivedice.analysis.advice import advise
from fivedice.analysis.chances import chances, outright_before, outright_of
from fivedice.analysis.endgames import advise_rival
from fivedice.analysis.lessons import grade, lessons
from fivedice.analysis.odds import odds
from fivedice.analysis.reviews.marks import LuckScale, Mark
from fivedice.analysis.reviews.player_figures import player_figures
from fivedice.analysis.reviews.review import review
from fivedice.analysis.targets import target_curve
from fivedice.analysis.why import why
from fivedice.base.language import language
from fivedice.game.action import Score
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat, parse_record
from fivedice.players import Greedy
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.dice import rolls
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.perfect_scores import perfect_scores
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.solve import solve
from fivedice.testing import TINY, playthrough, rulesets
from tests.amount import amount
from tests.analysis.reviews.test_review import check_identity
from tests.solutions import breakdown_of, solution_of
from tests.solver.brute_force import Followed, best_play

GENERALA = "generala[first_roll_generala=wins]"
WINS = TINY["tiny_first_roll"]
DATE = "2026-11-22T10:00:00+00:00"
GAMES = amount(10, full=100)


def winnable(ruleset: Ruleset, num_seats: int = 1) -> list[Position]:
    """Positions in which the seat to move can win at once."""
    games = (playthrough(ruleset, Random(seed), num_seats) for seed in range(GAMES))
    return [each for game in games for each in game.positions if any(offer.wins for offer in each.offers())]


@given(rulesets(max_boxes=3), st.data())
@settings(max_examples=amount(6, full=100), deadline=None, suppress_health_check=list(HealthCheck))
def test_the_winning_action_is_first_and_taken_under_random_rules(ruleset: Ruleset, data: st.DataObject) -> None:
    winner = data.draw(st.sampled_from(ruleset.categories))
    categories = tuple(replace(c, first_roll_wins=c is winner) for c in ruleset.categories)
    changed = replace(ruleset, categories=categories)
    solution = solve(changed, threads=1)
    for position in winnable(changed):
        wins, advice = {offer.action for offer in position.offers() if offer.wins}, advise(solution, position)
        assert {advised.action for advised in advice.actions[: len(wins)]} == wins
        assert {advised.action for advised in advice.actions if advised.wins} == wins
        assert all(advised.loss >= 1 - 1e-9 for advised in advice.actions[len(wins) :])
        assert Greedy().choose(position) in wins


def test_the_winning_action_is_first_against_other_cards() -> None:
    solution, positions = solve(WINS), winnable(WINS, 2)
    assert len(positions) > 5
    for position in positions:
        best = advise_rival(solution, position).best
        assert position.offer_for(best.action).wins if isinstance(best.action, Score) else False


def test_the_chance_to_win_outright_is_that_of_the_best_actions_in_the_engine() -> None:
    solution, followed = solve(WINS), Followed(best_play(WINS), lambda position: position.card.won)
    breakdown = find_breakdown(solution)
    start = Position.start(WINS)
    assert outright_before(breakdown, start).chance == pytest.approx(followed.chances(start).get(1, 0.0), abs=1e-14)
    for roll in rolls(WINS.dice, WINS.faces):
        position = start.roll(roll)
        assert chances(solution, position).outright == pytest.approx(followed.chances(position).get(1, 0.0), abs=1e-14)
        for advised in advise(solution, position).actions:
            found = outright_of(breakdown, position, advised.action)
            assert found.chance == pytest.approx(followed.after(position, advised.action).get(1, 0.0), abs=1e-14)
    assert chances(solution, start.roll((3, 3)).play(Score("pair"))).outright == 1.0


def test_an_outright_win_counts_more_than_any_points_and_the_earlier_the_more() -> None:
    ruleset = load_ruleset(GENERALA)
    assert ruleset.highest_score == 105 + 25 + 35 + 45 + 50
    assert [ruleset.outright_points(turns) for turns in (0, 1, 9)] == [261, 361, 1_161]
    card = parse_position(f"{GENERALA} generala=50,won=1 - r3").card
    assert (card.total, card.outright_points, card.result) == (50, 1_161, 1_211)
    assert load_ruleset("generala").but(first_roll_generala="wins") == ruleset
    unfinished = parse_position("generala ones=3 - r3").card
    assert (unfinished.outright_points, unfinished.result) == (0, 3)


def won_game(action: str) -> Record:
    """A game in which Ben rolls a Generala first, and keeps or scores it."""
    record = Record.start(load_ruleset(GENERALA), (Seat("Ann", "human"), Seat("Ben", "human")), DATE)
    record = record.roll((1, 2, 3, 4, 6)).play(Score("ones")).roll((6,) * 5)
    if action == "win":
        return record.play(Score("generala"))
    return record.play(Score("poker")).roll((1, 2, 3, 4, 5)).play(Score("straight"))


def test_the_winner_of_a_game_lost_nothing_and_the_game_counts_in_the_figures() -> None:
    solution, record = solution_of(GENERALA), parse_record(str(won_game("win")))
    reviewed = review(solution, record, LuckScale(solution.expected_score, perfect_scores(solution)))
    check_identity(reviewed)
    ben = reviewed.seats[1]
    assert (ben.score, ben.outright_points) == (50, 261 + 2 * 50 * 9)
    assert (ben.loss, ben.marks[Mark.BLUNDER]) == (0.0, 0)
    assert ben.level is not None
    assert ben.level.name == "master"
    assert ben.luck_percentile is not None
    assert ben.luck_percentile > 99.9
    assert not lessons([reviewed], lambda seat: seat.name == "Ben")
    lost, winner = player_figures([reviewed])
    assert (winner.name, winner.score.num, winner.num_outright, winner.errors.loss) == ("Ben", 1, 1, 0.0)
    assert (lost.score.mean, lost.num_cut_short, lost.num_outright) == (1, 1, 0)
    assert lost.errors.loss == reviewed.seats[0].loss > 0


def test_a_win_that_is_not_taken_is_a_blunder_and_becomes_a_lesson() -> None:
    solution = solution_of(GENERALA)
    reviewed = review(solution, won_game("points"))
    decision = reviewed.seats[1].decisions[0]
    assert (decision.best, decision.mark) == (Score("generala"), Mark.BLUNDER)
    (lesson, *_) = lessons([reviewed], lambda seat: seat.name == "Ben")
    assert lesson.position.dice == (6,) * 5
    assert not grade(solution, lesson.position, Score("poker")).is_accepted
    assert grade(solution, lesson.position, Score("generala")).is_best


def test_the_reason_for_the_winning_action_is_that_it_wins() -> None:
    solution, breakdown = solution_of(GENERALA), breakdown_of(GENERALA)
    position = parse_position(f"{GENERALA} - 33333 r2")
    best = why(solution, position, Score("generala"), Score("poker"), breakdown=breakdown)
    assert best.sentence.endswith("It wins the game at once.")
    assert best.total == pytest.approx(sum(best.parts.values()))
    assert best.in_language(language("de")).endswith("Es gewinnt das Spiel sofort.")
    other = why(solution, position, Score("poker"), Score("generala"), breakdown=breakdown)
    assert other.sentence.endswith("It gives up a game that is won at once.")


def test_an_earlier_outright_win_beats_any_other_result_in_the_odds() -> None:
    solution = solve(WINS)
    found = odds(solution, parse_position("tiny_first_roll -/- - r3", WINS))
    assert sum(seat.win + seat.tie / 2 for seat in found.seats) == pytest.approx(1)
    won = Position.start(WINS, 2).roll((3, 3)).play(Score("pair"))
    assert [seat.win for seat in odds(solution, won).seats] == [1.0, 0.0]
    assert odds(solution, won).seats[0].mean == won.cards[0].total


def test_there_are_targets_where_every_first_roll_wins() -> None:
    rule = {"chance": 'scorer = "any_dice", first_roll_wins = true', "ones": 'scorer = "sum_of_face", face = 1'}
    text = "".join(f"{id} = {{ {keys} }}\n" for id, keys in rule.items())
    ruleset = parse_ruleset(
        f'id = "all_win"\ndice = 1\nfaces = 3\nrolls = 1\norder = "down"\n[categories]\n{text}', "x"
    )
    scores, best = target_curve(solve(ruleset), Position.start(ruleset))
    assert (scores.tolist(), best.tolist()) == ([ruleset.highest_score], [1.0])
