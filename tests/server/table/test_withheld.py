"""Positions of a game in progress on which its table allows no advice."""

import msgspec
import pytest

from fivedice.game.card import ScoreCard
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.server.table.create import NewTable
from fivedice.server.table.events import Help
from fivedice.server.table.to_record import record_of
from fivedice.server.table.withheld import is_withheld
from tests.server.scripted import SECRET, Live, Scripted, people

DICE = {(turn, roll): "33456" for turn in range(30) for roll in range(3)}


def playing(help: Help, *names: str) -> Live:
    """Ann has kept 33 and has one roll left."""
    wanted = msgspec.structs.replace(NewTable(seats=people(*names or ("Ann", "Bob"))), help=help)
    game = Live(wanted, chance=Scripted(DICE))
    game.do(game.roll())
    game.do(game.roll("xx..."))
    return game


def state_of(card: ScoreCard) -> object:
    """What values depend on in these tests: the open boxes and the upper total."""
    return tuple(points is None for points in card.boxes), card.section_total("upper", 0)


def withheld(game: Live, line: str, *, is_exact: bool = False) -> bool:
    decisions = record_of(game.table, game.events, SECRET).decisions()
    earlier: list[Position] = [position for _, position, _ in decisions]
    return is_withheld(game.table, parse_position(line), state_of, earlier, is_exact=is_exact)


@pytest.mark.parametrize(
    ("line", "is_part"),
    [
        ("yahtzee -/- 33456 r1", True),
        ("yahtzee - 33456 r1", True),
        ("yahtzee - 11111 r0", True),
        ("yahtzee threes=6 - r3", True),
        ("yahtzee chance=21 33456 r2", False),
        ("yahtzee - 33455 r1", False),
        ("yahtzee - 11111 r2", False),
        ("yahtzee - - r3", False),
        ("yahtzee threes=9 - r3", False),
        ("yahtzee chance=20,threes=6 33456 r1", False),
    ],
)
@pytest.mark.parametrize("help", ["none", "after"])
def test_the_turn_being_decided_and_what_follows_in_it_is_withheld(help: Help, line: str, is_part: bool) -> None:
    assert withheld(playing(help), line) == is_part
    assert not withheld(playing("always"), line)


def test_a_score_is_withheld_until_it_is_final_and_without_advice_until_the_end() -> None:
    settings: list[tuple[Help, bool]] = [("none", True), ("after", False)]
    for help, is_final_withheld in settings:
        game = playing(help, "Ann")
        game.do(game.score("chance"))
        assert withheld(game, "yahtzee - 33456 r1"), "it can be taken back"
        game.do(game.roll())
        assert withheld(game, "yahtzee - 33456 r1") == is_final_withheld
        assert not withheld(game, "yahtzee - 11111 r1"), "nobody rolled that"
        assert withheld(game, "yahtzee chance=21 33456 r2"), "it is the next decision"


def test_somebody_at_the_same_address_may_ask_for_what_can_follow() -> None:
    game = playing("none")
    assert withheld(game, "yahtzee - 33456 r1", is_exact=True)
    assert withheld(game, "yahtzee - 33456 r2", is_exact=True)
    assert not withheld(game, "yahtzee - 11111 r0", is_exact=True)
    assert not withheld(game, "yahtzee threes=6 - r3", is_exact=True)


def test_nothing_is_withheld_after_the_game() -> None:
    wanted = NewTable(seats=people("Ann"), rules="yahtzee[rounds=1]")
    game = Live(wanted, chance=Scripted(DICE))
    game.do(game.roll())
    line = str(game.table.position)
    assert withheld(game, line)
    game.do(game.score("chance"))
    assert not withheld(game, line)
