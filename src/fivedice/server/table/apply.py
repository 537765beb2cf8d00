"""Replay of a table's events: `start` a table, `apply` one event, or `replay` them all.

Replay is strict: an event that the rules or the table before it do not allow raises `IllegalError`. So a damaged log,
or one written by a faulty program, is found before play continues. Events contain all randomness and time.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from fivedice.errors import IllegalError, shown
from fivedice.game.action import Announce, Offer, Score
from fivedice.game.position import Position
from fivedice.server.table.events import (
    Announced,
    AnyEvent,
    Closed,
    Created,
    Decided,
    NonceAdded,
    Rematched,
    Resigned,
    Returned,
    Rolled,
    RolledOff,
    Sat,
    Scored,
    StoodIn,
    Undone,
)
from fivedice.server.table.state import HIGHEST_ROLL, PERSON, Decision, LiveTurn, Seat, State, Table, ruleset_of


@dataclass(frozen=True, slots=True)
class Step:
    """An event that follows a table, and the table after it."""

    event: AnyEvent
    table: Table

    @classmethod
    def of(cls, table: Table, event: AnyEvent, offer: Offer | None = None) -> "Step":
        """The step that `apply` makes of an event."""
        return cls(event, apply(table, event, offer))


def replay(events: Iterable[AnyEvent]) -> Table:
    """Return the table after a complete log; raises `IllegalError` at the first event that is not allowed."""
    log = iter(events)
    first = next(log, None)
    if not isinstance(first, Created):
        raise IllegalError("the events of a table begin with its creation")
    table = start(first)
    for event in log:
        table = apply(table, event)
    return table


def start(created: Created) -> Table:
    """Return the table at version 1; raises `IllegalError`, `UnknownError` or `MalformedError` if it is unplayable."""
    ruleset = ruleset_of(created.rules, created.toml)
    if ruleset.digest != created.digest:
        raise IllegalError(
            f"table {created.table}: the digest of {created.rules} is {ruleset.digest}, "
            f"but the table was created with {created.digest}"
        )
    first = None if created.first == HIGHEST_ROLL else _first(created.first)
    return Table(
        created=created,
        ruleset=ruleset,
        version=1,
        seats=tuple(Seat(seat.kind, seat.name) for seat in created.seats),
        turn=LiveTurn(0, Position.start(ruleset, len(created.seats), first or 0)),
        first=first,
        acted_at=created.at,
    )


def _first(text: str) -> int:
    if not text.isdecimal():
        raise IllegalError(f"first {shown(text)}: want the number of a seat, or {HIGHEST_ROLL}")
    return int(text)


def apply(table: Table, event: AnyEvent, offer: Offer | None = None) -> Table:
    """Return the table after one more event; raises `IllegalError` if the event is not allowed.

    `offer` is the position's offer for a score, if the caller has just looked it up; it is not computed again.
    """
    try:
        return _with_questions(_apply(table, event, offer), event)
    except ValueError as error:
        raise IllegalError(f"event {table.version + 1} of table {table.id}: {error}") from None


def _apply(table: Table, event: AnyEvent, offer: Offer | None) -> Table:
    match event:
        case Rolled():
            return _rolled(table, event)
        case Scored():
            return _scored(table, event, offer)
        case Announced():
            return _announced(table, event)
        case Undone():
            return _undone(table, event)
        case Sat():
            return _sat(table, event)
        case NonceAdded():
            return _next(table, event, nonces=_with_nonce(table, event.seat, event.nonce))
        case RolledOff():
            return _rolled_off(table, event)
        case StoodIn():
            return _with_seat(table, event, _seat(table, event.seat, event.player, is_skip=event.turns == 1))
        case Returned():
            _require(_has_stand_in(table, event.seat), f"no computer player acts for seat {event.seat}")
            return _with_seat(table, event, _seat(table, event.seat, None))
        case Resigned():
            return _resigned(table, event)
        case Closed():
            _require(not table.has_ended, f"the table is {table.state} already")
            return _next(table, event, is_closed=True, **_NOTHING)
        case Rematched():
            _require(table.state is State.OVER and table.rematch is None, "no rematch can follow")
            return _next(table, event, rematch=event.table, rematch_by=event.seat)
        case Created():
            raise IllegalError("a table is created once")


def _with_questions(table: Table, event: AnyEvent) -> Table:
    """The table with the tutor's questions before an event counted at its seat; undone decisions count, too."""
    if not isinstance(event, Decided) or not event.asked:
        return table
    index = _index(table, event.seat)
    seat = table.seats[index]
    seat = replace(seat, asked=seat.asked + event.asked, changed=seat.changed + event.changed)
    return table.but(seats=_replaced(table, index, seat))


