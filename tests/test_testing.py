"""The testing kit: it accepts every shipped ruleset, and detects engines and rulesets that are broken on purpose."""

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy

from fivedice.game.card import ScoreCard
from fivedice.game.joker import Ruling
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.box import Category
from fivedice.rulesets.ruleset import Example, Joker, Ruleset
from fivedice.testing import TINY, Playthrough, check_ruleset, games, playthrough, positions, rulesets
from tests.amount import amount, cases

YAHTZEE = load_ruleset("yahtzee")


LIKE_OTHERS = {"kniffel", "triple_yahtzee", "yacht_dice", "yahtzee_no_joker", "yahtzee_plain", "yatzy"}
"""Their kinds of rules are also those of others."""


VARIANTS = (
    "generala[first_roll_generala=wins]",
    "maxi_yatzy[saved_rolls=true,upper_bonus=50@75]",
    "triple_yahtzee[order=up]",
    "yahtzee[joker=wild,rolls=1]",
    "yahtzee[rounds=5,voluntary_zero=true]",
)


@pytest.mark.parametrize("ref", [*cases(sorted({*ruleset_ids()} - LIKE_OTHERS), full=ruleset_ids()), *VARIANTS, *TINY])
def test_every_shipped_and_every_tiny_ruleset_and_variants_conform(ref: str) -> None:
    if ref in TINY:
        check_ruleset(TINY[ref], num_games=amount(10, full=30))
    else:
        check_ruleset(ref, num_games=amount(1, full=3))


@settings(derandomize=True, deadline=None, max_examples=amount(15, full=200))
@given(rulesets())
def test_every_random_ruleset_conforms(ruleset: Ruleset) -> None:
    check_ruleset(ruleset, num_games=3)


score = Category.score
fill = ScoreCard.fill
upper_bonus = ScoreCard.upper_bonus
playable = ScoreCard.playable
total: Callable[[ScoreCard], int] = ScoreCard.total.fget  # type: ignore[attr-defined]
offers = Position.offers
keeps = Position.keeps
at_turn = Position.at_turn.__func__  # type: ignore[attr-defined]

