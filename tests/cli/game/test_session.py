"""A session: its seats, the places of dice, and one step of undo for scores."""

import pytest

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.cli.files.record_file import Saved
from fivedice.cli.game.session import Session, login_name, new_seats
from fivedice.game.action import Keep, Score
from fivedice.game.proof import TableDice
from fivedice.game.record import Record, Seat
from fivedice.players import Greedy, Human, Player
from fivedice.rulesets import load_ruleset
from tests.cli.terminal.terminal_game import Scripted


def session(digits: str, *players: Player) -> Session:
    people = players or (Human(lambda position: Score("chance")),)
    seats = tuple(Seat(f"p{seat}", "human") for seat in range(len(people)))
    record = Record.start(load_ruleset("yahtzee"), seats, "2026-11-21T10:00:00+00:00")
    return Session(record, people, Scripted(digits))


def test_kept_dice_stay_in_their_places() -> None:
    game = session("5353112")
    game.roll()
    assert game.places == [5, 3, 5, 3, 1]
    game.keep([False, True, True, True, False])
    assert game.places == [1, 3, 5, 3, 2]
    assert game.position.dice == (1, 2, 3, 3, 5)
    game = session("336666661")
    game.roll()
    game.keep([False, True, True, True, True])
    assert game.places == [6, 3, 6, 6, 6], "the marked one of two equal dice stays"


def test_nothing_is_undone_after_the_next_roll() -> None:
    game = session("5353112345")
    game.roll()
    game.play(Score("chance"))
    game.roll()
    with pytest.raises(IllegalError, match="no score to take back"):
        game.undo()


def test_a_computers_score_cannot_be_undone() -> None:
    game = session("33333" * 2, Greedy(), Human(lambda position: Score("chance")))
    assert game.step() is None
    assert game.step() == Score("yahtzee")
    assert not game.can_undo


def test_every_roll_every_score_and_every_undo_is_saved() -> None:
    saved: list[str] = []

    def save(record: Record) -> Saved:
        saved.append(str(record.turns[-1]))
        return Saved(f"saved {len(saved)}")

    game = session("5353112345")
    kept = Session(game.record, game.players, Scripted("535311"), save)
    kept.roll()
    assert saved == ["0: 13355"]
    kept.keep([True, True, True, True, False])
    assert saved[1:] == ["0: 13355, keep 3355, 13355"]
    kept.play(Score("chance"))
    kept.undo()
    assert saved[2:] == ["0: 13355, keep 3355, 13355, score chance = 17", "0: 13355, keep 3355, 13355"]
    assert kept.saved.sentence == "saved 4"


def test_a_session_resumes_within_a_turn_with_equal_dice_in_their_places() -> None:
    game = session("1234566")
    game.roll()
    game.play(Keep((1, 2, 3)))
    resumed = Session(game.record, game.players, Scripted("11"))
    assert resumed.places == [1, 2, 3, 6, 6]
    assert resumed.kept == [True, True, True, False, False]
    resumed.play(Keep((1, 2, 3)))
    assert resumed.position.dice == (1, 1, 1, 2, 3)


def test_undone_turns_have_the_same_dice_also_after_a_restart() -> None:
    record = Record.start(load_ruleset("crag"), (Seat("Ann", "human"), Seat("Ben", "human")), "2026-11-21T10:00:00Z")
    players, secret = (Human(lambda position: Score("ones")), Greedy()), TableDice(b"1" * 32, "terminal")
    game = Session(record, players, secret)
    game.roll()
    game.play(Score("crag"))
    while game.position.seat:
        game.step()
    again = Session(game.record, players, secret)
    for played in (game, again):
        played.undo()
        played.play(Score("crag"))
        while played.position.seat:
            played.step()
    assert game.record == again.record
    assert len(game.record.turns) == 2


@pytest.fixture(autouse=True)
def login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "ann")


@pytest.mark.parametrize(
    ("seats", "name", "names"),
    [
        ("human,greedy", None, ["ann", "Greedy"]),
        ("greedy,human", "Ben", ["Greedy", "Ben"]),
        ("Cleo=human,greedy", "Ben", ["Cleo", "Greedy"]),
        ("human,human,greedy,greedy", None, ["Player 1", "Player 2", "Greedy", "Greedy2"]),
        ("human,human", "Ann", ["Ann", "Player 2"]),
    ],
)
def test_one_person_has_the_name_of_the_login_or_the_given_one_and_several_are_numbered(
    seats: str, name: str | None, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [seat.name for seat in new_seats(seats, name)] == names
    for login in ("root", "a\nb", ""):
        monkeypatch.setattr("getpass.getuser", lambda login=login: login)
        assert login_name() == "You"


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 41])
def test_an_impossible_name_is_refused(name: str) -> None:
    with pytest.raises(MalformedError, match="--name"):
        new_seats("human", name)
