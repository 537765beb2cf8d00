"""Refusals of anything that a person may try have a code, which a page translates."""

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from msgspec import structs

from fivedice.server.table.answers import Code, Refused
from fivedice.server.table.create import NewTable, WantedSeat
from fivedice.server.table.event import DuplicateEntry
from fivedice.server.table.verbs import AnyCommand
from fivedice.server.table.verbs.end import Close, Rematch, Resign
from tests.server.scripted import ALL, ANN, Live, Scripted, people, run_out

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

HOLDS: dict[Code, frozenset[int]] = {"others_play": ANN}
"""Who tries it, if that must not be the holder of all seats."""


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
    answer = refused(live, last(live), HOLDS.get(code, ALL))
    assert answer.code == code


def test_mistakes_of_faulty_clients_have_no_code() -> None:
    live = Live(NewTable(seats=[*people("Ann"), WantedSeat("greedy")]))
    live.do(live.roll())
    assert refused(live, live.score("nonsense")).code is None
    assert refused(live, live.sit(1, "Eve")).code is None
