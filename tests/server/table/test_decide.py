"""Decisions on commands: those that everybody may send, giving up, rolls, scores and undo, and the tutor's question."""

import msgspec
import pytest

from fivedice.game import action as game_action
from fivedice.game.position import Position
from fivedice.players.levels import LEVELS
from fivedice.server.table.answers import Accepted, Refused
from fivedice.server.table.create import NewTable, create_rematch
from fivedice.server.table.decide import is_bots_turn
from fivedice.server.table.event import Help
from fivedice.server.table.state import State
from fivedice.server.table.tutor import LossOf, threshold
from fivedice.server.table.verbs.begin import AddNonce, NonceAdded, RolledOff, RollOff, Sat
from fivedice.server.table.verbs.end import Close, Rematch, Rematched, Resign, Resigned
from fivedice.server.table.verbs.play import Scored
from fivedice.server.table.view import view
from fivedice.views.action import ActionParts
from tests.server.scripted import ANN, BOB, DICE, SECRET, Live, Scripted, computers, nonce, people, run_out, two_players


def test_a_command_is_made_against_the_newest_version_whatever_it_asks_for() -> None:
    game = two_players()
    late = game.roll(), game.score("ones")
    game.do(game.roll())
    for command, holds in ((late[0], BOB), *((one, frozenset({0, 1})) for one in late)):
        assert game.refusal(command, holds) == ("stale", "the table has moved on from version 1 to 2")
    early = AddNonce(id="abcdefgh", version=9, nonce="0f")
    assert game.refusal(early) == ("malformed", "the table never had version 9: it is at 2")


def test_only_the_first_rematch_is_accepted() -> None:
    game = Live(NewTable(seats=people("Ann", "Bob"), rules="yahtzee[rounds=1]", first="1"), chance=Scripted(DICE))
    assert game.refusal(game.command(Rematch, seat=0)) == ("illegal", "a rematch is possible after the game")
    for step in (game.roll, lambda: game.score("chance")) * 2:
        game.do(step())
    ann, bob = game.command(Rematch, seat=0), game.command(Rematch, seat=1)
    assert game.do(ann, ANN) == Rematched(at=game.now, seat=0, table="rematch1")
    assert game.refusal(bob, BOB)[0] == "stale"
    assert game.refusal(game.command(Rematch, seat=1), BOB) == ("illegal", "the rematch is at table rematch1")


def test_the_game_starts_when_every_seat_is_taken_and_only_its_holder_can_rename_one() -> None:
    game = Live(NewTable(seats=[*people("Ann", ""), *computers("greedy")]), chance=Scripted(DICE))
    assert game.refusal(game.roll()) == ("illegal", "the game begins when every seat is taken")
    assert game.refusal(game.sit(0, "Bob"), frozenset()) == ("not_yours", "seat 0 is not yours")
    assert game.refusal(game.sit(2, "Bob")) == ("illegal", "seat 2 belongs to a computer player")
    assert game.refusal(game.sit(1, "Ann")) == ("illegal", "Ann sits here already: take another name")
    assert game.refusal(game.sit(1, "a\nb")) == (
        "malformed",
        "a name cannot contain control characters, such as a line break",
    )
    game.do(game.sit(0, "Anna"), ANN)
    assert game.table.seats[0].name == "Anna"
    assert game.do(game.sit(1, " Bob  ", nonce="0f"), frozenset()) == Sat(at=game.now, seat=1, name="Bob", nonce="0f")
    assert game.table.nonces == ("seat 1 0f",)
    game.do(game.roll())


def test_any_seat_can_start_the_opening_roll() -> None:
    opening = [6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1]
    wanted = NewTable(seats=people("Ann", "Bob", ""), first="highest_roll")
    game = Live(wanted, chance=Scripted(DICE, opening))
    assert game.refusal(game.command(RollOff, seat=1)) == ("illegal", "no opening roll is due now")
    game.do(game.sit(2, "Cid"))
    assert game.table.state is State.OPENING
    assert game.refusal(game.roll()) == ("illegal", "the seats must first roll for who begins")
    assert game.do(game.command(RollOff, seat=1)) == RolledOff(
        at=game.now, seat=1, rounds=[[30, 30, 5], [6, 5, None]], first=0
    )


def test_each_seat_can_add_one_nonce_before_the_first_roll() -> None:
    game = two_players()
    assert game.do(nonce(game, 1, "5f3a"), BOB) == NonceAdded(at=game.now, seat=1, nonce="5f3a")
    game.do(nonce(game, None, "00ff"), frozenset())
    game.do(nonce(game, None, "11"), frozenset())
    assert game.table.nonces == ("seat 1 5f3a", "watcher 0 00ff", "watcher 1 11")
    assert game.refusal(nonce(game, 1)) == ("illegal", "seat 1 has already added a nonce")
    assert game.refusal(nonce(game, 0), BOB)[0] == "not_yours"
    game.do(game.roll())
    assert game.refusal(nonce(game, 0)) == ("illegal", "the dice have been rolled: nonces are added before that")


def test_nonces_of_watchers_leave_room_for_those_of_seats() -> None:
    game = two_players()
    for _ in range(62):
        game.do(nonce(game, None), frozenset())
    assert game.refusal(nonce(game, None), frozenset())[0] == "illegal"
    for seat in (0, 1):
        game.do(nonce(game, seat))
    assert len(game.table.nonces) == 64
    assert game.do(game.roll())


def test_a_seat_resigns_while_a_computer_player_finishes_its_turn() -> None:
    game = Live(NewTable(seats=people("Ann", "Bob", "Cem"), pace=60), chance=Scripted(DICE))
    run_out(game)
    assert is_bots_turn(game.table)
    game.do(game.command(Resign, seat=0))
    assert game.table.seats[0].stand_in is None
    assert not is_bots_turn(game.table)
    assert game.table.due == game.now + 60


def test_only_who_plays_alone_can_close_a_table_after_the_first_roll() -> None:
    game = Live(NewTable(seats=[*people("Ann", "Bob"), *computers("greedy")]), chance=Scripted(DICE))
    game.do(game.roll())
    assert game.refusal(game.command(Close, seat=0), ANN) == ("illegal", "others are playing: resign instead")
    assert [game.table.can_close(holds) for holds in (BOB, ANN | BOB, frozenset[int]())] == [False, True, False]
    game.do(game.command(Resign, seat=1), BOB)
    game.do(game.command(Close, seat=0), ANN)


@pytest.mark.parametrize("kinds", [(), ("greedy",), ("greedy", "random")])
def test_a_game_is_over_when_no_person_is_left(kinds: tuple[str, ...]) -> None:
    game = Live(NewTable(seats=[*people("Ann"), *computers(*kinds)], casual=True), chance=Scripted(DICE))
    game.do(game.roll())
    assert game.do(game.command(Resign, seat=0)) == Resigned(at=game.now, seat=0, unplayed=13 * (1 + len(kinds)))
    assert game.table.state is State.OVER
    assert not is_bots_turn(game.table)
    ranks = [seat.rank for seat in view(game.table, secret=SECRET).seats]
    assert ranks == ([2, 1] if len(kinds) == 1 else [None] * (1 + len(kinds)))
    game.do(game.command(Rematch, seat=0))
    assert isinstance(game.events[-1], Rematched)
    assert create_rematch(game.table, "t2", "00", game.now).first == str(1 % (1 + len(kinds)))


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
