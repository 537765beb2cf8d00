"""The views of clubs and tournaments."""

import csv
from io import StringIO

from msgspec.structs import replace

from fivedice.rulesets import load_ruleset
from fivedice.server.live.live_state import LiveState
from fivedice.server.table.available import available_here
from fivedice.tournament.club import Club
from fivedice.tournament.settings import TIE_BREAKS
from fivedice.tournament.standings import standings
from fivedice.tournament.state import Round, Tournament, open_to
from fivedice.views.clubs import (
    ClubView,
    MemberView,
    OwnClubView,
    RoundView,
    TournamentState,
    TournamentView,
)

NUM_CHALLENGES = 10
"""The last challenges of a ladder that are shown."""


def club_view(club: Club, you: int | None, key: str = "") -> ClubView:
    """A club, as a member sees it."""
    members = [MemberView(number, name) for number, name in sorted(club.members.items())]
    return ClubView(club.id, club.name, members, you, club.calendar, club.version, key)


def own_club_view(club: Club) -> OwnClubView:
    """A club in a list."""
    latest = max(club.calendar, key=lambda one: one.starts, default=None)
    return OwnClubView(club.id, club.name, latest)


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