MUTANTS: dict[str, tuple[str, Any, str]] = {
    "the upper bonus is paid only at the end": (
        "game.card.ScoreCard.upper_bonus",
        lambda card, column=0: upper_bonus(card, column) if card.is_complete else 0,
        "gives a total of",
    ),
    "the extra bonus is counted twice": (
        "game.card.ScoreCard.fill",
        lambda card, *args, bonus, **rest: fill(card, *args, bonus=2 * bonus, **rest),
        "changes the extra bonuses from 0 to 2",
    ),
    "the extra bonus is paid after a zero": (
        "game.card.ScoreCard.pays_extra",
        ScoreCard.is_extra,
        "brings the bonus 100",
    ),
    "a filled box is offered": (
        "game.card.ScoreCard.playable",
        lambda card: list(range(len(card.boxes))),
        "yahtzee is offered in yahtzee yahtzee=",
    ),
    "the first box is never offered": (
        "game.card.ScoreCard.playable",
        lambda card: playable(card)[1:],
        "ones is not offered in yahtzee - ",
    ),
    "a scorer returns other points": (
        "rulesets.box.Category.score",
        lambda category, dice: score(category, dice) + (category.id == "chance"),
        "chance scores 6 with 11111; it can pay 5",
    ),
    "an offer brings other points": (
        "game.position.Position.offers",
        lambda position: [replace(offer, points=offer.points + 1) for offer in offers(position)],
        "score ones brings 1 in yahtzee - 55555 r2, where ones can pay 5, 10, 15, 20, 25",
    ),
    "an offer is listed twice": (
        "game.position.Position.offers",
        lambda position: 2 * offers(position),
        "is listed twice",
    ),
    "one keep is missing": (
        "game.position.Position.keeps",
        lambda position: keeps(position)[1:],
        "the keeps are not those of the dice",
    ),
    "the same seat moves again": (
        "game.position.Position.at_turn",
        classmethod(lambda cls, ruleset, cards, seat: at_turn(cls, ruleset, cards, 0)),
        "is followed by seat 0",
    ),
    "unused rolls are saved against the rules": (
        "game.card.ScoreCard.fill",
        lambda card, *args, saved, **rest: fill(card, *args, saved=1, **rest),
        "saves 1 rolls",
    ),
    "the notation forgets the bonuses": (
        "game.card.ScoreCard.__str__",
        lambda card: ",".join(f"{box.id}={points}" for box, points in card.entries()) or "-",
        "is read as something else",
    ),
    "a joker without an extra yahtzee": (
        "game.action.rule_on",
        lambda card, dice: Ruling(tuple(card.playable()), frozenset({9, 10})),
        "small_straight .* in yahtzee - ",
    ),
    "every seat wins": (
        "game.position.Position.winners",
        property(lambda position: tuple(range(len(position.cards)))),
        "the winners of",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_engine_is_detected(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, mutant, sentence = MUTANTS[name]
    monkeypatch.setattr(f"fivedice.{place}", mutant)
    with pytest.raises(AssertionError, match=sentence):
        check_ruleset(replace(YAHTZEE, examples=(), file=None))  # only play can reveal the fault


def test_a_first_roll_that_does_not_win_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Position, "offers", lambda position: [replace(offer, wins=False) for offer in offers(position)])
    with pytest.raises(AssertionError, match=r"score pair does not win in tiny_first_roll"):
        check_ruleset(TINY["tiny_first_roll"])


BROKEN: dict[str, tuple[Ruleset, str]] = {
    "two boxes with one id": (
        replace(YAHTZEE, categories=(*YAHTZEE.categories, YAHTZEE.categories[0]), file=None),
        "two boxes share an id among ones, twos,",
    ),
    "more rounds than boxes": (replace(YAHTZEE, rounds=14, file=None), "14 rounds cannot fill 13 boxes"),
    "other rules than its text": (replace(YAHTZEE, extra_bonus=50), "its text has the digest"),
    "another name than its text": (replace(YAHTZEE, options=(("joker", "forced"),)), "its text makes yahtzee"),
    "an example that is wrong": (
        replace(YAHTZEE, examples=(Example("Two ones score 2", (1, 1, 3, 4, 5), "ones", 3),)),
        "'Two ones score 2': ones is (2, 0) in yahtzee - 11345 r0, not (3, 0)",
    ),
    "a category with negative points": (
        replace(YAHTZEE, categories=(replace(YAHTZEE.categories[12], pays=-5),), rounds=1, examples=(), file=None),
        "lowers the total from 0 to -5",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_ruleset_is_detected(name: str) -> None:
    ruleset, sentence = BROKEN[name]
    with pytest.raises(AssertionError, match=re.escape(sentence)):
        check_ruleset(ruleset)


def test_random_games_depend_on_their_seed_and_earn_both_bonuses() -> None:
    assert playthrough(YAHTZEE, Random(7), 3, 1) == playthrough(YAHTZEE, Random(7), 3, 1)
    cards = [playthrough(YAHTZEE, Random(seed)).positions[-1].card for seed in range(20)]
    assert any(card.upper_bonus() for card in cards)
    assert any(card.extras for card in cards)


@settings(derandomize=True, deadline=None, max_examples=amount(15, full=100))
@given(games())
def test_a_game_starts_with_empty_cards_and_ends_by_legal_actions(game: Playthrough) -> None:
    assert all(card.num_filled == 0 for card in game.positions[0].cards)
    assert game.positions[-1].is_over
    for position, action in zip(game.positions[:-1], game.actions, strict=True):
        assert action in position.actions() if position.dice else action is None


def seen(strategy: SearchStrategy[Ruleset]) -> set[str]:
    """The kinds of rules that occur in a strategy's rulesets."""
    kinds: set[str] = set()

    @settings(derandomize=True, deadline=None, max_examples=150)
    @given(strategy)
    def collect(ruleset: Ruleset) -> None:
        categories = ruleset.categories
        occurs = {
            "columns": len(ruleset.columns) > 1,
            "first_rolls": any(c.first_roll_bonus or c.first_roll_wins for c in categories),
            "jokers": ruleset.joker is not Joker.NONE or ruleset.extra_bonus > 0,
            "options": bool(ruleset.options),
            "orders": any(column.order != "free" for column in ruleset.columns),
            "rounds": ruleset.rounds < len(ruleset.boxes),
            "saved_rolls": ruleset.saved_rolls,
            "sections": any((c.section == "upper") != (c.scorer == "sum_of_face") for c in categories),
            "tiers": len(ruleset.upper_bonus) > 1,
            "voluntary_zero": ruleset.voluntary_zero,
        }
        kinds.update(kind for kind, has_kind in occurs.items() if has_kind)
        assert 1 <= ruleset.dice <= 3
        assert 2 <= ruleset.faces <= 4
        assert 2 <= len(ruleset.boxes) <= 4

    collect()
    return kinds


KINDS = {"columns", "first_rolls", "jokers", "options", "rounds", "saved_rolls", "sections", "tiers", "voluntary_zero"}


@pytest.mark.parametrize("orders", [False, True])
def test_random_rulesets_have_every_kind_of_rule(orders: bool) -> None:
    assert seen(rulesets(orders=orders)) == KINDS | ({"orders"} if orders else set())


@settings(derandomize=True, deadline=None, max_examples=50)
@given(
    rulesets(max_dice=1, max_faces=2, max_boxes=2),
    positions(TINY["tiny_plain"], max_seats=2),
    games(YAHTZEE, max_seats=1, max_steps=5),
)
def test_rulesets_positions_and_games_can_be_limited_further(
    ruleset: Ruleset, position: Position, game: Playthrough
) -> None:
    assert (ruleset.dice, ruleset.faces, len(ruleset.boxes)) == (1, 2, 2)
    assert position.ruleset is TINY["tiny_plain"]
    assert len(position.cards) <= 2
    assert len(game.actions) == 5
