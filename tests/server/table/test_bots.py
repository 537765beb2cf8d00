"""Computer players at a table: one step at a time, in their own time."""

import random

from fivedice.game.action import Action, Keep, Score
from fivedice.game.position import Position
from fivedice.players import Greedy
from fivedice.server.table.bots import bot_step, due_at, is_bots_turn
from fivedice.server.table.commands import StandIn
from fivedice.server.table.create import NewTable
from fivedice.server.table.events import Rolled, RolledOff, Scored
from tests.server.scripted import NOW, Live, Scripted, computers, people

DICE = {(turn, roll): "33436" for turn in range(30) for roll in range(3)}
PACE = 0.5


def greedy(kind: str, position: Position) -> Action:
    assert kind == "greedy"
    return Greedy().choose(position)


def step(game: Live) -> Rolled | Scored | RolledOff | None:
    event = bot_step(game.table, greedy, game.chance, game.now)
    if event is not None:
        game.append(event)
    return event


def test_a_table_of_computer_players_plays_itself_to_the_end() -> None:
    game = Live(NewTable(seats=computers("greedy", "greedy"), first="highest_roll", rules="yahtzee[rounds=2]"))
    assert isinstance(step(game), RolledOff)
    while event := step(game):
        assert not isinstance(event, RolledOff)
        assert event.by == "greedy"
    assert game.table.position.is_over
    assert due_at(game.table, PACE) is None


def test_a_computer_player_rolls_keeps_in_place_and_scores() -> None:
    game = Live(NewTable(seats=[*computers("greedy"), *people("Ann")]), chance=Scripted({**DICE, (0, 1): "66616"}))
    chosen: list[Action] = [Keep((3, 3, 3)), Score("full_house")]
    steps = []
    for _ in range(3):
        event = bot_step(game.table, lambda kind, position: chosen.pop(0), game.chance, NOW)
        assert event
        game.append(event)
        steps.append(event)
    assert steps[0] == Rolled(at=NOW, seat=0, dice=[3, 3, 4, 3, 6], kept=[], by="greedy")
    assert steps[1] == Rolled(at=NOW, seat=0, dice=[3, 3, 6, 3, 6], kept=[True, True, False, True, False], by="greedy")
    assert steps[2] == Scored(at=NOW, seat=0, box="full_house", points=25, by="greedy")
    assert step(game) is None


def test_a_computer_player_does_nothing_while_it_cannot_decide() -> None:
    game = Live(NewTable(seats=computers("optimal")))
    game.append(bot_step(game.table, lambda kind, position: None, game.chance, NOW) or game.events[0])
    assert isinstance(game.events[-1], Rolled)
    assert bot_step(game.table, lambda kind, position: None, game.chance, NOW) is None


def test_people_roll_for_who_begins_themselves() -> None:
    game = Live(NewTable(seats=[*people("Ann"), *computers("greedy")], first="highest_roll"))
    assert not is_bots_turn(game.table)
    assert step(game) is None
    game.do(StandIn(id=game.new_id(), version=1, seat=0))
    assert isinstance(step(game), RolledOff)


def test_an_open_table_waits_for_people() -> None:
    game = Live(NewTable(seats=[*computers("greedy"), *people("")]))
    assert (step(game), due_at(game.table, PACE)) == (None, None)


def test_the_first_dice_wait_for_nonces_and_a_roll_for_second_thoughts() -> None:
    game = Live(NewTable(seats=[*computers("greedy"), *people("Ann", "")]), chance=Scripted(DICE))
    game.now += 100
    game.do(game.sit(2, "Bob"))
    assert due_at(game.table, PACE) == game.now + 5 * PACE
    step(game)
    assert due_at(game.table, PACE) == game.now + PACE
    while step(game):
        pass
    assert due_at(game.table, PACE) is None
    for command in (game.roll, lambda: game.score("chance"), game.roll):
        game.do(command())
    game.now += 7
    game.do(game.score("ones"))
    assert due_at(game.table, PACE) == game.now + 3 * PACE
    game.do(game.undo(2))
    assert due_at(game.table, PACE) is None


def test_a_stand_in_plays_on_with_the_dice_as_they_lie() -> None:
    game = Live(NewTable(seats=people("Ann")), chance=Scripted({(0, 0): "33436", (0, 1): "21222", (0, 2): "55555"}))
    game.do(game.roll())
    game.do(game.roll(".x.x."))
    game.do(StandIn(id=game.new_id(), version=game.table.version, seat=0, turns=1))
    chosen: list[Action] = [Keep((2, 2, 3)), Score("twos")]
    event = bot_step(game.table, lambda kind, position: chosen.pop(0), game.chance, NOW)
    # The 3 in the second place was kept before: it is the one that stays.
    assert event == Rolled(at=NOW, seat=0, dice=[2, 3, 2, 5, 5], kept=[True, True, True, False, False], by="greedy")


def test_random_players_only_take_legal_steps() -> None:
    chance = random.Random(3)
    game = Live(NewTable(seats=computers("random", "random", "random"), rules="triple_yahtzee[rounds=3]"))
    while event := bot_step(game.table, lambda kind, position: chance.choice(position.actions()), game.chance, NOW):
        game.append(event)
    assert game.table.position.is_over
