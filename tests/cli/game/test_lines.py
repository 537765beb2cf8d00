"""The ending of a game: winner, margin, totals and earlier games."""

import pytest

from fivedice.cli.game.lines import headline
from fivedice.game.action import Score
from fivedice.game.notation import parse_position
from fivedice.game.record import Record, Seat
from fivedice.rulesets import load_ruleset

DATE = "2026-11-21T10:00:00+00:00"


def ended(*totals: int) -> Record:
    """A finished game of Yacht, in which the seats have these totals, from 4 to 30, in the box Choice alone."""
    boxes = load_ruleset("yacht").boxes
    cards = [",".join(f"{box.id}={total if box.id == 'choice' else 0}" for box in boxes) for total in totals]
    position = parse_position(f"yacht {'/'.join(cards)} - r3")
    seats = tuple(Seat(f"p{number}", "human") for number in range(len(totals)))
    return Record(seats, 0, DATE, position)


@pytest.mark.parametrize(
    ("totals", "you", "sentence"),
    [
        ((30,), 0, "You scored 30 points."),
        ((30, 18), 0, "You won by 12 points."),
        ((18, 30), 0, "You lost by 12 points."),
        ((18, 30), None, "Ben won by 12 points."),
        ((30, 18, 29), 0, "You won by 1 point."),
        ((18, 30, 29), 2, "You lost by 1 point."),
        ((20, 20), 0, "You share the victory with Ben."),
        ((20, 20, 10), None, "Ann and Ben share the victory."),
        ((10, 20, 20), 0, "Ben and Cleo share the victory."),
    ],
)
def test_the_headline_says_who_won_and_by_how_much(totals: tuple[int, ...], you: int | None, sentence: str) -> None:
    names = ["You" if seat == you else name for seat, name in enumerate(("Ann", "Ben", "Cleo")[: len(totals)])]
    assert headline(ended(*totals), names, you) == sentence


def test_a_game_won_on_a_first_roll_has_no_margin() -> None:
    record = Record.start(
        load_ruleset("generala[first_roll_generala=wins]"), (Seat("Ann", "human"), Seat("Ben", "human")), DATE
    )
    record = record.roll((3, 3, 3, 3, 3)).play(Score("generala"))
    assert headline(record, ["You", "Ben"], 0) == "You won on a first roll."
