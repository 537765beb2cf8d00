"""`Clubs`: founds clubs, and carries out what members and organisers ask for."""

import asyncio
import hashlib
import hmac
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce

from sqlalchemy import Connection

from fivedice.base.errors import IllegalError, require, shown
from fivedice.game.proof import commitment
from fivedice.server.clubs.rounds import RoundTable, names_at, round_tables, seed_of, store_round, store_tables
from fivedice.server.identity.look_alike import skeleton
from fivedice.server.live.event_store import EventStore, new_id
from fivedice.server.live.live_stream import Decided, ExtraWrite, LiveState, change_duplicate, state_of, store_first
from fivedice.server.live.registry import TableRegistry
from fivedice.server.matchmaking.duplicate import Duplicate, PlayersChanged
from fivedice.server.settings import Settings as ServerSettings
from fivedice.server.table.event import TournamentLink
from fivedice.storage.rows.holders import new_secret
from fivedice.storage.rows.streams import empty_seat, hold_seat, load_streams, parents_in_play
from fivedice.tournament.club import Club, HandedOver, Parted, Scheduled, found, join
from fivedice.tournament.event import Change, Context, Created, NotOrganiserError, TournamentCommand, apply
from fivedice.tournament.settings import Settings
from fivedice.tournament.state import Tournament
from fivedice.tournament.verbs import Challenge, Challenged, Draw, Drawn, Left, TookPart

Count = Callable[[int], None]
"""Counts bytes that are about to be stored; raises `TooFastError`."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player of the tournament of which a duplicate is a round: the number and name there, and the browsers."""

    number: int
    name: str
    holders: Collection[str]
    tournament: TournamentLink


