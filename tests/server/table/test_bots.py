"""Computer players at a table act one step at a time: at once where people play, or else at their pace."""

from fivedice.game.action import Action, Keep, Score
from fivedice.game.position import Position
from fivedice.players import Greedy
from fivedice.server.table.create import NewTable
from fivedice.server.table.decide import Choose, due_at, is_bots_turn
from fivedice.server.table.event import Event
from fivedice.server.table.verbs.begin import AddNonce, RolledOff
from fivedice.server.table.verbs.play import Rolled
from tests.server.scripted import NOW, Live, Scripted, computers, people, run_out

DICE = {(turn, roll): "33436" for turn in range(30) for roll in range(3)}
PACE = 0.5


def greedy(kind: str, position: Position) -> Action:
    assert kind == "greedy"
    return Greedy().choose(position)


def act(game: Live, choose: Choose = greedy) -> Event | None:
    """Take the next step of the computer player to move, and return its event."""
    return game.let_computer_act(choose)


def test_a_computer_player_waits_while_it_has_no_action_and_for_people_at_the_beginning() -> None:
    game = Live(NewTable(seats=computers("optimal")))
    assert isinstance(act(game, lambda kind, position: None), Rolled)
    assert act(game, lambda kind, position: None) is None
    opening = Live(NewTable(seats=[*people("Ann"), *computers("greedy")], first="highest_roll", casual=True))
    assert (is_bots_turn(opening.table), act(opening)) == (False, None)
    assert isinstance(act(Live(NewTable(seats=computers("greedy", "random"), first="highest_roll"))), RolledOff)
    is_open = Live(NewTable(seats=[*computers("greedy"), *people("")]))
    assert (act(is_open), due_at(is_open.table, PACE, is_open.now)) == (None, None)


def test_computer_players_act_at_once_where_people_play_after_time_for_nonces() -> None:
    game = Live(NewTable(seats=[*computers("greedy"), *people("Ann", "")]), chance=Scripted(DICE))
    game.now += 100
    game.do(game.sit(2, "Bob"))
    assert due_at(game.table, PACE, game.now) == game.now + 5 * PACE
    for seat in (1, 2):
        game.do(game.command(AddNonce, seat=seat, nonce="0f"))
    assert due_at(game.table, PACE, game.now) == game.now
    while act(game):
        pass
    assert due_at(game.table, PACE, game.now) is None
    for command in (game.roll, lambda: game.score("chance"), game.roll, lambda: game.score("ones")):
        game.now += 7
        game.do(command())
    assert due_at(game.table, PACE, game.now) == game.now


def test_computer_players_keep_their_pace_where_nobody_else_plays() -> None:
    game = Live(NewTable(seats=computers("greedy")), chance=Scripted(DICE))
    assert due_at(game.table, PACE, game.now) == game.now + 5 * PACE
    act(game)
    assert due_at(game.table, PACE, game.now) == game.now + PACE


def test_a_stand_in_continues_with_the_dice_in_their_places() -> None:
    dice = {(0, 0): "33436", (0, 1): "21222", (0, 2): "55555"}
    game = Live(NewTable(seats=people("Ann", "Bob"), pace=60), chance=Scripted(dice))
    game.do(game.roll())
    game.do(game.roll(".x.x."))
    run_out(game)
    chosen: list[Action] = [Keep((2, 2, 3)), Score("twos")]
    # The 3 in the second place was kept before, so it stays.
    assert act(game, lambda kind, position: chosen.pop(0)) == Rolled(
        at=NOW + 60, seat=0, dice=[2, 3, 2, 5, 5], kept=[True, True, True, False, False], by="greedy"
    )
