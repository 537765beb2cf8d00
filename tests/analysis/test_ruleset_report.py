"""The report on a ruleset: how long, how large, what is alike, and which keys have no effect."""

import pytest

from fivedice.analysis.ruleset_report import RulesetReport, report_on
from fivedice.rulesets import load_ruleset, parse_ruleset, ruleset_ids
from fivedice.solver.solve import solve
from fivedice.testing import TINY, check_ruleset


def report(text: str, memory_limit: int = 2**30) -> RulesetReport:
    return report_on(parse_ruleset(f'id = "mine"\n{text}', "my.toml"), memory_limit=memory_limit)


@pytest.mark.parametrize("id", ruleset_ids())
def test_a_shipped_ruleset_has_no_warnings_and_every_box_can_score(id: str) -> None:
    found = report_on(load_ruleset(id), memory_limit=2**33)
    assert found.warnings == ()
    assert found.scoring_boxes == tuple(box.id for box in load_ruleset(id).boxes)
    assert found.is_solvable == (id not in ("triple_yahtzee", "balut", "yamb"))
    assert not found.is_solvable or not found.obstacle
    assert id != "balut" or "depends on sums of boxes" in found.obstacle


def test_an_inherited_choice_that_does_not_go_with_the_file_is_a_warning_that_names_it() -> None:
    house = parse_ruleset('like = "kniffel"\nid = "house"\nextra_bonus = 100')
    [warning] = report_on(house, memory_limit=2**30).warnings
    assert warning.startswith("options.six_dice.choices.true: this choice does not go with the other rules (")
    without = parse_ruleset('like = "kniffel"\nid = "house"\nextra_bonus = 100\noptions.six_dice = "none"')
    assert report_on(without, memory_limit=2**30).warnings == ()


@pytest.mark.parametrize("id", TINY)
def test_the_size_is_an_upper_bound_of_the_solved_one(id: str) -> None:
    found = check_ruleset(TINY[id], num_games=1)
    assert found.max_turn_states >= solve(TINY[id]).num_turn_states
    assert not report_on(TINY[id], memory_limit=found.num_bytes - 1).is_solvable


def test_boxes_and_columns_that_can_be_exchanged_are_listed() -> None:
    found = report(
        'like = "yatzy"\ncolumns = { a = {}, b = {}, c = { multiplier = 2 }, d = { order = "up" } }\n'
        '[categories.luck]\nscorer = "any_dice"'
    )
    assert found.alike_columns == (("a", "b"),)
    assert found.alike_boxes == (("chance_a", "luck_a"), ("chance_b", "luck_b"), ("chance_c", "luck_c"))
    again = report('like = "yahtzee"\n[categories.again]\nscorer = "n_of_a_kind"\nn = 5\npays = 50')
    assert again.alike_boxes == (), "the joker box is like no other"


WARNINGS = {
    'like = "yatzy"\norder = "down"\nrounds = 14': "yatzy: 14 rounds end before these boxes can be filled in order",
    'like = "yatzy"\nupper_bonus = "50@63/60@106"': (
        "upper_bonus: 60@106 is out of reach; the upper section holds 105 at most"
    ),
    'like = "yatzy"\nsaved_rolls = true\nrolls = 1': "saved_rolls: nothing can be saved, since a turn has one roll",
    'like = "yatzy"\ncolours.red = [1, 2]': "colours.red: no category uses a colour",
    'like = "yatzy"\n[categories.one_pair]\ndistinct = false': (
        "categories.one_pair.distinct: every roll scores the same without it"
    ),
    'like = "yahtzee"\nrounds = 1': "joker and extra_bonus: the game ends before equal dice can be an extra Yahtzee",
    'like = "yatzy"\nrolls = 3': "rolls: yatzy says so already",
    'like = "yatzy"\n[categories.yatzy]\npays = 50': "categories.yatzy.pays: yatzy says so already",
    'like = "yatzy"\n[categories.yatzy]': "categories.yatzy: it says nothing",
    'like = "yatzy"\n[options.o]\ndefault = "a"\nchoices = { a.about = ".", b = { about = ".", rolls = 3 } }': (
        "options.o.choices.b: it changes nothing"
    ),
    'like = "yatzy"\nfirst_in_box = true': "first_in_box: it has no effect without an extra_bonus",
    'like = "yatzy"\nbonus_in_upper = true': (
        "bonus_in_upper: it has no effect without an extra_bonus and an upper box for a face"
    ),
    'like = "yahtzee"\nbonus_by_column = true': (
        "bonus_by_column: it has no effect without an extra_bonus and a column with a multiplier"
    ),
    'like = "yahtzee_wild"\noptions.zeros.default = "last"': (
        "options.zeros.default: the rules without options are not those of last; write its keys at the top of the file,"
        " too"
    ),
    'joker = "wild"\njoker_category = "five"\n[categories]\nfive = { scorer = "n_of_a_kind", n = 5 }\n'
    'ones = { scorer = "sum_of_face", face = 1 }': "joker = 'wild': there is no lower box that could take a joker",
}


@pytest.mark.parametrize(("text", "warning"), WARNINGS.items(), ids=WARNINGS.values())
def test_a_key_without_effect_is_a_warning(text: str, warning: str) -> None:
    found = report(text)
    assert found.warnings == (warning,)
    assert "can be filled in order" not in warning or (len(found.scoring_boxes), found.most_rolls) == (14, 42)
