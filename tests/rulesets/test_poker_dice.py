"""Poker Dice: its rounds, named faces in texts and input, and exact play."""

import pytest

from fivedice import load_ruleset, parse_position
from fivedice.base.errors import IllegalError, MalformedError
from fivedice.cli.game.input import typed_action
from fivedice.cli.game.lines import dice_line
from fivedice.rulesets import parse_ruleset
from fivedice.rulesets.explanation.dice import dice_in_words, dice_text


def test_the_option_puts_straights_above_full_houses() -> None:
    above = load_ruleset("poker_dice[straight=above]").categories[0]
    assert above.score((1, 2, 3, 4, 5)) > above.score((5, 5, 6, 6, 6))
    assert above.score((2, 3, 4, 5, 6)) < above.score((1, 1, 1, 1, 2))


def test_faces_have_their_names_in_texts_and_their_digits_in_notation() -> None:
    rules, position = load_ruleset("poker_dice"), parse_position("poker_dice - 11346 r2")
    assert dice_text(rules, position.dice) == "9 9 J Q A"
    assert dice_in_words(rules, (2, 2)) == "10 10"
    assert dice_line(position) == "Dice: 9 9 J Q A; 2 rolls left."
    assert str(position) == "poker_dice - 11346 r2"


@pytest.mark.parametrize("typed", ["9 9", "99", "keep 9,9", "11", "keep 1 1"])
def test_dice_may_be_typed_by_name_or_by_digit(typed: str) -> None:
    assert str(typed_action(typed, parse_position("poker_dice - 11346 r2"))) == "keep 11"


def test_names_may_be_typed_in_small_letters_and_next_to_each_other() -> None:
    position = parse_position("poker_dice - 12346 r2")
    assert str(typed_action("aj10", position)) == "keep 236"
    with pytest.raises(IllegalError, match="does not contain 5"):
        typed_action("keep k", position)


@pytest.mark.parametrize(
    ("faces", "message"),
    [
        ('["2", "1"]', "in notation this is the face 2, not 1"),
        ('["A"]', "2 to 20 different names"),
        ('["A", "a"]', "2 to 20 different names"),
        ('["A", "B C"]', "one to three letters or digits"),
        ('["A", "Jack"]', "one to three letters or digits"),
        ("[1, 2]", "want a list of texts"),
    ],
)
def test_names_that_could_be_mistaken_are_refused(faces: str, message: str) -> None:
    with pytest.raises(MalformedError, match=message):
        parse_ruleset(f'id = "bad"\nfaces = {faces}\n[categories]\nany = {{ scorer = "any_dice" }}')


def test_a_hand_of_poker_needs_three_dice_and_pays_its_rank() -> None:
    with pytest.raises(MalformedError, match="needs at least 3 dice"):
        parse_ruleset('id = "bad"\ndice = 2\n[categories]\nhand = { scorer = "poker_hand" }')
    with pytest.raises(MalformedError, match='want "rank"'):
        parse_ruleset('id = "bad"\n[categories]\nhand = { scorer = "poker_hand", pays = 5 }')


def test_the_names_of_faces_change_no_digest() -> None:
    plain = parse_ruleset('id = "plain"\nlike = "poker_dice"\nfaces = 6')
    assert plain.digest == load_ruleset("poker_dice").digest
