"""Hypothesis strategies: random tiny rulesets, reachable positions, and complete games.

Rulesets are drawn as TOML and parsed by `parse_ruleset`, so all of them pass the checks of a file.
"""

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from fivedice.base.extras import needs_extra
from fivedice.game.action import Action, Keep
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.game.position import Position
from fivedice.rulesets import parse_ruleset
from fivedice.rulesets.dice import Dice, rolls
from fivedice.rulesets.reader import EXTRA_FLAGS, NOT_WITH_REQUIRES
from fivedice.rulesets.ruleset import Joker, Ruleset
from fivedice.testing.conformance import Playthrough

with needs_extra("fivedice.testing.strategies", "testing"):
    from hypothesis import note
    from hypothesis import strategies as st

Table: TypeAlias = dict[str, Any]


@st.composite
def rulesets(
    draw: st.DrawFn,
    *,
    max_dice: int = 3,
    max_faces: int = 4,
    max_boxes: int = 4,
    announcements: bool = False,
    by_roll: bool = False,
    orders: bool = True,
) -> Ruleset:
    """Tiny rulesets of at most three dice, four faces and four boxes.

    `announcements` stands for columns whose boxes are announced, and `by_roll` for points by the number of the roll;
    these are included only if their flags are set. Without `orders`, all columns are free. Some keys are in the file
    and some are options, so that names like `tiny[rolls=2]` occur.
    """
    num_dice = draw(st.integers(1, max_dice))
    num_faces = draw(st.integers(2, max_faces))
    num_columns = draw(st.integers(1, 2))
    num_categories = draw(st.integers(2 // num_columns, max_boxes // num_columns))
    with_joker = draw(st.booleans())
    with_requirement = with_joker and num_columns == 1 and draw(st.booleans())

    kinds = _categories(num_dice, num_faces)
    ids = draw(st.permutations(sorted(kinds.keys() - {"yahtzee"})))[: num_categories - with_joker]
    if with_joker:
        ids.insert(draw(st.integers(0, len(ids))), "yahtzee")
    categories = {id: draw(kinds[id]) for id in ids}
    for category in categories.values():
        if draw(_seldom):
            category["section"] = "upper" if _section(category) == "lower" else "lower"
        if draw(_seldom):
            category["first_roll_bonus"] = draw(st.integers(1, 5))
        if draw(_seldom):
            category["first_roll_wins"] = True
        if by_roll and _section(category) == "lower" and draw(st.booleans()):
            category["pays"] = draw(st.lists(st.integers(1, 9), min_size=2, max_size=3))
        if with_requirement and category is not categories["yahtzee"] and draw(st.booleans()):
            category["requires"] = "yahtzee"

    if num_columns == 1 and draw(_seldom):
        _limit_a_pair(draw, categories)

    keys: Table = {"rolls": draw(st.integers(1, 3))}
    flags: Table = {}
    if with_joker:
        keys |= {"joker": draw(st.sampled_from(list(Joker))), "extra_bonus": draw(st.sampled_from((10, 0, 1)))}
        flags |= {key: True for key in EXTRA_FLAGS if draw(_seldom)}
        if any("requires" in category for category in categories.values()):
            for key in NOT_WITH_REQUIRES:  # the format refuses both together
                flags.pop(key, None)
    if any(_section(category) == "upper" for category in categories.values()) and draw(st.booleans()):
        keys["upper_bonus"] = draw(_tiers(num_dice * num_faces))
    if orders:
        keys["order"] = draw(st.sampled_from(("free", "down", "up")))
    if draw(st.booleans()):
        keys["rounds"] = draw(st.integers(1, num_categories * num_columns))
    keys["saved_rolls"] = draw(st.booleans())
    keys["voluntary_zero"] = draw(st.booleans())
    if not keys["voluntary_zero"]:
        flags["forced_score"] = draw(st.booleans())
    options = {key: value for key, value in keys.items() if draw(_seldom)}

    tree: Table = {"id": "tiny", "dice": num_dice, "faces": num_faces}
    tree |= {key: value for key, value in keys.items() if key not in options} | flags
    if with_joker:
        tree["joker_category"] = "yahtzee"
    red = draw(st.integers(1, num_faces - 1))
    tree["colours"] = {"red": [*range(1, red + 1)], "black": [*range(red + 1, num_faces + 1)]}
    tree["categories"] = categories
    if num_columns > 1:
        tree["columns"] = {id: draw(_column(orders)) for id in ("a", "b")}
        if announcements:
            tree["columns"]["b"]["announced"] = True
            if draw(_seldom):
                tree["columns"]["a"]["announced"] = True
    text = "".join(f"{key} = {_toml(value)}\n" for key, value in tree.items())
    note(f"{text}# options: {options}")
    return parse_ruleset(text, "tiny", options)


@st.composite
def games(
    draw: st.DrawFn, ruleset: Ruleset | None = None, *, max_seats: int = 3, max_steps: int | None = None
) -> Playthrough:
    """Games of random legal actions under `ruleset` or a random tiny one, cut off after `max_steps` if given.

    Rolls are drawn from the multisets, so that equal dice are far more frequent than with fair dice.
    """
    rules = draw(rulesets()) if ruleset is None else ruleset
    num_seats = draw(st.integers(1, min(max_seats, MAX_SEATS)))
    position = Position.start(rules, num_seats, draw(st.integers(0, num_seats - 1)))
    positions, actions = [position], list[Action | None]()
    while not position.is_over and (max_steps is None or len(actions) < max_steps):
        action = draw(st.sampled_from(position.actions())) if position.dice else None
        if action is None:
            position = position.roll(draw(_rolled(rules, 0)))
        elif isinstance(action, Keep):
            position = position.play(action, draw(_rolled(rules, len(action.dice))))
        else:
            position = position.play(action)
        positions.append(position)
        actions.append(action)
    return Playthrough(tuple(positions), tuple(actions))


@st.composite
def positions(draw: st.DrawFn, ruleset: Ruleset | None = None, *, max_seats: int = 3) -> Position:
    """Positions that legal play can reach under `ruleset` or a random tiny one."""
    rules = draw(rulesets()) if ruleset is None else ruleset
    most = rules.rounds * (max_seats + 1)
    return draw(games(rules, max_seats=max_seats, max_steps=draw(st.integers(0, most)))).positions[-1]


_seldom = st.integers(0, 4).map(lambda number: number == 4)


def _categories(num_dice: int, num_faces: int) -> dict[str, st.SearchStrategy[Table]]:
    """Id → a strategy for categories that some roll matches."""
    pays = st.integers(1, 9) | st.sampled_from(("total", "matched"))

    def kind(scorer: str, **params: st.SearchStrategy[Any]) -> st.SearchStrategy[Table]:
        return st.fixed_dictionaries(
            {"scorer": st.just(scorer), **params}, optional={"pays": pays, "plus": st.integers(1, 4)}
        )

    result = {
        id: kind("sum_of_face", face=st.just(face))
        for face, id in enumerate(("ones", "twos", "threes", "fours")[:num_faces], 1)
    }
    result["yahtzee"] = kind("n_of_a_kind", n=st.just(num_dice))
    result["kind"] = kind("n_of_a_kind", n=st.integers(1, num_dice))
    result["chance"] = kind("any_dice")
    result["exactly"] = kind("sum_is", total=st.integers(num_dice, num_dice * num_faces))
    result["flush"] = kind("flush")
    if num_dice >= 2:
        result["pair"] = kind("pairs", n=st.just(1), same_colour=st.booleans())
        result["straight"] = kind("straight", length=st.integers(2, min(num_dice, num_faces)))
        result["listed"] = kind("listed", hands=st.just(["1" * num_dice, "1" * (num_dice - 1) + str(num_faces), "12"]))
        result["run"] = kind("straight", faces=st.just([f"1{num_faces}"]))
    if num_dice >= 3:
        result["house"] = kind("full_house", large=st.just(2), small=st.just(1), distinct=st.booleans())
        result["hand"] = st.fixed_dictionaries(
            {"scorer": st.just("poker_hand"), "straight_first": st.booleans()}, optional={"plus": st.integers(1, 4)}
        )
    return result


def _limit_a_pair(draw: st.DrawFn, categories: dict[str, Table]) -> None:
    """Let one category have to be above another, if there are two that the format allows."""
    refused = {"requires", "first_roll_bonus", "first_roll_wins"}
    ids = [
        id
        for id, category in categories.items()
        if id != "yahtzee" and not refused & category.keys() and type(category.get("pays")) is not list
    ]
    if len(ids) > 1:
        above, below, *_ = draw(st.permutations(ids))
        categories[above] |= {"above": below, "or_equal": draw(st.booleans())}


def _section(category: Mapping[str, Any]) -> str:
    usual = "upper" if category["scorer"] == "sum_of_face" else "lower"
    return str(category.get("section", usual))


@st.composite
def _tiers(draw: st.DrawFn, highest: int) -> str:
    low = draw(st.integers(1, highest))
    points = draw(st.integers(1, 9))
    if draw(st.booleans()):
        return f"{points}@{low}"
    return f"{points}@{low}/{points + draw(st.integers(1, 5))}@{low + draw(st.integers(1, 4))}"


def _column(orders: bool) -> st.SearchStrategy[Table]:
    order = {"order": st.sampled_from(("free", "down", "up"))} if orders else {}
    return st.fixed_dictionaries({"multiplier": st.integers(1, 3)}, optional=order)


def _rolled(ruleset: Ruleset, num_kept: int) -> st.SearchStrategy[Dice]:
    return st.sampled_from(rolls(ruleset.dice - num_kept, ruleset.faces))


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_toml(item)}' for key, item in value.items())} }}"
    return json.dumps(value)
