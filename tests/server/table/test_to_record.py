"""The record of a table: the game without undone scores, and the proof of its dice."""

from fivedice.game.action import Score
from fivedice.game.record import parse_record
from fivedice.game.verification import verify_record
from fivedice.server.games.read_games import read_record
from fivedice.server.table.create import NewTable
from fivedice.server.table.to_record import record_of
from fivedice.server.table.verbs.end import Close
from tests.server.scripted import SECRET, Live, people


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
    assert (
        " help: tutor, seat 0 asked 1 changed 1\n" in read_record(0, text, 0, 2e9).stored.text
    )  # as an import stores it
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
