"""`own_seat` and `played_with`: which seat of imported games was the holder's, as they said before."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fivedice.storage.rows.records import NO_SEAT, PlayedBy


@dataclass(frozen=True, slots=True)
class PlayedWith:
    """Imported games that the same people played. `own` is the holder's name, empty if they played none of the seats,
    and None until they have said which."""

    names: tuple[str, ...]
    num_games: int
    own: str | None


def played_with(records: Iterable[PlayedBy]) -> list[PlayedWith]:
    """The people of imported games, those first of whom the holder has not said which they are."""
    games: dict[tuple[str, ...], int] = {}
    own: dict[tuple[str, ...], set[str | None]] = {}
    for one in records:
        names = names_of(one.people)
        games[names] = games.get(names, 0) + one.num
        own.setdefault(names, set()).add(_own_name(one))
    # Until all games have an answer there is a question; two answers come from two exports.
    found = [
        PlayedWith(names, num, None if None in own[names] else min(name for name in own[names] if name is not None))
        for names, num in games.items()
    ]
    return sorted(found, key=lambda one: (one.own is not None, -one.num_games, one.names))


def own_seat(people: Mapping[int, str], known: Iterable[PlayedBy]) -> int | None:
    """The holder's seat among these people, or `NO_SEAT`; None unless it follows from what they said of other games.

    They said which of the same people they are, or one of the names is theirs in other games and no other name is.
    """
    known = list(known)
    names = names_of(people)
    said = {_own_name(one) for one in known if names_of(one.people) == names} - {None}
    if not said:
        said = {_own_name(one) for one in known} & set(names)
    if len(said) != 1:
        return None
    return seat_named(people, said.pop() or "")


def seat_named(people: Mapping[int, str], name: str) -> int:
    """The first seat of a name, `NO_SEAT` without one."""
    return next((seat for seat, other in people.items() if other == name), NO_SEAT)


def names_of(people: Mapping[int, str]) -> tuple[str, ...]:
    """The names of people, each once and in order."""
    return tuple(sorted(set(people.values())))


def _own_name(one: PlayedBy) -> str | None:
    """The holder's name in these records, empty if they played none of the seats, None if unknown."""
    return None if one.seat is None else one.people.get(one.seat, "")