def _rolled(table: Table, event: Rolled) -> Table:
    _require_turn(table, event.seat, event.by)
    turn, dice, kept = table.turn, tuple(event.dice), tuple(event.kept)
    before, decision = turn.position, table.decision
    _require(len(dice) == table.ruleset.dice, f"{len(dice)} dice are rolled: want {table.ruleset.dice}")
    if turn.places:
        keep = turn.keep(kept)
        places = list(zip(dice, turn.places, kept, strict=True))
        _require(all(new == old for new, old, is_kept in places if is_kept), "a kept die shows another face")
        position = before.play(keep, tuple(new for new, _, is_kept in places if not is_kept))
        decision = Decision(before, keep)
    else:
        _require(not kept, "no die is kept for the first roll of a turn")
        position = before.roll(dice)
        kept = (False,) * len(dice)
    new_turn = LiveTurn(number=turn.number, position=position, places=dice, kept=kept, rolled_at=table.version + 1)
    if not turn.places and table.undoable and table.mover.kind == PERSON:
        decision = table.undoable  # it is final now, and can be judged
    return _next(table, event, acted_at=event.at, turn=new_turn, decision=decision, **_undo_after(table, event))


def _scored(table: Table, event: Scored, offer: Offer | None) -> Table:
    _require_turn(table, event.seat, event.by)
    turn, before, action = table.turn, table.position, Score(event.box, event.scratch)
    if offer is None:
        offer = before.offer_for(action)
    _require(
        (offer.action, offer.points, offer.bonus) == (action, event.points, event.bonus),
        f"{offer.action} scores {offer.points} +{offer.bonus} in {before}, not {event.points} +{event.bonus}",
    )
    position = before.take(offer)
    seat = table.mover
    decision = Decision(before, offer.action)
    # The end of the game reveals the secret of the dice, so nothing can be taken back after it.
    undo = _NOTHING if position.is_over else _undo_after(table, event, decision)
    return _next(
        table,
        event,
        acted_at=event.at,
        seats=_replaced(table, before.seat, _seat(table, before.seat, None)) if seat.is_skip else table.seats,
        turn=LiveTurn(turn.number + 1, position, rolled_at=turn.rolled_at),
        decision=decision,
        **undo,
    )


def _announced(table: Table, event: Announced) -> Table:
    _require_turn(table, event.seat, event.by)
    turn, action = table.turn, Announce(event.box)
    decision = Decision(table.position, action)
    turn = replace(turn, position=table.position.announce(action))
    undo = _undo_after(table, event, decision)
    return _next(table, event, acted_at=event.at, turn=turn, decision=decision, **undo)


_NOTHING: dict[str, Any] = {"undo": None, "undoable": None, "former_undo": None}
"""The changes after which nothing can be taken back."""


def _undo_after(table: Table, event: Rolled | Scored | Announced, decision: Decision | None = None) -> dict[str, Any]:
    """The changes of what can be taken back: `decision` if a person took it, else nothing once a person's seat acts.

    Undo after a step at a person's seat, also of a stand-in, would let that person decide with dice known that the seat
    rolls later. A computer player's dice come up again if its steps are taken back, and it does not know them.
    """
    if table.mover.kind != PERSON:
        return {}
    if event.by != PERSON:
        return {**_NOTHING, "former_undo": table.undo or table.former_undo}
    return {**_NOTHING, "undo": table.turn, "undoable": decision} if decision else _NOTHING


def _undone(table: Table, event: Undone) -> Table:
    turn = table.undo or table.former_undo
    if turn is None or event.seat != turn.position.seat:
        raise IllegalError(f"seat {event.seat} has no score to take back")
    _require(not _has_stand_in(table, event.seat), f"{table.seats[turn.position.seat].stand_in} acts for the seat")
    return _next(table, event, acted_at=event.at, turn=turn, decision=None, **_NOTHING)


