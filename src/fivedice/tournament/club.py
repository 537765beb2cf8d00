"""`Club`: a link with a name, members and a calendar, as its events replay to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from fivedice.base.errors import require
from fivedice.game.names import checked_name
from fivedice.tournament.event import Change, First
from fivedice.tournament.settings import Format, Settings

MAX_MEMBERS = 1_000
MAX_TOURNAMENTS = 1_000


@dataclass(frozen=True, slots=True)
class Planned:
    """A tournament in the calendar; `starts` is in seconds since 1970."""

    id: str
    name: str
    format: Format
    starts: float


@dataclass(frozen=True)
class Club:
    """A club at one version. `members` are those who have not left, by their numbers, which are never given again;
    `key` is the SHA-256 of the secret in the organiser's link."""

    id: str
    name: str
    key: str
    version: int = 1
    members: Mapping[int, str] = field(default_factory=dict)
    num_joined: int = 0
    calendar: tuple[Planned, ...] = ()

    def next(self, **changes: Any) -> "Club":
        """The next version."""
        return replace(self, version=self.version + 1, **changes)


class Founded(First[Club], frozen=True, tag="founded"):
    """The club was founded."""

    name: str
    key: str

    def start(self) -> Club:
        """The club without members."""
        return Club(self.id, self.name, self.key)


class Joined(Change[Club], frozen=True, tag="joined"):
    """Somebody joined, or a member has another name from now on; running tournaments keep the one before."""

    member: int
    name: str

    def apply(self, club: Club, /) -> Club:
        """The club with the member."""
        require(self.member <= club.num_joined + 1, f"the next member has number {club.num_joined + 1}")
        require(
            all(name != self.name for number, name in club.members.items() if number != self.member),
            "another member of the club has this name",
        )
        members = {**club.members, self.member: self.name}
        require(len(members) <= MAX_MEMBERS, f"a club has at most {MAX_MEMBERS} members")
        return club.next(members=members, num_joined=max(club.num_joined, self.member))


class Parted(Change[Club], frozen=True, tag="parted"):
    """A member left the club, or was removed by the organiser; or the name of a former member was deleted."""

    member: int

    def apply(self, club: Club, /) -> Club:
        """The club without the member."""
        return club.next(members={number: name for number, name in club.members.items() if number != self.member})


class Scheduled(Change[Club], frozen=True, tag="scheduled"):
    """A tournament was put in the calendar."""

    tournament: str
    settings: Settings

    def apply(self, club: Club, /) -> Club:
        """The club with the tournament."""
        require(len(club.calendar) < MAX_TOURNAMENTS, f"a club has at most {MAX_TOURNAMENTS} tournaments")
        planned = Planned(self.tournament, self.settings.name, self.settings.format, self.settings.starts)
        return club.next(calendar=(*club.calendar, planned))


class HandedOver(Change[Club], frozen=True, tag="handed_over"):
    """The organiser's link was replaced by another one; the link before it no longer works."""

    key: str

    def apply(self, club: Club, /) -> Club:
        """The club with the new key."""
        return club.next(key=self.key)


AnyClubEvent = Founded | Joined | Parted | Scheduled | HandedOver


def found(club: str, name: str, key: str, now: float) -> Founded:
    """The first event of a club; raises `MalformedError` for a name that is not allowed."""
    return Founded(at=now, id=club, name=checked_name(name), key=key)


def join(club: Club, member: int | None, name: str, now: float) -> Joined:
    """The event by which somebody joins under a name, or a member changes it; raises `MalformedError`."""
    return Joined(at=now, member=member or club.num_joined + 1, name=checked_name(name))
