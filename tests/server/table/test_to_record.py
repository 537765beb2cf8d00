"""The record of a table: the game without undone scores, and the proof of its dice."""

import random

from fivedice.game.action import Score
from fivedice.game.record import parse_record
from fivedice.game.verification import verify_record
from fivedice.server.games.records import read_record
from fivedice.server.table.create import NewTable
from fivedice.server.table.to_record import record_of
from fivedice.server.table.verbs import Close, Rolled, Scored
from tests.server.scripted import SECRET, Live, Scripted, computers, people
from tests.server.table.test_create import OWN


def played(game: Live) -> Live:
    """Let the computer players finish the game."""
    chance = random.Random(1)
    while game.let_computer_act(lambda kind, position: chance.choice(position.actions())):
        pass
    return game


def test_a_record_includes_custom_rules() -> None:
    game = played(Live(NewTable(seats=computers("random"), toml=OWN, rules="house.toml[rolls=2]")))
    text = str(record_of(game.table, game.events, SECRET))
    assert "options: rolls=2" in text
    assert parse_record(text).ruleset == game.table.ruleset


def test_an_undone_score_is_not_in_the_record() -> None:
    game = Live(
        NewTable(seats=people("Ann", "Bob")), chance=Scripted({(0, 0): "33456", (0, 1): "11163", (1, 0): "1" * 5})
    )
    game.do(game.roll())
    game.do(game.score("ones"))
    game.do(game.undo(0))
    game.do(game.roll("xx..."))
    game.do(game.score("threes"))
    game.do(game.roll())
    record = record_of(game.table, game.events, SECRET)
    assert [str(turn) for turn in record.turns] == ["0: 33456, keep 33, 13336, score threes = 9", "1: 11111"]
    assert record.proof
    assert [str(turn) for turn in record.proof.turns] == ["33456, keep 33___, 33163", "11111"]
    assert [str(undone) for undone in record.proof.undone] == ["turn 0, score ones"]
    assert [str(seat) for seat in record.seats] == ["Ann=human", "Bob=human"]
    assert record.date == "2027-01-15T08:00:00+00:00"


def test_a_turn_of_a_computer_that_was_taken_back_is_not_in_the_record() -> None:
    game = Live(
        NewTable(seats=[*people("Ann"), *computers("random")], casual=True),
        chance=Scripted({(0, 0): "33456", (1, 0): "11166"}),
    )
    game.do(game.roll())
    for box in ("ones", "threes"):
        game.do(game.score(box))
        game.append(Rolled(at=game.now, seat=1, dice=[1, 1, 1, 6, 6], kept=[], by="random"))
        game.append(Scored(at=game.now, seat=1, box="full_house", points=25, by="random"))
        if box == "ones":
            game.do(game.undo(0))
    record = record_of(game.table, game.events, SECRET)
    assert [str(turn) for turn in record.turns] == ["0: 33456, score threes = 6", "1: 11166, score full_house = 25"]
    assert parse_record(str(record)) == record
    assert record.proof
    assert [str(undone) for undone in record.proof.undone] == ["turn 0, score ones, after rolls of seat 1"]


def test_a_table_closed_before_its_opening_roll_does_not_say_that_dice_chose_who_begins() -> None:
    game = Live(NewTable(seats=people("Ann", "Bob"), first="highest_roll"))
    game.do(Close(id=game.new_id(), version=1, seat=0))
    record = record_of(game.table, game.events, SECRET)
    assert "opening:" not in str(record)
    assert verify_record(record).problems == ()


def test_the_record_says_how_each_person_used_the_help() -> None:
    game = Live(NewTable(seats=people("Ann", "Bob"), help="tutor"))
    for box in ("yahtzee", "yahtzee", "chance", "chance"):
        game.do(game.roll())
        game.do(game.score(box))
    game.do(game.roll())
    game.loss_of = lambda position, action: (9.0 * (action == Score("ones")), action)
    assert game.refusal(game.score("ones"))[0] == "costly"
    game.do(game.score("threes"))
    text = str(record_of(game.table, game.events, SECRET))
    assert " help: tutor, seat 0 asked 1 changed 1\n" in text
    assert " help: tutor, seat 0 asked 1 changed 1\n" in read_record(0, text, 0, 2e9).text  # as an import stores it
    plain = Live(NewTable(seats=people("Ann")))
    record = record_of(plain.table, plain.events, SECRET)
    assert " help: none\n" in str(record)
    assert parse_record(str(record)) == record


def test_the_record_includes_the_secret_only_after_the_end() -> None:
    game = Live(NewTable(seats=people("Ann", "")))
    for ended in (False, True):
        if ended:
            game.do(Close(id=game.new_id(), version=1, seat=0))
        text = str(record_of(game.table, game.events, SECRET))
        assert (SECRET.hex() in text) == ended
        assert str(parse_record(text)) == text
