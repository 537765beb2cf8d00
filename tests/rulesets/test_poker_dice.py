"""Poker Dice: its rounds, named faces in texts and input, and exact play."""

import pytest

from fivedice import load_ruleset, parse_position
from fivedice.base.errors import IllegalError
from fivedice.cli.game.input import typed_action
from fivedice.cli.game.lines import dice_line
from fivedice.rulesets import parse_ruleset
from fivedice.rulesets.explanation.dice import dice_in_words, dice_text


def test_faces_have_their_names_in_texts_and_their_digits_in_notation() -> None:
    rules, position = load_ruleset("poker_dice"), parse_position("poker_dice - 11346 r2")
    assert dice_text(rules, position.dice) == "9 9 J Q A"
    assert dice_in_words(rules, (2, 2)) == "10 10"
    assert dice_line(position) == "Dice: 9 9 J Q A; 2 rolls left."
    assert str(position) == "poker_dice - 11346 r2"


@pytest.mark.parametrize(
    ("typed", "dice", "kept"),
    [(typed, "11346", "11") for typed in ("9 9", "99", "keep 9,9", "11", "keep 1 1")] + [("aj10", "12346", "236")],
)
def test_dice_may_be_typed_by_name_also_in_small_letters_or_by_digit(typed: str, dice: str, kept: str) -> None:
    position = parse_position(f"poker_dice - {dice} r2")
    assert str(typed_action(typed, position)) == f"keep {kept}"
    with pytest.raises(IllegalError, match="does not contain 5"):
        typed_action("keep k", position)


def test_the_names_of_faces_change_no_digest() -> None:
    plain = parse_ruleset('id = "plain"\nlike = "poker_dice"\nfaces = 6')
    assert plain.digest == load_ruleset("poker_dice").digest