@dataclass(eq=False)
class Clubs:
    """Changes clubs and tournaments; `on_game` is told of each table of a new round, and `on_round` of each tournament
    with a new round of a duplicate.

    All methods raise `UnavailableError`, and `UnknownError` for an unknown id.
    """

    _streams: TableRegistry
    _event_store: EventStore
    _settings: ServerSettings
    _on_game: Callable[[str], None]
    _on_round: Callable[[Tournament], None]

    async def found(self, name: str) -> tuple[Club, str]:
        """A new club, and the secret of its organiser's link; raises `MalformedError` for the name."""
        key = new_secret()
        first = found(new_id(), name, _hashed(key), self._settings.clock())
        await self._event_store.database.written(partial(store_first, kind="club", first=first))
        return (await self.club(first.id)).state, key

    async def club(self, id: str) -> LiveState[Club]:
        """A club."""
        return await self._streams.find_state(Club, id)

    async def tournament(self, id: str) -> LiveState[Tournament]:
        """A tournament."""
        return await self._streams.find_state(Tournament, id)

    async def round(self, id: str) -> LiveState[Duplicate]:
        """A round on the same dice."""
        return await self._streams.find_state(Duplicate, id)

    async def member(self, club: str, holder: str | None) -> int | None:
        """The number of a holder in a club; None if they are not in it."""
        return min((await self.club(club)).seats_of(holder), default=None)

    async def join(self, club: str, holder: str, name: str) -> Club:
        """Make a holder a member, or rename them; raises `IllegalError` or `MalformedError`.

        Joining under the name of a member who was enrolled without a browser takes over that member and their seats.
        """
        live = await self.club(club)
        tables: list[str] = []

        def decide(state: Club) -> Decided:
            shape = skeleton(name)
            own = min(live.seats_of(holder), default=None)
            alike = [number for number, other in state.members.items() if skeleton(other) == shape and number != own]
            enrolled = [number for number in alike if own is None and not live.holders.get(number)]
            event = join(state, enrolled[0] if enrolled else own, name, self._settings.clock())
            if len(alike) > len(enrolled):
                raise IllegalError("another member of the club has this name, or one that looks like it")
            if own and state.members[own] == event.name:
                return Decided([])

            def write(connection: Connection) -> None:
                seats = _seats_in_play(connection, state, event.member) if enrolled else []
                for stream, seat in ((club, event.member), *seats):
                    hold_seat(connection, stream, seat, holder, event.at)
                tables[:] = [table for table, _ in seats]

            return Decided([(new_id(), event)], write)

        joined = await self._change_club(club, decide)
        for table in tables:
            self._streams.on_notice(table, 0)
        return joined

    async def enrol(self, club: str, names: Sequence[str], key: str) -> Club:
        """Make people members by their names, without a browser; raises `IllegalError` or `MalformedError`."""

        def decide(state: Club) -> Decided:
            _require_key(state, key)
            taken, events, after = {skeleton(other) for other in state.members.values()}, [], state
            for name in names:
                if (shape := skeleton(name)) in taken:
                    raise IllegalError(f"the club has a member {shown(name)}, or one whose name looks like it")
                taken.add(shape)
                event = join(after, None, name, self._settings.clock())
                events.append((new_id(), event))
                after = event.apply(after)
            return Decided(events)

        return await self._change_club(club, decide)

    async def part(self, club: str, holder: str | None, member: int | None, key: str) -> Club:
        """Take a member out: the holder themself, or another one if `key` is the organiser's."""
        own = await self.member(club, holder)

        def decide(state: Club) -> Decided:
            if member is not None and member != own:
                _require_key(state, key)
            number = own if member is None else member
            if number is None:
                raise NotOrganiserError("you are not in this club")
            require(number in state.members, f"the club has no member {number}")
            event = Parted(at=self._settings.clock(), member=number)
            return Decided([(new_id(), event)], partial(empty_seat, stream=club, seat=number))

        return await self._change_club(club, decide)

    async def hand_over(self, club: str, key: str, new: str) -> Club:
        """Replace the secret of the organiser's link by a new one, which its sender knows although the answer is
        lost."""

        def decide(state: Club) -> Decided:
            if hmac.compare_digest(_hashed(new), state.key):
                return Decided([])  # it is sent again
            _require_key(state, key)
            return Decided([(new_id(), HandedOver(at=self._settings.clock(), key=_hashed(new)))])

        return await self._change_club(club, decide)

    async def schedule(self, club: str, command: str, settings: Settings, key: str) -> Club:
        """Put a tournament in the calendar."""
        secret = self._settings.new_secret()

        def decide(state: Club) -> Decided:
            _require_key(state, key)
            event = Scheduled(at=self._settings.clock(), tournament=new_id(), settings=settings)
            created = Created(
                at=event.at, id=event.tournament, club=club, settings=settings, commitment=commitment(secret)
            )
            return Decided(
                [(f"o:{command}", event)],
                partial(store_first, kind="tournament", first=created, secret=secret, parent=club),
            )

        return await self._change_club(club, decide, f"o:{command}")

    async def command(
        self, tournament: str, holder: str | None, command: TournamentCommand, key: str, count: Count
    ) -> Tournament:
        """Carry out a command of a tournament.

        `count` is called with the bytes of the tables that a draw creates. People who have left the club are not drawn
        or challenged. Raises `NotOrganiserError`, `IllegalError` or `MalformedError`.
        """
        live = await self.tournament(tournament)
        state, club = live.state, (await self.club(live.state.club)).state
        member = await self.member(club.id, holder)
        if key:
            _require_key(club, key)
        is_duplicate = state.settings.format == "duplicate"
        context = Context(
            now=self._settings.clock(), member=member, is_organiser=bool(key), members=club.members, new_table=new_id
        )
        stored_command = f"{'o' if key else member}:{command.id}"
        tables: tuple[RoundTable, ...] = ()
        is_drawn = False

        def decide(state: Tournament) -> Decided:
            nonlocal tables, is_drawn
            gone = [one for one in state.present if one not in club.members]
            left = [Left(at=context.now, player=one) for one in gone if isinstance(command, Draw | Challenge)]
            state = reduce(apply, left, state)
            seed = seed_of(live.secret, len(state.rounds) + 1)
            event = command.decide(state, replace(context, seed=seed))
            event.apply(state)  # no tables are made for what is not allowed
            write = None
            if is_duplicate:
                write = self._duplicate_write(state, event)
                is_drawn = isinstance(event, Drawn)
            elif isinstance(event, Drawn | Challenged):
                tables = round_tables(state, event, self._settings.new_secret, context.now)
                count(sum(one.num_bytes for one in tables))

                def write(connection: Connection) -> None:
                    store_tables(connection, state, tables)

            return Decided([*((new_id(), one) for one in left), (stored_command, event)], write)

        changed = await self._event_store.change(live, decide, stored_command)
        for one in tables:
            self._on_game(one.created.table)
        if is_drawn:
            self._on_round(changed)
        elif is_duplicate and changed.rounds:
            self._streams.on_notice(changed.rounds[-1].games[0].table, 0)
        return changed

    async def player(self, tournament: str, duplicate: str, holder: str | None) -> Player:
        """The player that a holder is in a round of a duplicate; raises `IllegalError`."""
        state = (await self.tournament(tournament)).state
        club = await self.club(state.club)
        number, game = await self.member(club.id, holder), state.game(duplicate)
        if number is None or game is None or number not in game.players or not state.players[number].is_in:
            raise IllegalError("only those who take part in the tournament can play in its rounds")
        names = await asyncio.to_thread(names_at, state, game.players)
        return Player(
            number, names[number], frozenset(club.holders[number]), TournamentLink(state.id, state.settings.name)
        )

    async def _change_club(self, id: str, decide: Callable[[Club], Decided], command: str = "") -> Club:
        return await self._event_store.change(await self.club(id), decide, command)

    def _duplicate_write(self, before: Tournament, event: Change[Tournament]) -> ExtraWrite | None:
        """What is written with an event of a duplicate: the round that it draws, or who can enter the one before."""
        if isinstance(event, Drawn):
            return partial(store_round, tournament=before, drawn=event, secret=self._settings.new_secret())
        if before.is_between_rounds or not isinstance(event, TookPart | Left):
            return None
        [game], players = before.rounds[-1].games, tuple(event.apply(before).present)
        changed = PlayersChanged(at=event.at, players=players)
        return partial(change_duplicate, id=game.table, command=new_id(), decide=lambda *_: changed)


def _seats_in_play(connection: Connection, club: Club, member: int) -> list[tuple[str, int]]:
    """The tables of a member at which a game goes on, and the seat at each."""
    logs = load_streams(connection, parents_in_play(connection, [one.id for one in club.calendar]))
    games = (state_of(log).game_of(member) for log in logs.values())
    return [(game.table, game.players.index(member)) for game in games if game and game.scores is None]


def _require_key(club: Club, key: str) -> None:
    """Raise `NotOrganiserError` unless this is the secret of the organiser's link."""
    if not hmac.compare_digest(_hashed(key), club.key):
        raise NotOrganiserError("only the organiser can do that, with the organiser's link")


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
