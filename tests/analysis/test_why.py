"""Why one action is better than another: parts that add up to the difference, and a sentence, also in plain Python."""

import random
import re
from itertools import islice
from random import Random
from types import MappingProxyType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fivedice.analysis.action_values import PlainSolution
from fivedice.analysis.advice import advise
from fivedice.analysis.plain_breakdown import PlainBreakdown
from fivedice.analysis.why import Why, component_name, why
from fivedice.base.errors import IllegalError
from fivedice.base.language import LANGUAGES, Language, language
from fivedice.game.action import Action, Keep, Score
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.explanation.boxes import box_title
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.components import component_names
from fivedice.solver.play.breakdown import Breakdown, find_breakdown
from fivedice.solver.saved.portable import read, read_parts
from fivedice.solver.saved.saved_table import UnusableSolutionError
from fivedice.solver.solve import solve
from fivedice.testing import TINY, playthrough, positions, rulesets
from tests.amount import amount, cases
from tests.solutions import breakdown_of, portable_tables, solution_of
from tests.test_package import modules_after, third_party

CRAG = load_ruleset("crag")


def test_every_part_has_a_name_in_a_table() -> None:
    yahtzee, ids = load_ruleset("yahtzee"), ("ones", "upper_bonus", "extra_bonus", "this_turn", "later_turns")
    names = [component_name(yahtzee, id) for id in ids]
    assert names == ["Ones", "Upper bonus", "Extra Yahtzee bonus", "This turn", "Later turns"]
    assert component_name(load_ruleset("generala"), "outright_win") == "Outright win"


def check_figures(found: Why, to: Language) -> None:
    """The figures of a sentence add up to its total, which is that of the parts in tenths; none is far from exact."""
    answer = found.in_language(to).partition("? ")[2]
    assert answer.endswith(".")
    for name in (box_title(found.position.ruleset, box.id, to) for box in found.position.ruleset.boxes):
        answer = answer.replace(name, "")
    actions = (found.action, found.instead_of)
    wins = [isinstance(action, Score) and found.position.offer_for(action).wins for action in actions]
    if wins[0] != wins[1]:
        assert not re.search(r"\d", answer)  # no points are worth as much as the game
        return
    figures = [round(10 * float(text.replace(",", "."))) for text in re.findall(r"\d+[.,]\d", answer)]
    gained, lost = (sum(p for p in found.parts.values() if sign * p > 0) for sign in (1, -1))
    head, _, rest = answer.partition(": ")
    total = round(10 * found.total)
    if not figures:
        assert max(gained, -lost) < 0.15, answer
        assert total == 0, answer
    elif not rest:
        assert figures == [abs(total)], answer
    else:
        parts = figures[1:] if re.search(r"\d", head) else figures
        assert figures[0] == abs(total) or (total == 0 and parts == figures), answer
        verb = {"en": "give up", "de": "verlierst", "sv": "förlorar"}[to.tag]
        before = rest.partition(verb)[0]
        num_gained = 0 if verb in head else len(re.findall(r"\d+[.,]\d", before))
        ups, downs = parts[:num_gained], parts[num_gained:]
        assert sum(ups) - sum(downs) == total, answer
        assert max(len(ups), len(downs)) <= 4, answer
        assert 0 not in parts, answer
        assert sum(ups) == pytest.approx(10 * gained, abs=4), answer
        assert sum(downs) == pytest.approx(-10 * lost, abs=4), answer


@given(st.data())
@settings(max_examples=amount(60, full=2_000), deadline=None)
def test_the_figures_of_a_sentence_add_up_to_its_total_in_every_ruleset_and_language(data: st.DataObject) -> None:
    ruleset = load_ruleset(data.draw(st.sampled_from(ruleset_ids())))
    roll = Position.start(ruleset).roll((1,) * ruleset.dice) if ruleset.rolls > 1 else None
    assert roll is not None
    size = data.draw(st.sampled_from([0.03, 0.3, 3.0, 30.0]))
    parts = {name: data.draw(st.floats(-size, size)) for name in component_names(ruleset)}
    found = Why(roll, Keep((1,)), Keep(()), MappingProxyType(parts))
    for tag in LANGUAGES:
        check_figures(found, language(tag))


