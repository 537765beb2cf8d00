"""Nobody takes a score back after dice of a person's seat were rolled: the known attacks one by one."""

import pytest

from fivedice.game.record import parse_record
from fivedice.game.verification import verify_record
from fivedice.server.table.apply import apply, replay
from fivedice.server.table.bots import bot_step
from fivedice.server.table.create import NewTable
from fivedice.server.table.to_record import record_of
from fivedice.server.table.verbs import Closed, Undone
from fivedice.server.table.view import view
from tests.server.scripted import SECRET, Live, computers, people
from tests.server.table.two_players import close, return_to, stand_in

FINAL = (
    "illegal",
    "this seat has no score to take back: that is possible until the next roll or score at a person's seat",
)


def play_on(game: Live, num_steps: int) -> None:
    """Let computer players take this many steps; they roll once and fill the first box."""
    for _ in range(num_steps):
        step = bot_step(game.table, lambda kind, here: here.offers()[0].action, game.chance, game.now)
        assert step
        game.append(step.event)


def can_undo(game: Live) -> list[int]:
    return view(game.table, secret=SECRET).can_undo


def scored(*seats: str, rules: str = "yahtzee") -> Live:
    """A game in which Ann has scored; the seats after hers belong to people, or to computers named random."""
    wanted = [seat for name in seats for seat in (computers(name) if name == "random" else people(name))]
    game = Live(NewTable(seats=[*people("Ann"), *wanted], rules=rules))
    game.do(game.roll())
    game.do(game.score("chance"))
    return game


def test_a_score_is_final_once_a_stand_in_has_rolled_for_the_seat() -> None:
    game = scored("random")
    game.do(stand_in(game, 0, "random"))
    play_on(game, 2)  # the turn of the computer player
    game.do(return_to(game, 0))
    assert can_undo(game) == [0]
    game.do(stand_in(game, 0, "random"))
    play_on(game, 1)
    game.do(return_to(game, 0))
    assert can_undo(game) == []
    assert game.refusal(game.undo(0)) == FINAL
    game.do(stand_in(game, 0, "random"))
    play_on(game, 9)
    game.do(return_to(game, 0))
    assert game.refusal(game.undo(0)) == FINAL


@pytest.mark.parametrize("turns", [0, 1])
def test_a_score_is_final_once_a_stand_in_has_rolled_for_another_person(turns: int) -> None:
    game = scored("random", "Bob")
    game.do(stand_in(game, 2, "random", turns))
    play_on(game, 2)
    assert can_undo(game) == [0]
    for _ in range(2):
        play_on(game, 1)
        assert can_undo(game) == []
        assert game.refusal(game.undo(0)) == FINAL


def test_a_log_of_an_earlier_version_replays_and_its_record_says_what_was_foreseen() -> None:
    game = scored("random")
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
        game = scored("random")
        game.do(stand_in(game, 0, "random"))
        play_on(game, 3)
        game.do(return_to(game, 0))
        game.append(last)
        with pytest.raises(ValueError, match="seat 0 has no score to take back"):
            apply(game.table, Undone(at=2.0, seat=0))
