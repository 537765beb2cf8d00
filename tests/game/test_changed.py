"""`changed`: an editor of positions can set one part, and keeps all the others."""

from random import Random

import pytest

from fivedice.base.errors import IllegalError, UnknownError
from fivedice.game.changed import CardEntries, changed
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.testing import playthrough

WILD = "yahtzee_wild[first_yahtzee=in_box]"


@pytest.mark.parametrize("id", ruleset_ids())
def test_every_position_of_a_game_survives_being_edited(id: str) -> None:
    for position in playthrough(load_ruleset(id), Random(7), 2).positions[:-1]:
        rolls_left = position.rolls_left if position.dice else None
        dice = tuple(reversed(position.dice))
        assert changed(position, None, dice, rolls_left) == position
        assert changed(position, CardEntries.of(position.card), dice, rolls_left) == position


def test_a_card_keeps_what_it_notes_while_it_fits() -> None:
    yamb = Position.parse("yamb announced=fives_announced 33455 r1")
    entries = CardEntries.of(yamb.card)
    assert "announced=fives_announced" in str(changed(yamb, entries, (1, 2, 3, 4, 5), 0))
    assert "announced" not in str(changed(yamb, entries, (), None))
    elsewhere = Position.parse(f"{WILD} fours=20,elsewhere=1 33455 r1")
    entries = CardEntries.of(elsewhere.card)
    assert "elsewhere=1" in str(changed(elsewhere, entries, (1, 1, 1, 1, 1), 2))
    emptied = CardEntries({}, notes=("elsewhere=1",))
    assert str(changed(elsewhere, emptied, (1, 1, 1, 1, 1), 2)) == f"{WILD} - 11111 r2"


@pytest.mark.parametrize(
    ("line", "entries", "after"),
    [
        ("yahtzee ones=3/ones=2 33456 r2", {"twos": 4}, "yahtzee twos=4/ones=2 11111 r2"),
        ("yahtzee ones=3/ones=2 33456 r2", {"ones": 3, "twos": 4}, "yahtzee ones=3,twos=4 11111 r2"),
        ("yahtzee[rounds=1] - 33456 r2", {"ones": 3}, "yahtzee[rounds=1] ones=3 - r3"),
    ],
)
def test_the_other_cards_stay_while_their_turns_fit_and_a_full_card_has_no_dice(
    line: str, entries: dict[str, int], after: str
) -> None:
    assert str(changed(Position.parse(line), CardEntries(entries), (1, 1, 1, 1, 1), 2)) == after


def test_what_no_card_can_hold_is_refused() -> None:
    position = Position.parse("yahtzee - 33456 r2")
    with pytest.raises(IllegalError, match="ones=99: Ones can hold"):
        changed(position, CardEntries({"ones": 99}), (), None)
    with pytest.raises(UnknownError, match="has no box"):
        changed(position, CardEntries({"nines": 9}), (), None)
