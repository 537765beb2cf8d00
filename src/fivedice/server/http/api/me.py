"""`/api/me`: the games of this browser, what one of them means among others, figures about its player, and reminders.

`/api/dice` has the tests of all dice of the server in the same form as `/api/me/dice`.
"""

from functools import partial
from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from sqlalchemy import Connection

from fivedice.base.errors import MalformedError, UnknownError, shown
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.players.strength import over_all
from fivedice.server.games.game_list import GameList, names_of, played_with, seat_named
from fivedice.server.games.holder_figures import HolderFigures
from fivedice.server.http.handling.asker import Asker
from fivedice.server.http.handling.error_responses import NotYoursError
from fivedice.server.limits import MAX_ADDRESS_CHARACTERS
from fivedice.server.live.reminders import Reminders
from fivedice.server.replies.endpoint import delete, get, post
from fivedice.server.replies.games import GamesView
from fivedice.server.solving.pool import Pool
from fivedice.server.table.verb import Name
from fivedice.storage.rows.holders import rating_of
from fivedice.storage.rows.records import seats_of_records, set_seats
from fivedice.storage.rows.reminders import Reminded
from fivedice.storage.rows.server import load_counts
from fivedice.views.evaluation import rating_view
from fivedice.views.figures import DiceView, MyFiguresView, dice_view
from fivedice.views.games import ImportedGamesView, OutcomeView

PAGE_GAMES = 25
"""Games in a part of a holder's list."""

MAX_PAGE_GAMES = 100
"""The most, if a client asks for more."""


@get("/api/me")
async def list_games(
    asker: Asker,
    game_list: GameList,
    limit: Annotated[int, Meta(description="the most games", ge=1, le=MAX_PAGE_GAMES)] = PAGE_GAMES,
    before: Annotated[str, Meta(description="the `next` of the part before", max_length=200)] = "",
) -> GamesView:
    """The tables at which this browser holds a seat, and its imported records, most recent first, in parts."""
    return await game_list.page(asker.holder, limit, before)


@get("/api/me/outcome")
async def show_outcome(
    asker: Asker,
    holder_figures: HolderFigures,
    table: Annotated[str, Meta(description="the table", min_length=1, max_length=64)],
) -> OutcomeView:
    """What a finished game means for the players of this browser: personal best, average and streak."""
    return OutcomeView(await holder_figures.outcome(asker.holder, table))


@get("/api/me/figures")
async def show_figures(asker: Asker, holder_figures: HolderFigures) -> MyFiguresView:
    """Long-run figures of this browser's finished games, and the streak of days on which it played.

    What they lack of values is sought, for later requests.
    """
    found, days = await holder_figures.with_streak(asker.holder, asker.address)
    strength = over_all(one.strength for one in found)
    rating = await asker.fetched(partial(rating_of, holder=asker.holder or ""))
    return MyFiguresView(found, days, strength, rating_view(rating) if rating else None)


class OwnName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which of these people this browser's user is in imported games, empty for none of them."""

    names: Annotated[list[Name], Meta(min_length=1, max_length=MAX_SEATS)]
    own: Name


@get("/api/me/imported")
async def list_people(asker: Asker) -> ImportedGamesView:
    """Who played the imported games of this browser. Games that only computers played are not among them."""
    holder = asker.holder
    if holder is None:
        return ImportedGamesView([])
    return await asker.fetched(lambda connection: _people(connection, holder))


@post("/api/me/imported", 404)
async def choose_own_name(asker: Asker, data: OwnName) -> ImportedGamesView:
    """Say who of these people this browser's user is, in all imported games that they played."""
    holder, names = asker.holder, tuple(sorted(set(data.names)))
    if data.own and data.own not in names:
        raise MalformedError(f"own {shown(data.own)}: want one of the names, or an empty text for none of them")

    def store(connection: Connection) -> ImportedGamesView:
        found = [one for one in seats_of_records(connection, holder or "") if names_of(one.people) == names]
        if not found:
            raise UnknownError(f"there is no imported game of {shown(', '.join(names))}")
        for one in found:
            set_seats(connection, holder or "", one.people, seat_named(one.people, data.own))
        return _people(connection, holder or "")

    return await asker.written(store)


def _people(connection: Connection, holder: str) -> ImportedGamesView:
    return ImportedGamesView(played_with(seats_of_records(connection, holder)))


@get("/api/dice")
async def show_dice(asker: Asker, pool: Pool) -> DiceView:
    """Tests of all dice rolled at the tables of this server, except for the last minute."""

    async def work() -> DiceView:
        return await pool.run(dice_view, await asker.fetched(load_counts))

    return await asker.work(work)


@get("/api/me/dice")
async def show_my_dice(asker: Asker, holder_figures: HolderFigures) -> DiceView:
    """Tests of the dice in this browser's games that have ended, including imported ones."""
    return await holder_figures.dice(asker.holder)


NO_SEAT = "this browser holds no seat, so nobody waits for it"

BrowserAddress = Annotated[
    str, Meta(description="the address of the browser at its push service", max_length=MAX_ADDRESS_CHARACTERS)
]


class NewReminder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A browser to remind: what its `PushSubscription` says, in base64 for URLs, and the language of reminders.

    `turns` is for turns and rematches, `hour` for the daily ten: from 0 to 23 in the time `zone`; null for none.
    """

    address: Annotated[str, Meta(max_length=MAX_ADDRESS_CHARACTERS)]
    key: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{87}$")]
    auth: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$")]
    lang: Literal["en", "de", "sv"] = "en"
    turns: bool = True
    hour: Annotated[int, Meta(ge=0, le=23)] | None = None
    zone: Annotated[str, Meta(max_length=64)] = "UTC"
    replaces: Annotated[str, Meta(max_length=MAX_ADDRESS_CHARACTERS)] = ""
    """The address before, if the push service has given the browser another one: its reminders stay as they are."""


class ReminderKey(msgspec.Struct, frozen=True):
    """The public key of a server, which a browser names to its push service."""

    key: str
    is_known: bool
    """Whether this browser is reminded at the address that the request names."""


@get("/api/reminders/key")
async def show_reminder_key(
    asker: Asker,
    reminders: Reminders,
    address: Annotated[
        str, Meta(description="the address that the browser has", max_length=MAX_ADDRESS_CHARACTERS)
    ] = "",
) -> ReminderKey:
    """What a browser needs to ask its push service for an address, and whether it is reminded at the one it has."""
    return ReminderKey(await reminders.public_key(), await reminders.is_known(asker.holder, address))


@post("/api/me/reminders", 403, 404, renews_cookie=True)
async def add_reminder(asker: Asker, reminders: Reminders, data: NewReminder) -> None:
    """Remind this browser from now on, at all tables where it holds a seat, or of the daily ten."""
    holder = asker.holder
    if data.hour is not None:
        holder = await asker.become_holder()
    if holder is None:
        raise NotYoursError(NO_SEAT)
    if data.replaces:
        await reminders.move(holder, data.replaces, data.address, data.key, data.auth)
        return
    site = f"https://{asker.request.url.hostname or 'localhost'}"
    reminded = Reminded(data.address, data.key, data.auth, data.lang, site, data.turns, data.hour, data.zone)
    await reminders.add(holder, reminded, asker.now)


@delete("/api/me/reminders", 403)
async def remove_reminder(asker: Asker, reminders: Reminders, address: BrowserAddress) -> None:
    """Remind this browser no longer."""
    if asker.holder is None:
        raise NotYoursError(NO_SEAT)
    await reminders.remove(asker.holder, address)
