"""`/api/clubs` and `/api/tournaments`: what they show, and what their members, players and organisers ask for."""

import csv
from functools import partial
from io import BytesIO, StringIO
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from fivedice.game.names import checked_name
from fivedice.rulesets import load_ruleset
from fivedice.server.clubs.clubs import Clubs
from fivedice.server.clubs.rounds import checked_settings
from fivedice.server.http.handling.asker import Asker
from fivedice.server.http.handling.endpoints import require_cookie
from fivedice.server.http.handling.params import Named
from fivedice.server.limits import ROW_BYTES
from fivedice.server.live.live_stream import LiveState
from fivedice.server.replies.endpoint import get, post
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.table.available import available_here
from fivedice.server.table.verb import Name
from fivedice.storage.rows.streams import held_streams
from fivedice.tournament.club import Club, Planned
from fivedice.tournament.event import CommandId, PlayerNumber
from fivedice.tournament.settings import TIE_BREAKS, Settings
from fivedice.tournament.standings import standings
from fivedice.tournament.state import Round, Tournament, open_to
from fivedice.tournament.verbs import AnyTournamentCommand
from fivedice.views.clubs import ClubView, MemberView, OwnClubView, RoundView, TournamentState, TournamentView

ClubId = Annotated[str, Meta(description="the club's id, the last part of its link", max_length=32)]
Key = Annotated[str, Meta(max_length=64)]


class _Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    pass


class Join(_Command, frozen=True, tag="join"):
    """Become a member under a name, or take another name."""

    name: Name


class Enrol(_Command, frozen=True, tag="enrol"):
    """Add people by their names, with the organiser's key: they need no browser, since their results can be entered.

    Without any names, only the key is checked.
    """

    names: Annotated[list[Name], Meta(max_length=100)]
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
    """Replace the organiser's link by one with a `new` secret, to give it to somebody else; the one before no longer
    works. Sent again, it changes nothing."""

    key: Key
    new: Annotated[str, Meta(min_length=32, max_length=64)]


@get("/api/qr", media_type="image/svg+xml")
async def draw_code(text: Annotated[str, Meta(description="a link to scan", min_length=1, max_length=300)]) -> str:
    """A QR code, black on white."""
    import segno  # not needed to start

    drawn = BytesIO()
    segno.make_qr(text, error="m").save(drawn, kind="svg", light="#fff", border=2, omitsize=True, xmldecl=False)
    return drawn.getvalue().decode()


@post("/api/clubs", success=201)
async def found_club(asker: Asker, clubs: Clubs, data: Named) -> ClubView:
    """Found a club. Its link is the invitation to it; only the organiser's link, with the key, can change its plans."""
    asker.store(4 * ROW_BYTES)
    club, key = await clubs.found(data.name)
    return club_view(club, None, key)


@get("/api/clubs")
async def list_clubs(asker: Asker, clubs: Clubs) -> list[OwnClubView]:
    """The clubs that this browser is a member of."""
    ids = await asker.fetched(partial(held_streams, holder=asker.holder, kind="club"))
    found = [(await clubs.club(id)).state for id in ids]
    return [OwnClubView(one.id, one.name, _next(one, asker.now)) for one in found]


EVENING_SECONDS = 12 * 3_600
"""How long after its planned beginning a tournament is shown before the next one."""


def _next(club: Club, now: float) -> Planned | None:
    """The tournament of a club that is on or comes next; the last one if none does."""
    calendar = sorted(club.calendar, key=lambda one: one.starts)
    return next((one for one in calendar if one.starts > now - EVENING_SECONDS), calendar[-1] if calendar else None)


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
    holder = asker.holder
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
            state = await clubs.hand_over(club, data.key, data.new)
    return club_view(state, await clubs.member(club, holder))


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


NUM_CHALLENGES = 10
"""The last challenges of a ladder that are shown."""


def club_view(club: Club, you: int | None, key: str = "") -> ClubView:
    """A club, as a member sees it."""
    members = [MemberView(number, name) for number, name in sorted(club.members.items())]
    return ClubView(club.id, club.name, members, you, club.calendar, club.version, key)


def tournament_view(
    live: LiveState[Tournament], club: Club, you: int | None, *, all_rounds: bool = False
) -> TournamentView:
    """A tournament, as a player sees it. What everybody sees of a version is made once."""
    tournament = live.state
    view: TournamentView = live.view or _shared_view(live, club.name)
    live.view = view
    rounds = tournament.rounds if all_rounds else tournament.rounds[-1:]
    if tournament.settings.format == "ladder" and not all_rounds:
        ended = [one for one in tournament.rounds if one.is_over][-NUM_CHALLENGES:]
        rounds = tuple(one for one in tournament.rounds if not one.is_over or one in ended)
    game = tournament.game_of(you) if you is not None else None
    is_open = game is not None and game.scores is None and tournament.settings.format != "duplicate"
    return replace(
        view,
        rounds=[_round(tournament, one) for one in rounds],
        you=you,
        your_table=game.table if game and is_open else None,
        open_to_you=[] if you is None else open_to(tournament, you),
    )


def standings_csv(tournament: Tournament) -> str:
    """The standings as a CSV file with a head line; a name that a spreadsheet would compute begins with a quote.

    Names are in quotation marks, because some spreadsheets divide a line at `;`.
    """
    out = StringIO()
    rows = csv.writer(out, lineterminator="\r\n", quoting=csv.QUOTE_NONNUMERIC)
    columns = ("place", "player", "points", "opponents", "beaten", "wins", "score", "played", "byes", "lost")
    rows.writerow(("place", "name", *columns[2:]))
    for one in standings(tournament):
        name = tournament.players[one.player].name
        safe = f"'{name}" if name.startswith(("=", "+", "-", "@")) else name
        rows.writerow((one.place, safe, *(getattr(one, column) for column in columns[2:])))
    return out.getvalue()


def _shared_view(live: LiveState[Tournament], club_name: str) -> TournamentView:
    tournament = live.state
    settings = tournament.settings
    return TournamentView(
        id=tournament.id,
        club=tournament.club,
        club_name=club_name,
        version=tournament.version,
        name=settings.name,
        format=settings.format,
        state=_state(tournament),
        starts=settings.starts,
        pace=0 if settings.format == "duplicate" else settings.pace,
        hours=settings.hours,
        reach=settings.reach,
        seats=settings.seats,
        num_rounds=tournament.num_rounds,
        num_drawn=len(tournament.rounds),
        rules=[load_ruleset(one).name for one in settings.rules],
        tie_breaks=list(TIE_BREAKS[settings.format]),
        players=[MemberView(number, one.name, one.is_in) for number, one in sorted(tournament.players.items())],
        places=standings(tournament),
        rounds=[],
        commitment=tournament.commitment,
        secret=live.secret.hex() if tournament.is_over else None,
        is_approximate=settings.format == "duplicate"
        and any(available_here(load_ruleset(one)).is_approximate for one in settings.rules),
        open_to_you=[],
        annuls=settings.annuls,
    )


def _state(tournament: Tournament) -> TournamentState:
    if tournament.is_over:
        return "over"
    if tournament.is_paused:
        return "paused"
    if tournament.settings.format == "ladder":
        return "playing"
    if not tournament.rounds:
        return "planned"
    return "between" if tournament.is_between_rounds else "playing"


def _round(tournament: Tournament, one: Round) -> RoundView:
    rules = load_ruleset(tournament.settings.rules_of(one.number)).name
    return RoundView(one.number, rules, one.seed, one.games, list(one.byes), one.closes, one.challenger)
