"""`Clubs`: founds clubs, and carries out what members and organisers ask for."""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from sqlalchemy import Connection

from fivedice.proof import commitment
from fivedice.server.clubs.logs import ClubLogs, Decided, created_write
from fivedice.server.clubs.rounds import RoundTable, round_tables, seed_of, store_tables
from fivedice.server.config.settings import Settings as ServerSettings
from fivedice.server.config.shards import new_table_id
from fivedice.storage.rows.clubs import add_member, member_of, remove_member
from fivedice.storage.rows.holders import new_secret
from fivedice.tournament.change import TournamentCommand
from fivedice.tournament.club import Club, HandedOver, Parted, Scheduled, found, join
from fivedice.tournament.context import Context
from fivedice.tournament.event import NotOrganiserError
from fivedice.tournament.settings import Settings
from fivedice.tournament.state import Tournament
from fivedice.tournament.verbs import Created, Drawn

Count = Callable[[int], None]
"""Counts bytes that are about to be stored; raises `TooFastError`."""


class Clubs:
    """Changes clubs and tournaments; `on_game` is told of each table of a new round.

    All methods raise `UnavailableError`, and `UnknownError` for an unknown id.
    """

    def __init__(self, logs: ClubLogs, settings: ServerSettings, on_game: Callable[[str], None]) -> None:
        self.logs = logs
        self._settings = settings
        self._on_game = on_game

    async def found(self, name: str) -> tuple[Club, str]:
        """A new club, and the secret of its organiser's link; raises `MalformedError` for the name."""
        key = new_secret()
        first = found(_new_id(), name, _hashed(key), self._settings.clock())
        await self.logs.found(first)
        return await self.logs.club(first.club), key

    async def member(self, club: str, holder: str | None) -> int | None:
        """The number of a holder in a club; None if they are not in it."""
        if holder is None:
            return None
        return await self.logs.database.fetched(partial(member_of, club=club, holder=holder))

    async def join(self, club: str, holder: str, name: str) -> Club:
        """Make a holder a member, or rename them; raises `IllegalError` or `MalformedError`."""
        member = await self.member(club, holder)

        def decide(state: Club) -> Decided:
            event = join(state, member, name, self._settings.clock())
            if state.members.get(event.member) == event.name:
                return Decided([])
            write = partial(add_member, club=club, member=event.member, holder=holder)
            return Decided([(_new_id(), event)], write)

        return await self.logs.change_club(club, "", decide)

    async def part(self, club: str, holder: str | None, member: int | None, key: str) -> Club:
        """Take a member out: the holder themself, or another one if `key` is the organiser's."""
        own = await self.member(club, holder)

        def decide(state: Club) -> Decided:
            if member is not None and member != own:
                _require_key(state, key)
            number = own if member is None else member
            if number is None:
                raise NotOrganiserError("you are not in this club")
            event = Parted(at=self._settings.clock(), member=number)
            return Decided([(_new_id(), event)], partial(remove_member, club=club, member=number))

        return await self.logs.change_club(club, "", decide)

    async def hand_over(self, club: str, key: str) -> str:
        """The secret of a new organiser's link; the one before does not work any more."""
        new = new_secret()

        def decide(state: Club) -> Decided:
            _require_key(state, key)
            return Decided([(_new_id(), HandedOver(at=self._settings.clock(), key=_hashed(new)))])

        await self.logs.change_club(club, "", decide)
        return new

    async def schedule(self, club: str, command: str, settings: Settings, key: str) -> Club:
        """Put a tournament in the calendar."""
        secret = self._settings.new_secret()

        def decide(state: Club) -> Decided:
            _require_key(state, key)
            event = Scheduled(at=self._settings.clock(), tournament=_new_id(), settings=settings)
            created = Created(
                at=event.at, tournament=event.tournament, club=club, settings=settings, commitment=commitment(secret)
            )
            return Decided([(f"o:{command}", event)], created_write(created, secret))

        return await self.logs.change_club(club, f"o:{command}", decide)

    async def command(
        self, tournament: str, holder: str | None, command: TournamentCommand, key: str, count: Count
    ) -> Tournament:
        """Carry out a command of a tournament.

        `count` is called with the bytes of the tables that a draw creates. Raises `NotOrganiserError`, `IllegalError`
        or `MalformedError`.
        """
        state, secret = await self.logs.with_secret(tournament)
        club = await self.logs.club(state.club)
        member = await self.member(club.id, holder)
        if key:
            _require_key(club, key)
        context = Context(
            now=self._settings.clock(),
            member=member,
            is_organiser=bool(key),
            members=club.members,
            new_table=lambda: new_table_id(self._settings.shards),
        )
        stored_command = f"{'o' if key else member}:{command.id}"
        tables: tuple[RoundTable, ...] = ()

        def decide(state: Tournament) -> Decided:
            nonlocal tables
            seed = seed_of(secret, len(state.rounds) + 1)
            event = command.decide(state, replace(context, seed=seed))
            write = None
            if isinstance(event, Drawn):
                tables = round_tables(state, event, self._settings.new_secret, context.now)
                count(sum(one.num_bytes for one in tables))

                def write(connection: Connection) -> None:
                    store_tables(connection, state, tables)

            return Decided([(stored_command, event)], write)

        changed = await self.logs.change_tournament(tournament, stored_command, decide)
        for one in tables:
            self._on_game(one.created.table)
        return changed


def _require_key(club: Club, key: str) -> None:
    """Raise `NotOrganiserError` unless this is the secret of the organiser's link."""
    if not hmac.compare_digest(_hashed(key), club.key):
        raise NotOrganiserError("only the organiser can do that, with the organiser's link")


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _new_id() -> str:
    """An id that cannot be guessed, because a link to a club is the invitation to it."""
    return secrets.token_urlsafe(12)
