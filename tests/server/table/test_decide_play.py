"""Decisions on rolls, scores and undo, and the tutor's question."""

import msgspec
import pytest

from fivedice.game import action as game_action
from fivedice.game.position import Position
from fivedice.players.levels import LEVELS
from fivedice.server.table.answers import Accepted, Refused
from fivedice.server.table.apply import replay
from fivedice.server.table.create import NewTable
from fivedice.server.table.event import Help
from fivedice.server.table.tutor import LossOf, threshold
from fivedice.server.table.verbs.play import Scored
from fivedice.views.action import ActionParts
from tests.server.scripted import DICE, Live, Scripted, computers, people


def third_round(loss_of: LossOf) -> Live:
    game = Live(NewTable(seats=people("Ann"), help="tutor"), chance=Scripted(DICE), loss_of=loss_of)
    for box in ("yahtzee", "large_straight"):
        game.do(game.roll())
        game.do(game.score(box))
    game.do(game.roll())
    return game


def test_the_tutor_refuses_a_decision_that_costs_more_than_its_threshold() -> None:
    asked: list[tuple[str, str]] = []

    def loss_of(position: Position, action: game_action.Action) -> tuple[float, game_action.Action] | None:
        asked.append((str(position), str(action)))
        return (5.6 if action == game_action.Score("ones") else 3.4), game_action.Keep((3, 4, 5, 6))

    game = third_round(loss_of)
    asked.clear()
    command = game.score("ones")
    answer = game.send(command)
    best, asked_for = ActionParts("keep", [3, 4, 5, 6]), ActionParts("score", box="ones")
    detail = "score ones costs 5.60 points"
    assert answer == Refused(
        command.id, 6, "costly", detail, 5.6, "keep 3456", best_parts=best, asked="score ones", asked_parts=asked_for
    )
    assert game.send(command) == answer
    game.do(game.roll(".x.xx"))  # a loss within the threshold
    assert asked[-1] == ("yahtzee large_straight=0,yahtzee=0 33456 r2", "keep 356")
    assert game.refusal(game.score("nines"))[1].startswith("score nines: the card has no box nines")
    game.do(game.score("ones", anyway=True))


def test_the_tutors_questions_and_what_they_changed_are_counted_at_the_seat() -> None:
    bad = (game_action.Score("ones"), game_action.Score("twos"))
    game = third_round(lambda _, action: (9.0 if action in bad else 0.0, game_action.Score("chance")))
    for box in ("ones", "ones", "twos"):
        assert game.refusal(game.score(box))[0] == "costly"
    chosen = game.do(game.score("chance"))
    assert isinstance(chosen, Scored)
    assert (chosen.asked, chosen.changed) == (2, True)
    game.do(game.undo(0))
    kept = game.do(game.score("ones", anyway=True))
    assert isinstance(kept, Scored)
    assert (kept.asked, kept.changed) == (2, False)
    game.do(game.roll())
    game.do(game.score("twos"))  # it has asked often enough
    assert [(seat.asked, seat.changed) for seat in game.table.seats] == [(4, 1)]
    assert replay(game.events) == game.table


def test_a_beginners_whole_game_has_at_most_three_questions_and_none_in_its_first_two_turns() -> None:
    wanted = NewTable(seats=[*people("Ann"), *computers("level_3")], help="tutor")
    game, rounds = Live(wanted, loss_of=lambda position, action: (10.0, action)), []
    while not game.table.has_ended:
        if game.let_computer_act():
            continue
        game.do(game.roll())
        command = game.score(game.table.position.offers()[0].action.box)
        if not isinstance(game.send(command), Accepted):
            rounds.append(game.table.position.round)
            game.do(msgspec.structs.replace(command, id=game.new_id(), anyway=True))
    assert rounds == [3, 4, 5]


def test_the_stronger_the_opponent_the_smaller_the_mistakes_that_the_tutor_asks_about() -> None:
    kinds = (*LEVELS, "optimal")
    found = {kind: threshold(Live(NewTable([*people("Ann"), *computers(kind)])).table) for kind in kinds}
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert (round(found["level_1"]), found["level_9"], found["optimal"]) == (7, 2.0, 2.0)
    assert found["level_5"] == threshold(Live(NewTable(people("Ann"))).table)


@pytest.mark.parametrize(
    ("help", "loss_of"),
    [
        *((help, lambda _, action: (9.0, action)) for help in ("none", "after", "always")),
        ("tutor", lambda _, action: None),
        ("tutor", None),
    ],
)
def test_the_tutor_is_silent_with_other_help_and_where_the_loss_is_unknown(help: Help, loss_of: LossOf | None) -> None:
    game = Live(NewTable(seats=people("Ann"), help=help), chance=Scripted(DICE), loss_of=loss_of)
    game.do(game.roll())
    game.do(game.score("ones"))


def test_the_tutor_says_that_a_win_is_given_away() -> None:
    wanted = NewTable(seats=people("Ann"), rules="generala[first_roll_generala=wins]", help="tutor")
    best = game_action.Score("generala")
    game = Live(
        wanted, chance=Scripted({(0, 0): "44444"}), loss_of=lambda _, action: (0 if action == best else 900, best)
    )
    game.do(game.roll())
    answer = game.send(game.score("fours"))
    assert isinstance(answer, Refused)
    assert (answer.gives_away_win, answer.best) == (True, "score generala")
    assert answer.detail == "score fours gives away a win"
    game.do(game.score("generala"))
