"""The engine and the kernels agree on every key of the format for which rule books differ."""

import pytest

from fivedice.rulesets import parse_ruleset
from fivedice.rulesets.ruleset import Joker, Ruleset
from tests.amount import cases
from tests.solver.test_agreement import check_agreement

TINY = """
id = "tiny"
dice = 2
faces = 3
rolls = 2
joker_category = "pair"
upper_bonus = "3@2"
[categories]
ones = { scorer = "sum_of_face", face = 1 }
straight = { scorer = "straight", length = 2, pays = 7, first_roll_bonus = 1 }
pair = { scorer = "n_of_a_kind", n = 2, pays = 5 }
"""
KEYS = [
    "first_in_box = true\nextra_bonus = 10",
    "wild_while_open = true",
    "wild_while_open = true\nextra_bonus = 10\nfirst_in_box = true\nvoluntary_zero = true",
    "forced_score = true\nextra_bonus = 10",
    "forced_score = true\nextra_bonus = 10\nfirst_in_box = true\nwild_while_open = true",
    "bonus_needs_points = true\nextra_bonus = 10\nrounds = 3",
    "bonus_in_upper = true\nextra_bonus = 10",
    "bonus_in_upper = true\nbonus_after_zero = true\nextra_bonus = 10\nvoluntary_zero = true",
    "bonus_after_zero = true\nextra_bonus = 10\nfirst_in_box = true\nwild_while_open = true",
]


def tiny(keys: str, joker: str, *, columns: bool = False) -> Ruleset:
    """The tiny ruleset with these keys and a joker order, in one column of three boxes or two of two."""
    text = TINY.replace("[categories]", f'joker = "{joker}"\n{keys}\n[categories]')
    if columns:
        text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("straight"))
        text += "[columns]\nonce = {}\ntwice = { multiplier = 2 }\n"
    return parse_ruleset(text, "tiny")


@pytest.mark.parametrize("joker", cases(["forced", "wild"], full=list(Joker)))
@pytest.mark.parametrize("keys", KEYS)
def test_engine_and_kernels_agree_in_one_column(keys: str, joker: str) -> None:
    check_agreement(tiny(keys, joker), max_positions=100_000)


@pytest.mark.parametrize("joker", cases(["wild"], full=list(Joker)))
@pytest.mark.parametrize("keys", cases([KEYS[4]], full=KEYS))
def test_engine_and_kernels_agree_in_two_columns(keys: str, joker: str) -> None:
    check_agreement(tiny(f"{keys}\nbonus_by_column = true", joker, columns=True), max_positions=300_000)