def _resigned(table: Table, event: Resigned) -> Table:
    index = _index(table, event.seat)
    after = after_resignation(table, index)
    unplayed = table.turns_to_come - after.turns_to_come
    _require(event.unplayed == unplayed, f"{unplayed} turns are not played now, not {event.unplayed}")
    return _next(
        table,
        event,
        turn=after.turn,
        seats=_replaced(table, index, replace(table.seats[index], stand_in=None, is_skip=False)),
        is_given_up=after.is_given_up,
        **_NOTHING,
    )


def after_resignation(table: Table, seat: int) -> Table:
    """The table with a person's seat that has just resigned, still at its version; raises `IllegalError`."""
    _require(table.state is State.PLAYING, f"nobody can resign while the table is {table.state}")
    _require(table.seats[seat].kind == PERSON, f"seat {seat} belongs to a computer player")
    turn = table.turn
    position = turn.position.resign(seat)
    if position.dice:
        turn = replace(turn, position=position)
    else:  # a turn with dice counts, as in the proof of a record, although it has no score
        turn = LiveTurn(turn.number + bool(turn.places), position, rolled_at=turn.rolled_at)
    people = (index for index, one in enumerate(table.seats) if one.kind == PERSON)
    return table.but(turn=turn, is_given_up=all(position.cards[index].resigned for index in people))


def _sat(table: Table, event: Sat) -> Table:
    index = _index(table, event.seat)
    seat = table.seats[index]
    _require(seat.kind == PERSON, f"seat {index} belongs to a computer player")
    _require(not table.has_ended, f"the table is {table.state}")
    _require(bool(event.name), "a person at a seat has a name")
    nonces = _with_nonce(table, index, event.nonce) if event.nonce else table.nonces
    return _next(table, event, seats=_replaced(table, index, replace(seat, name=event.name)), nonces=nonces)


def _rolled_off(table: Table, event: RolledOff) -> Table:
    _require(table.state is State.OPENING, f"no opening roll is due while the table is {table.state}")
    position = Position.start(table.ruleset, len(table.seats), event.first)
    return _next(table, event, acted_at=event.at, first=event.first, turn=LiveTurn(0, position))


def _next(table: Table, event: AnyEvent, **changes: Any) -> Table:
    """The next version of the table. Events of the seat to move, and the start of its turn, reset its idle time."""
    if event.seat == table.position.seat or table.state is State.OPEN:
        changes.setdefault("acted_at", event.at)
    return table.but(version=table.version + 1, **changes)


def _with_seat(table: Table, event: AnyEvent, seat: Seat) -> Table:
    return _next(table, event, seats=_replaced(table, _index(table, event.seat), seat))


def _seat(table: Table, index: int | None, stand_in: str | None, *, is_skip: bool = False) -> Seat:
    seat = table.seats[_index(table, index)]
    _require(seat.kind == PERSON and not seat.is_open, f"no person sits at seat {index}")
    _require(not table.has_ended, f"the table is {table.state}")
    return replace(seat, stand_in=stand_in, is_skip=is_skip)


def _has_stand_in(table: Table, index: int | None) -> bool:
    return table.seats[_index(table, index)].stand_in is not None


def _replaced(table: Table, index: int, seat: Seat) -> tuple[Seat, ...]:
    return (*table.seats[:index], seat, *table.seats[index + 1 :])


def _with_nonce(table: Table, seat: int | None, nonce: str) -> tuple[str, ...]:
    """The nonces with one more, each labelled with its seat or the number of its watcher."""
    _require(not table.has_begun and not table.has_ended, "nonces are added before the first roll")
    number = sum(known.startswith("watcher ") for known in table.nonces) if seat is None else _index(table, seat)
    label = f"watcher {number}" if seat is None else f"seat {number}"
    _require(not any(known.startswith(f"{label} ") for known in table.nonces), f"{label} has already added a nonce")
    return (*table.nonces, f"{label} {nonce}")


def _index(table: Table, seat: int | None) -> int:
    if seat is None or not 0 <= seat < len(table.seats):
        raise IllegalError(f"there is no seat {seat}: the seats are 0 to {len(table.seats) - 1}")
    return seat


def _require_turn(table: Table, seat: int | None, by: str) -> None:
    """Check that the game is in progress, that it is this seat's turn, and that `by` decides there."""
    _require(table.state is State.PLAYING, f"nothing is played while the table is {table.state}")
    _require(seat == table.position.seat, f"seat {seat} acts in the turn of seat {table.position.seat}")
    _require(by == table.mover.decider, f"{by} acts for seat {seat}, but {table.mover.decider} decides there")


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise IllegalError(otherwise)
