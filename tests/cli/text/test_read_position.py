"""Positions as people type them."""

import json

import pytest

from fivedice.base.errors import MalformedError
from fivedice.cli.text.read_position import read_position
from tests.cli.run_command import fivedice


@pytest.mark.parametrize(
    ("typed", "position"),
    [
        ("64646", "yahtzee - 44666 r2"),
        ("6 4 6 4 6", "yahtzee - 44666 r2"),
        ("6,4,6,4,6", "yahtzee - 44666 r2"),
        ("44666 R1", "yahtzee - 44666 r1"),
        ("yahtzee[joker=free] 66123", "yahtzee[joker=free] - 12366 r2"),
        ("yahtzee yahtzee=50,threes=9,+1 33333", "yahtzee threes=9,yahtzee=50,+1 33333 r2"),
        ("maxi_yatzy[saved_rolls=true] ones=1,saved=2 666666", "maxi_yatzy[saved_rolls=true] ones=1,saved=2 666666 r4"),
    ],
)
def test_what_is_missing_is_that_of_a_new_game(typed: str, position: str) -> None:
    read, note = read_position([typed])
    assert str(read) == position
    assert note.startswith('Read as "')
    assert read_position(typed.split())[0] == read


def test_notation_is_read_without_a_note_and_split_notation_with_advice() -> None:
    assert read_position(["yahtzee - 33456 r2"])[1] == ""
    _, note = read_position(["yahtzee", "-", "33456", "r2"])
    assert note == "Put quotes around a position, so that your shell leaves it alone: 'yahtzee - 33456 r2'"


@pytest.mark.parametrize(
    ("typed", "error", "sentence"),
    [
        ("40666", MalformedError, "write the faces as digits 1 to 9"),
        ("yahtzee crag 44666", MalformedError, "or only the dice, as in 33456"),
        ("- - - 44666", MalformedError, "or only the dice, as in 33456"),
        ("", MalformedError, "or only the dice, as in 33456"),
    ],
)
def test_a_wrong_position_is_refused_with_a_reason(typed: str, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        read_position([typed])


def test_commands_say_how_a_position_was_read() -> None:
    note = 'Read as "yahtzee - 44666 r2": a new game of Yahtzee, 2 rolls left.'
    assert fivedice("legal", "64646").out.startswith(f"{note}\n\nscore ones ")
    result = fivedice("legal", "64646", "--json")
    assert result.err == f"{note}\n\n"
    assert json.loads(result.out)["position"] == "yahtzee - 44666 r2"
    assert fivedice("advise", "crag", "5", "4", "4", "r0", "--top", "1").out.startswith(
        'Read as "crag - 445 r0": a new game of Crag, 0 rolls left.\n\n'
    )


def test_kismets_colours_are_in_the_advice(shared_cache: None) -> None:
    assert "\nkeep 2r 2r 5r 5r " in fivedice("advise", "kismet 25523", "--top", "3").out
