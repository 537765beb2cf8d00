"""`/api/clubs` and `/api/tournaments`: what they show, and what their members, players and organisers ask for."""

from functools import partial
from io import BytesIO
from typing import Annotated

import msgspec
from msgspec import Meta

from fivedice.game.names import MAX_NAME_CHARACTERS, checked_name
from fivedice.server.clubs.clubs import Clubs
from fivedice.server.clubs.rounds import checked_settings
from fivedice.server.clubs.views import club_view, own_club_view, standings_csv, tournament_view
from fivedice.server.config.limits import ROW_BYTES
from fivedice.server.http.handling.asker import Asker
from fivedice.server.http.handling.endpoints import require_cookie
from fivedice.server.live.live_state import LiveState
from fivedice.server.replies.endpoint import get, post
from fivedice.server.solving.pool import in_rules_thread
from fivedice.storage.rows.streams import held_streams
from fivedice.tournament.event import CommandId, PlayerNumber
from fivedice.tournament.settings import Settings
from fivedice.tournament.state import Tournament
from fivedice.tournament.verbs import AnyTournamentCommand
from fivedice.views.clubs import ClubView, OwnClubView, TournamentView

ClubId = Annotated[str, Meta(description="the club's id, the last part of its link", max_length=32)]
Key = Annotated[str, Meta(max_length=64)]
Name = Annotated[str, Meta(max_length=MAX_NAME_CHARACTERS)]


class NewClub(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a new club."""

    name: Name


class _Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    pass


class Join(_Command, frozen=True, tag="join"):
    """Become a member under a name, or take another name."""

    name: Name


class Enrol(_Command, frozen=True, tag="enrol"):
    """Add people by their names, with the organiser's key: they need no browser, since their results can be entered."""

    names: Annotated[list[Name], Meta(min_length=1, max_length=100)]
    key: Key


class Part(_Command, frozen=True, tag="part"):
    """Leave the club, or with the organiser's key take another member out."""

    member: PlayerNumber | None = None
    key: Key = ""


class Schedule(_Command, frozen=True, tag="schedule"):
    """Put a tournament in the calendar."""

    id: CommandId
    settings: Settings
    key: Key


class HandOver(_Command, frozen=True, tag="hand_over"):
    """Replace the organiser's link by a new one, to give it to somebody else; the one before works no longer."""

    key: Key


@get("/api/qr", media_type="image/svg+xml")
async def draw_code(text: Annotated[str, Meta(description="a link to scan", min_length=1, max_length=300)]) -> str:
    """A QR code, black on white."""
    import segno  # not needed to start

    drawn = BytesIO()
    segno.make_qr(text, error="m").save(drawn, kind="svg", light="#fff", border=2, omitsize=True, xmldecl=False)
    return drawn.getvalue().decode()


@post("/api/clubs", success=201)
async def found_club(asker: Asker, clubs: Clubs, data: NewClub) -> ClubView:
    """Found a club. Its link is the invitation to it; only the organiser's link, with the key, can change its plans."""
    asker.store(4 * ROW_BYTES)
    club, key = await clubs.found(data.name)
    return club_view(club, None, key)


@get("/api/clubs")
async def list_clubs(asker: Asker, clubs: Clubs) -> list[OwnClubView]:
    """The clubs that this browser is a member of."""
    ids = await asker.fetched(partial(held_streams, holder=asker.holder, kind="club"))
    return [own_club_view((await clubs.club(id)).state) for id in ids]


@get("/api/clubs/{club}", 404, cost=0)
async def show_club(asker: Asker, clubs: Clubs, club: ClubId) -> ClubView:
    """A club, its members and its calendar."""
    live = await clubs.club(club)
    return club_view(live.state, await clubs.member(club, asker.holder))


@post("/api/clubs/{club}/commands", 401, 403, 404, renews_cookie=True)
async def command_club(
    asker: Asker, clubs: Clubs, club: ClubId, data: Join | Enrol | Part | Schedule | HandOver
) -> ClubView:
    """Join a club or leave it, add people, put a tournament in its calendar, or hand it over."""
    holder, key = asker.holder, ""
    await clubs.club(club)  # before anything is counted
    asker.store(4 * ROW_BYTES)
    match data:
        case Join():
            await require_cookie(asker.request)  # otherwise a lost answer leaves a member without a browser
            holder = await asker.become_holder()
            state = await clubs.join(club, holder, data.name)
        case Enrol():
            state = await clubs.enrol(club, data.names, data.key)
        case Part():
            state = await clubs.part(club, holder, data.member, data.key)
        case Schedule():
            named = msgspec.structs.replace(data.settings, name=checked_name(data.settings.name))
            state = await clubs.schedule(club, data.id, await in_rules_thread(checked_settings, named), data.key)
        case HandOver():
            key = await clubs.hand_over(club, data.key)
            state = (await clubs.club(club)).state
    return club_view(state, await clubs.member(club, holder), key)


TournamentId = Annotated[str, Meta(description="the tournament's id, the last part of its link", max_length=32)]


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command, with the key of the club's organiser unless a player sends it about themself."""

    command: AnyTournamentCommand
    key: Annotated[str, Meta(max_length=64)] = ""


@get("/api/tournaments/{tournament}", 404, cost=0, pays_for_bytes=True)
async def show_tournament(
    asker: Asker,
    clubs: Clubs,
    tournament: TournamentId,
    rounds: Annotated[bool, Meta(description="whether to include all rounds, not only the last")] = False,
) -> TournamentView:
    """A tournament with its standings."""
    return await _view(asker, clubs, await clubs.tournament(tournament), all_rounds=rounds)


@post("/api/tournaments/{tournament}/commands", 403, 404)
async def command_tournament(asker: Asker, clubs: Clubs, tournament: TournamentId, data: Asked) -> TournamentView:
    """Take part or not; as the organiser draw a round, correct a result, pause, resume or end the tournament.

    A draw creates the tables of the round, with everybody in their seats.
    """
    asker.store(2 * ROW_BYTES)
    await clubs.command(tournament, asker.holder, data.command, data.key, asker.store)
    return await _view(asker, clubs, await clubs.tournament(tournament), all_rounds=True)


@get("/api/tournaments/{tournament}/standings.csv", 404, media_type="text/csv", saved_as="standings.csv")
async def export_standings(clubs: Clubs, tournament: TournamentId) -> str:
    """The standings as a CSV file."""
    return standings_csv((await clubs.tournament(tournament)).state)


async def _view(asker: Asker, clubs: Clubs, live: LiveState[Tournament], *, all_rounds: bool = False) -> TournamentView:
    club = await clubs.club(live.state.club)
    return tournament_view(live, club.state, min(club.seats_of(asker.holder), default=None), all_rounds=all_rounds)
