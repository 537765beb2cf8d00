"""Names of the person at the terminal."""

import pytest

from fivedice.base.errors import MalformedError
from fivedice.cli.game.session import login_name, new_seats
from fivedice.game.record import Seat


@pytest.fixture(autouse=True)
def login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "ann")


def test_one_person_has_the_name_of_the_login_or_the_given_one() -> None:
    assert new_seats("human,greedy") == [Seat("ann", "human"), Seat("Greedy", "greedy")]
    assert new_seats("greedy,human", "Ben") == [Seat("Greedy", "greedy"), Seat("Ben", "human")]
    assert new_seats("Cleo=human,greedy", "Ben") == [Seat("Cleo", "human"), Seat("Greedy", "greedy")]


def test_several_people_without_names_are_numbered() -> None:
    assert [seat.name for seat in new_seats("human,human,greedy,greedy")] == [
        "Player 1",
        "Player 2",
        "Greedy",
        "Greedy2",
    ]
    assert [seat.name for seat in new_seats("human,human", "Ann")] == ["Ann", "Player 2"]


def test_a_login_that_says_nothing_is_called_you(monkeypatch: pytest.MonkeyPatch) -> None:
    for login in ("root", "a\nb", ""):
        monkeypatch.setattr("getpass.getuser", lambda login=login: login)
        assert login_name() == "You"


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 41])
def test_an_impossible_name_is_refused(name: str) -> None:
    with pytest.raises(MalformedError, match="--name"):
        new_seats("human", name)
