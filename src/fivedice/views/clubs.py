"""Clubs and tournaments as JSON. Players are named by their numbers as members of the club, from 1."""

from typing import Literal

import msgspec

from fivedice.tournament.club import Planned
from fivedice.tournament.settings import Format, TieBreak
from fivedice.tournament.standings import Standing
from fivedice.tournament.state import Game


class MemberView(msgspec.Struct, frozen=True):
    """A member of a club, or a player of a tournament. `is_in`: whether they are drawn in the next round."""

    number: int
    name: str
    is_in: bool = True


class ClubView(msgspec.Struct, frozen=True):
    """A club. `you` is the number of the member at this browser.

    `key` is the secret of the organiser's link, `/club/ID#organise=KEY`, in the answer to founding the club, and empty
    in any other.
    """

    id: str
    name: str
    members: list[MemberView]
    you: int | None
    calendar: tuple[Planned, ...]
    version: int
    key: str = ""


class OwnClubView(msgspec.Struct, frozen=True):
    """A club of this browser, and the tournament that is on or comes next, or the last one, if there is any."""

    id: str
    name: str
    next: Planned | None


class RoundView(msgspec.Struct, frozen=True):
    """A round: its rules, the seed of its draw, its tables, and the players who have none and get a winner's points.

    `closes` is when the time of a round of a duplicate passes, in seconds since 1970. A challenge of a ladder is a
    round of one match, with the number of the `challenger`.
    """

    number: int
    rules: str
    seed: str
    matches: tuple[Game, ...]
    byes: list[int]
    closes: float | None
    challenger: int | None


TournamentState = Literal["planned", "playing", "between", "paused", "over"]


class TournamentView(msgspec.Struct, frozen=True):
    """A tournament at a version.

    `num_rounds` is null in a round robin before its first draw, and in a ladder. `rules` are the names of the rulesets
    of the rounds, in turn. `tie_breaks` say in which order the figures of places count. `you` is the player at this
    browser, and `your_table` the table that waits for them. `rounds` is the last round, or all; in a ladder, the
    challenges in progress and the last others. `is_approximate` is whether what decisions lost is only known about.
    `annuls` is whether results of somebody who leaves a round robin early count for nobody. `open_to_you` are those
    whom you may challenge now. The seed of round N is the SHA-256 of the secret, in hexadecimal digits, a blank and N;
    the secret is null until the tournament is over.
    """

    id: str
    club: str
    club_name: str
    version: int
    name: str
    format: Format
    state: TournamentState
    starts: float
    pace: int
    """The seconds that players have for a turn; 0 where nobody waits for them."""
    hours: int | None
    reach: int
    seats: int
    num_rounds: int | None
    num_drawn: int
    rules: list[str]
    tie_breaks: list[TieBreak]
    players: list[MemberView]
    places: list[Standing]
    rounds: list[RoundView]
    commitment: str
    secret: str | None
    is_approximate: bool
    open_to_you: list[int]
    annuls: bool
    you: int | None = None
    your_table: str | None = None