def check_sums(breakdown: Breakdown, position: Position, chance: random.Random) -> None:
    """The parts of any two actions add up to the difference of their values."""
    solution = breakdown.solution
    advice = advise(solution, position)
    for _ in range(5 if advice.actions else 0):
        action, instead_of = (chance.choice(advice.actions) for _ in range(2))
        found = why(solution, position, action.action, instead_of.action, breakdown=breakdown)
        assert set(found.parts) == set(breakdown.names)
        assert found.total == pytest.approx(action.value - instead_of.value, abs=1e-9)
        for tag in LANGUAGES:
            check_figures(found, language(tag))
        opposite = why(solution, position, instead_of.action, action.action, breakdown=breakdown)
        assert [-points for points in opposite.parts.values()] == list(found.parts.values())


@pytest.mark.parametrize("ruleset", [*TINY.values(), CRAG], ids=str)
def test_the_parts_of_any_two_actions_add_up_to_the_difference_of_their_values(ruleset: Ruleset) -> None:
    breakdown = find_breakdown(solve(ruleset))
    chance = random.Random(3)
    for seed in range(amount(2, full=5)):
        for position in playthrough(ruleset, random.Random(seed), num_seats=2).positions:
            check_sums(breakdown, position, chance)


@given(st.data())
@settings(max_examples=amount(25, full=200), deadline=None, suppress_health_check=list(HealthCheck))
def test_the_parts_add_up_in_random_positions_of_random_rulesets(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    breakdown = find_breakdown(solve(ruleset, threads=1), threads=1)
    check_sums(breakdown, data.draw(positions(ruleset)), random.Random(7))


@pytest.mark.parametrize(
    ("action", "instead_of", "parts", "sentence"),
    [
        (
            "keep 33",
            "keep 3456",
            {"large_straight": -1.6, "threes": 1.1, "upper_bonus": 0.8, "chance": -0.04},
            "Keep 33 instead of 3456? On average it is worth 0.3 points more: you gain 1.1 in Threes and 0.8 in the "
            "upper bonus, and give up 1.6 in Large Straight.",
        ),
        (
            "keep -",
            "keep 33",
            {"threes": -0.5, "fours": -0.4, "fives": -0.3, "sixes": -0.2, "ones": -0.15, "extra_bonus": 3.0},
            "Roll all the dice instead of keeping 33? On average it is worth 1.4 points more: you gain 3.0 in the "
            "bonus for an extra Yahtzee, and give up 0.5 in Threes, 0.4 in Fours, 0.3 in Fives and 0.4 elsewhere.",
        ),
        (
            "keep 33",
            "keep 3",
            {"threes": 1.02, "fours": -1.0},
            "Keep 33 instead of 3? On average it is worth about the same: you gain 1.0 in Threes, and give up 1.0 in "
            "Fours.",
        ),
        ("keep -", "keep -", {}, "Roll all the dice, in either case? It changes nothing."),
        (
            "keep 3456",
            "score full_house",
            {"full_house": 9.0, "threes": -1.0},
            "Keep 3456 instead of writing 0 in Full House? On average it is worth 8.0 points more: you gain 9.0 in "
            "Full House, and give up 1.0 in Threes.",
        ),
        ("keep 3", "keep 33", {"ones": 1e-13}, "Keep 3 instead of 33? It changes nothing."),
        ("keep 3", "keep 33", {"ones": 0.049}, "Keep 3 instead of 33? It makes almost no difference."),
    ],
)
def test_the_sentence_names_what_is_given_up_and_what_is_gained(
    action: str, instead_of: str, parts: dict[str, float], sentence: str
) -> None:
    position = parse_position("yahtzee yahtzee=50 33456 r1")
    found = Why(position, parse_action(action), parse_action(instead_of), MappingProxyType(parts))
    assert found.sentence == sentence


def test_dice_have_their_colours_and_the_bonus_the_name_of_its_box_in_words() -> None:
    keeps = parse_action("keep 2256"), parse_action("keep 3")
    found = Why(parse_position("kismet - 22356 r1"), *keeps, MappingProxyType({}))
    assert found.sentence.startswith("Keep 225 (red) and 6 (black) instead of 3 (green)?")
    assert found.in_language(language("de")).startswith("225 (rot) und 6 (schwarz) statt 3 (grün) behalten?")
    kniffel = parse_position("kniffel[extra_bonus=100] - 22356 r1")
    found = Why(kniffel, *keeps, MappingProxyType({"extra_bonus": 1.0}))
    assert found.sentence.endswith("you gain 1.0 in the bonus for an extra Kniffel.")


def test_every_pair_of_actions_has_a_question_in_every_language() -> None:
    position = parse_position("yahtzee yahtzee=50 33355 r1")
    actions = [parse_action(text) for text in ("keep 33", "keep -", "score full_house", "score ones")]
    for tag in LANGUAGES:
        pairs = [(mine, other) for mine in actions for other in actions]
        asked = {Why(position, *pair, MappingProxyType({})).in_language(language(tag)) for pair in pairs}
        assert len(asked) == len(pairs)


def test_an_illegal_action_and_a_breakdown_of_other_rules_are_refused() -> None:
    crag, position = breakdown_of("crag"), parse_position("crag - 445 r0", CRAG)
    good: Action = parse_action("score crag")
    for bad in ("keep 44", "keep 66", "scratch crag"):
        for pair in ((parse_action(bad), good), (good, parse_action(bad))):
            with pytest.raises(IllegalError, match="is not legal in crag - 445 r0"):
                why(crag.solution, position, *pair, breakdown=crag)
    with pytest.raises(IllegalError, match="this is the breakdown of tiny_plain, not of crag"):
        why(crag.solution, position, good, good, breakdown=find_breakdown(solve(TINY["tiny_plain"])))


def plain(id: str, *, is_rounded: bool) -> PlainBreakdown:
    values, parts = portable_tables(id, is_rounded=is_rounded)
    return PlainBreakdown(PlainSolution(solution_of(id).states, read(values).values), read_parts(parts))


def decisions(id: str, num: int) -> list[Position]:
    games = (playthrough(load_ruleset(id), Random(seed)).positions for seed in range(num))
    return list(islice((position for game in games for position in game if position.dice), num))


@pytest.mark.parametrize("id", cases(["crag"], full=["crag", "yahtzee", "kniffel", "generala", "yacht_dice"]))
def test_reasons_are_those_of_the_kernels_and_rounding_changes_a_figure_by_a_hundredth_at_most(id: str) -> None:
    solution, breakdown = solution_of(id), breakdown_of(id)
    exact, rounded = (plain(id, is_rounded=is_rounded) for is_rounded in (False, True))
    num_keeps = 0
    for position in decisions(id, amount(60, full=1_000)):
        best, *others = advise(solution, position).actions
        for other in others[:1]:
            actions = best.action, other.action
            expected = why(solution, position, *actions, breakdown=breakdown)
            assert str(why(exact.solution, position, *actions, breakdown=exact)) == str(expected)
            found = why(rounded.solution, position, *actions, breakdown=rounded)
            assert found.parts == pytest.approx(expected.parts, abs=0.01)
            num_keeps += isinstance(best.action, Keep)
    assert num_keeps > 10


def test_without_parts_a_reason_tells_this_turn_from_later_ones() -> None:
    solution = plain("crag", is_rounded=False).solution
    without = PlainBreakdown(solution, None)
    position = Position.start(solution.ruleset).roll((4, 4, 5))
    found = why(solution, position, "keep 44", "keep 45", breakdown=without)
    assert found.total == pytest.approx(why(solution_of("crag"), position, "keep 44", "keep 45").total)
    scored = why(solution, position, "score crag", "score thirteen", breakdown=without)
    assert scored.sentence.endswith("you gain 24.0 in this turn, and give up 13.3 in later turns.")


def test_an_unusable_file_is_refused() -> None:
    values, parts = portable_tables("crag", is_rounded=True)
    for damaged in (values, parts[:-20], b""):
        with pytest.raises(UnusableSolutionError):
            read_parts(damaged)


def test_reading_portable_files_and_explaining_need_the_standard_library_only() -> None:
    luck = "from fivedice.analysis.reviews.marks import LuckScale"
    imports = f"{luck}; from fivedice.analysis.why import why; from fivedice.solver.saved.portable import read"
    assert third_party(modules_after(imports)) == set()
