"""A request for a table is checked before anything is stored."""

import re

import pytest

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.rulesets.compact import compact_text
from fivedice.server.table.apply import replay, start
from fivedice.server.table.create import NewTable, WantedSeat, create, create_rematch
from fivedice.server.table.event import NewSeat
from fivedice.server.table.state import HIGHEST_ROLL, State, ruleset_of
from fivedice.server.table.verbs.begin import RollOff
from tests.server.scripted import NOW, Live, Scripted, computers, people

OWN = 'id = "house"\ndice = 2\nfaces = 3\n[categories]\npair = { scorer = "n_of_a_kind", n = 2, pays = 5 }\n'


def made(wanted: NewTable) -> str:
    return create(wanted, "t", "00", NOW).rules


def test_a_table_is_created_with_people_and_computer_players_whose_names_differ() -> None:
    wanted = NewTable(seats=[*computers("random"), *people("Ann", "", "random"), *computers("greedy", "greedy")])
    created = create(wanted, "t", "00", NOW)
    assert created.seats == [
        NewSeat("random", "random 2"),
        NewSeat("person", "Ann"),
        NewSeat("person"),
        NewSeat("person", "random"),
        NewSeat("greedy", "greedy"),
        NewSeat("greedy", "greedy 2"),
    ]
    assert wanted.taken_here == [1, 3]
    assert start(created).state is State.OPEN


def test_options_are_normalized() -> None:
    assert made(NewTable(seats=people("Ann"), rules="yahtzee[rolls=03,joker=forced]")) == "yahtzee"
    assert made(NewTable(seats=people("Ann"), rules="yahtzee[joker=free]")) == "yahtzee[joker=free]"


def test_custom_rules_are_named_after_their_id() -> None:
    for rules in ("yahtzee", "house.toml", ""):
        assert made(NewTable(seats=people("Ann"), rules=rules, toml=OWN)) == "house.toml"
    wanted = NewTable(seats=people("Ann"), rules="house.toml[rolls=2]", toml=OWN)
    created = create(wanted, "t", "00", NOW)
    assert created.rules == "house.toml[rolls=2]"
    assert str(start(created).position) == "house.toml[rolls=2] - - r2"


def test_a_ruleset_name_is_never_used_as_a_path() -> None:
    for rules in ("pyproject.toml", "/etc/x.toml", "../x.toml[rolls=2]"):
        with pytest.raises(UnknownError, match=r"there is no ruleset .* here: give the text of the file"):
            ruleset_of(rules)


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (NewTable(seats=people("Ann"), first="1"), "first '1': want the number of a seat, 0 to 0, or highest_roll"),
        (NewTable(seats=people("Ann"), first="-1"), "first '-1'"),
        (NewTable(seats=people("Ann"), first="00"), "first '00'"),
        (NewTable(seats=people("Ann", "Ann")), "seat 0: Ann sits here already"),
        (NewTable(seats=people("Ann", "ANN")), "seat 0: Ann sits here already"),
        (NewTable(seats=[WantedSeat("person", "", here=True)]), "a name needs at least one visible character"),
        (NewTable(seats=[WantedSeat("person", "Ann")]), "seat 0 is open: it has no name"),
        (NewTable(seats=[WantedSeat("greedy", "", here=True)]), "seat 0 belongs to a computer player"),
        (NewTable(seats=[WantedSeat("greedy", "a\nb")]), "a name cannot contain control characters"),
        (NewTable(seats=[WantedSeat("human", "Ann")]), "seat 0: there is no player 'human'"),
        (NewTable(seats=[WantedSeat("gredy")]), "did you mean 'greedy'"),
        (NewTable(seats=people("Ann"), rules="yatzi"), "did you mean 'yatzy'"),
        (NewTable(seats=people("Ann"), rules="yahtzee[colour=red]"), "no option 'colour'"),
        (NewTable(seats=people("Ann"), rules="yahtzee[[]"), "write an id"),
        (NewTable(seats=people("Ann"), rules=""), "write an id"),
        (NewTable(seats=people("Ann"), toml="id = 3"), "id"),
        (NewTable(seats=people("Ann"), toml=OWN, rules="house.toml[rolls=2"), "write an id"),
    ],
)
def test_an_invalid_request_raises_an_error_with_the_reason(wanted: NewTable, why: str) -> None:
    with pytest.raises((MalformedError, IllegalError, UnknownError), match=re.escape(why)):
        create(wanted, "t", "00", NOW)


def test_a_rematch_has_the_same_players_and_the_next_seat_begins() -> None:
    game = Live(
        NewTable(seats=[*people("Ann", "Bob"), *computers("greedy")], toml=OWN, first=HIGHEST_ROLL, pace=30),
        chance=Scripted({}, [3, 3, 3, 3, 1, 1, 1, 1, 1, 2]),
    )
    game.do(game.command(RollOff, seat=0))
    new = create_rematch(game.table, "t2", "11", NOW + 5)
    assert (new.first, new.previous, new.commitment) == ("2", "k7Qm2x", "11")
    assert (new.rules, new.toml, new.pace, new.at) == ("house.toml", compact_text(OWN), 30, NOW + 5)
    assert new.ruleset == game.table.created.ruleset != ""
    assert [seat.name for seat in replay([new]).seats] == ["Ann", "Bob", "greedy"]
