"""Commands and requests for tables are checked before anything is stored, and refusals have codes."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

import msgspec
import pytest
from msgspec import structs
from sqlalchemy import String

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.rulesets.compact import compact_text
from fivedice.server.live.event_store import stored_event
from fivedice.server.table.answers import Code, Refused
from fivedice.server.table.apply import replay, start
from fivedice.server.table.create import NewTable, WantedSeat, create, create_rematch
from fivedice.server.table.event import DuplicateEntry, Event, NewSeat, sender_of, stored_id, watcher
from fivedice.server.table.history import History
from fivedice.server.table.state import HIGHEST_ROLL, State, ruleset_of
from fivedice.server.table.verbs import AnyCommand
from fivedice.server.table.verbs.begin import AddNonce, NonceAdded, RolledOff, RollOff, Sat, Sit
from fivedice.server.table.verbs.end import Close, Closed, Rematch, Rematched, Resign, Resigned, Undo, Undone
from fivedice.server.table.verbs.play import Announce, Announced, Roll, Rolled, Score, Scored
from fivedice.storage.schema import events
from tests.server.scripted import ALL, ANN, NOW, Live, Scripted, computers, people, run_out

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


def test_options_are_normalized_and_custom_rules_named_after_their_id() -> None:
    assert made(NewTable(seats=people("Ann"), rules="yahtzee[rolls=03,joker=forced]")) == "yahtzee"
    assert made(NewTable(seats=people("Ann"), rules="yahtzee[joker=free]")) == "yahtzee[joker=free]"

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
        (NewTable(seats=[*people("Ann"), *computers("greedy")], dice="real"), "want only people who are here"),
        (NewTable(seats=people("Ann", ""), dice="real"), "want only people who are here"),
        (NewTable(seats=people("Ann", "Bob"), dice="real", first="highest_roll"), "roll the real dice for who begins"),
        (NewTable(seats=people("Ann", "Bob"), dice="real", help="tutor"), "want 'none'"),
        (NewTable(seats=people("Ann", "Bob"), dice="real", pace=60), "want no pace"),
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


HEAD = '"id": "abcdefgh", "version": 3'


@pytest.mark.parametrize(
    "text",
    [
        f'{HEAD}, "type": "roll", "seat": false, "kept": []',  # false is not a seat
        f'{HEAD}, "type": "roll", "seat": 0, "kept": [1, 0]',  # 1 is not a mark
        f'{HEAD}, "type": "roll", "seat": 0',  # `kept` is missing
        f'{HEAD}, "type": "roll", "seat": 0, "kept": [' + ",".join(["true"] * 11) + "]",
        f'{HEAD}, "type": "roll", "seat": -1, "kept": []',
        f'{HEAD}, "type": "roll", "seat": 12, "kept": []',
        f'{HEAD}, "type": "roll", "seat": 0, "kept": [], "dice": [6, 6, 6, 6, 6]',  # clients do not send dice
        f'{HEAD}, "type": "roll", "seat": 0, "kept": [], "anyway": 1',
        f'{HEAD}, "type": "score", "seat": 0, "box": ""',
        f'{HEAD}, "type": "score", "seat": 0, "box": "' + "x" * 82 + '"',
        f'{HEAD}, "type": "score", "seat": 0, "box": "ones", "points": 50',
        f'{HEAD}, "type": "sit", "seat": 0, "name": "' + "x" * 641 + '"',
        f'{HEAD}, "type": "add_nonce", "nonce": ""',
        f'{HEAD}, "type": "add_nonce", "nonce": "0F"',
        f'{HEAD}, "type": "add_nonce", "nonce": "' + "0" * 65 + '"',
        f'{HEAD}, "type": "created", "seat": 0',  # an event is not a command
        f'{HEAD}, "seat": 0, "kept": []',
        *(f'"version": 3, "type": "undo", "seat": 0, "id": "{id}"' for id in ("short", "abcdefgh\\n", "x" * 65)),
        *(f'"id": "abcdefgh", "type": "undo", "seat": 0, "version": {version}' for version in (0, 1_000_001)),
        *(f'{half}, "type": "undo", "seat": 0' for half in HEAD.split(", ")),
    ],
)
def test_an_invalid_command_is_rejected(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(f"{{{text}}}", type=AnyCommand)


MARKS, OTHER_MARKS = [True, False, False, False, False], [False, True, False, False, False]

SENT: dict[str, Any] = {"id": "command-1", "version": 1, "seat": 1}
STORED: dict[str, Any] = {"at": 1.0, "seat": 1}
PAIRS: list[tuple[AnyCommand, Event]] = [
    (Sit(**SENT, name=" Zoe\u0308 "), Sat(**STORED, name="Zoë")),
    (Sit(**SENT, name="Zoë", nonce="0f"), Sat(**STORED, name="Zoë", nonce="0f")),
    (AddNonce(**SENT, nonce="0f"), NonceAdded(**STORED, nonce="0f")),
    (AddNonce(id="command-1", version=1, nonce="0f"), NonceAdded(at=1.0, nonce="0f")),
    (RollOff(**SENT), RolledOff(**STORED, rounds=[[7, 8]], first=1)),
    (Roll(**SENT, kept=[]), Rolled(**STORED, dice=[3] * 5, kept=[])),
    (Roll(**SENT, kept=MARKS), Rolled(**STORED, dice=[3] * 5, kept=MARKS)),
    # Which of two equal dice is kept changes no value, but it is another command.
    (Roll(**SENT, kept=OTHER_MARKS), Rolled(**STORED, dice=[3] * 5, kept=OTHER_MARKS)),
    (Score(**SENT, box="ones"), Scored(**STORED, box="ones", points=0)),
    (Score(**SENT, box="ones", scratch=True), Scored(**STORED, box="ones", points=0, scratch=True)),
    (Announce(**SENT, box="ones"), Announced(**STORED, box="ones")),
    (Undo(**SENT), Undone(**STORED)),
    (Resign(**SENT), Resigned(**STORED, unplayed=13)),
    (Close(**SENT), Closed(**STORED)),
    (Rematch(**SENT), Rematched(**STORED, table="k7Qm2y")),
]


@pytest.mark.parametrize("number", range(len(PAIRS)))
def test_a_command_repeats_only_the_event_that_it_asks_for(number: int) -> None:
    command, _ = PAIRS[number]
    assert [index for index, (_, event) in enumerate(PAIRS) if command.asks_for(event)] == [number]


def test_every_id_fits_its_column_and_is_found_under_its_sender_again() -> None:
    senders = ["0", "11", watcher("A" * 43)]
    ids = ["command-1", "x" * 62, "x" * 63, "x" * 64, "y" * 64]
    stored = {stored_id(sender, id): sender for sender in senders for id in ids}
    assert len(stored) == len(senders) * len(ids)
    column = events.c.command.type
    assert isinstance(column, String)
    assert max(map(len, stored)) <= (column.length or 0)
    for id, sender in stored.items():
        assert sender_of(id) == sender


def test_the_history_finds_a_command_by_sender_and_id_and_counts_those_of_a_sender() -> None:
    game = Live(NewTable(people("Ann", "Bob")))
    game.do(game.sit(0, "Anna"))
    game.do(game.sit(1, "Ben"))
    game.do(game.sit(0, "Anne"))
    ids = ["created-1", "0:sit-aaaa", "1:sit-aaaa", "0:sit-bbbb"]
    log = [stored_event(event, "k7Qm2x", n, id) for n, (event, id) in enumerate(zip(game.events, ids, strict=True), 1)]
    history = History(log)
    assert [history.version_of(sender, "sit-aaaa") for sender in ("0", "1", "2")] == [2, 3, None]
    assert [history.version_of(sender, "sit-bbbb") for sender in ("0", "1")] == [4, None]
    assert [history.num_sent("0", version) for version in (1, 2, 3, 4)] == [0, 1, 1, 2]
    assert history.event_at(3) == game.events[2]


Step = Callable[[Live], AnyCommand]


def game(*names: str, rules: str = "yahtzee", pace: int | None = None) -> Live:
    """Ann and Bob, unless others are named; every roll shows the same dice."""
    chance = Scripted({(turn, roll): "13456" for turn in range(30) for roll in range(3)})
    return Live(NewTable(people(*(names or ("Ann", "Bob"))), rules=rules, pace=pace), chance=chance)


def blocked() -> Live:
    """A game of two people of whom one wants none with the other any more."""
    live = game()
    context = live.context
    live.context = lambda holds=ALL: replace(context(holds), is_blocked=True)  # type: ignore[method-assign]
    return live


def closed() -> Live:
    """A game on the same dice whose time has passed."""
    live = game("Ann")
    entry = DuplicateEntry("d", closes=live.now)
    live.table = live.table.but(created=structs.replace(live.table.created, duplicate=entry))
    return live


def roll(live: Live) -> AnyCommand:
    return live.roll("....." if live.table.turn.places else "")


def score(live: Live) -> AnyCommand:
    return live.score("chance")


def late() -> Live:
    """A game in which the clock of the first turn has run out."""
    live = game(pace=60)
    run_out(live)
    return live


TRIED: dict[Code, tuple[Live, list[Step]]] = {
    "not_begun": (game("Ann", ""), [roll]),
    "ended": (game(), [lambda live: live.command(Close, seat=0), roll]),
    "not_your_turn": (game(), [lambda live: live.roll(seat=1)]),
    "stood_in": (late(), [roll]),
    "roll_first": (game(), [score]),
    "no_rolls": (game(), [roll, roll, roll, roll]),
    "box_filled": (game("Ann"), [roll, score, roll, score]),
    "box_closed": (game(rules="yahtzee[order=down]"), [roll, lambda live: live.score("threes")]),
    "must_announce": (game(rules="yamb[columns=announced]"), [roll, roll]),
    "nothing_to_undo": (game(), [lambda live: live.undo(0)]),
    "name_taken": (game("Ann", ""), [lambda live: live.sit(1, "Ann")]),
    "others_play": (game(), [roll, lambda live: live.command(Close, seat=0)]),
    "no_rematch": (
        blocked(),
        [roll, lambda live: live.command(Resign, seat=0), lambda live: live.command(Rematch, seat=0)],
    ),
    "closed": (closed(), [roll]),
    "rated": (game("Ann"), [roll, score, lambda live: live.undo(0)]),
}
"""What a person may try: a game, and steps of which the last is refused with the code."""


def refused(live: Live, command: AnyCommand, holds: frozenset[int] = ALL) -> Refused:
    answer = live.send(command, holds)
    assert isinstance(answer, Refused)
    assert answer.reason == "illegal"
    return answer


@pytest.mark.parametrize("code", get_args(Code))
def test_every_code_is_the_answer_to_something_a_person_may_try(code: Code) -> None:
    live, (*before, last) = TRIED[code]
    for step in before:
        live.do(step(live))
    answer = refused(live, last(live), ANN if code == "others_play" else ALL)
    assert answer.code == code


def test_mistakes_of_faulty_clients_have_no_code() -> None:
    live = Live(NewTable(seats=[*people("Ann"), WantedSeat("greedy")]))
    live.do(live.roll())
    assert refused(live, live.score("nonsense")).code is None
    assert refused(live, live.sit(1, "Eve")).code is None
