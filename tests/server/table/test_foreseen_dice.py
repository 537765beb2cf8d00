"""Logs of earlier versions, in which scores were taken back after dice of a person's seat were rolled, replay."""

import pytest

from fivedice.game.record import parse_record
from fivedice.game.verification import verify_record
from fivedice.server.table.apply import apply, replay
from fivedice.server.table.create import NewTable
from fivedice.server.table.to_record import record_of
from fivedice.server.table.verbs import Closed, Undone
from tests.server.scripted import SECRET, Live, computers, people
from tests.server.table.two_players import close, return_to, stand_in


def play_on(game: Live, num_steps: int) -> None:
    """Let computer players take this many steps; they roll once and fill the first box."""
    for _ in range(num_steps):
        assert game.let_computer_act()


def scored() -> Live:
    """A game against a computer player in which Ann has scored."""
    game = Live(NewTable(seats=[*people("Ann"), *computers("random")]))
    game.do(game.roll())
    game.do(game.score("chance"))
    return game


def test_a_log_of_an_earlier_version_replays_and_its_record_says_what_was_foreseen() -> None:
    game = scored()
    game.do(stand_in(game, 0, "random"))
    play_on(game, 7)
    game.do(return_to(game, 0))
    game.append(Undone(at=game.now, seat=0))
    assert game.table.turn == replay(game.events[:2]).turn
    game.do(game.score("ones"))
    play_on(game, 2)
    game.do(close(game, 0))
    assert replay(game.events) == game.table
    verification = verify_record(parse_record(str(record_of(game.table, game.events, SECRET))))
    assert verification.problems == ()
    assert [str(undone) for undone in verification.foreseen] == ["turn 0, score chance, after rolls of seat 0, seat 1"]


def test_nothing_can_be_taken_back_twice_or_after_the_end_in_a_log_of_an_earlier_version() -> None:
    for last in (Undone(at=1.0, seat=0), Closed(at=1.0)):
        game = scored()
        game.do(stand_in(game, 0, "random"))
        play_on(game, 3)
        game.do(return_to(game, 0))
        game.append(last)
        with pytest.raises(ValueError, match="seat 0 has no score to take back"):
            apply(game.table, Undone(at=2.0, seat=0))
