"""`/api/me/imported`: who played the imported games of this browser, and which of them was its user."""

import asyncio
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import JSONBody
from sqlalchemy import Connection

from fivedice.errors import MalformedError, UnknownError, shown
from fivedice.game.names import MAX_NAME_CHARACTERS
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.server.games.own_seats import names_of, played_with, seat_named
from fivedice.server.http.handling.costs import rate_limit_work
from fivedice.server.http.handling.error_responses import documented
from fivedice.server.http.handling.params import TheServices, TheVisitor
from fivedice.storage.rows.records import seats_of_records, set_seats

Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME_CHARACTERS)]


class PlayedWithView(msgspec.Struct, frozen=True):
    """Imported games that the same people played. `own` is the name of this browser's user among them, empty if none of
    them is, and null until they have said which."""

    names: list[str]
    games: int
    own: str | None


class ImportedGamesView(msgspec.Struct, frozen=True):
    """The people of the imported games, those first of whom the user has not said which they are."""

    people: list[PlayedWithView]


class OwnName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which of these people this browser's user is in imported games, empty for none of them."""

    names: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=MAX_SEATS)]
    own: Name


@get("/api/me/imported", guards=[rate_limit_work], responses=documented(503))
async def list_people(services: TheServices, visitor: TheVisitor) -> ImportedGamesView:
    """Who played the imported games of this browser. Games that only computers played are not among them."""
    holder = visitor.holder
    if holder is None:
        return ImportedGamesView([])
    return await asyncio.to_thread(services.database.read, lambda connection: _people(connection, holder))


@post("/api/me/imported", guards=[rate_limit_work], status_code=200, responses=documented(400, 404, 503))
async def choose_own_name(data: JSONBody[OwnName], services: TheServices, visitor: TheVisitor) -> ImportedGamesView:
    """Say who of these people this browser's user is, in all imported games that they played."""
    holder, names = visitor.holder, tuple(sorted(set(data.names)))
    if data.own and data.own not in names:
        raise MalformedError(f"own {shown(data.own)}: want one of the names, or an empty text for none of them")

    def store(connection: Connection) -> ImportedGamesView:
        found = [one for one in seats_of_records(connection, holder or "") if names_of(one.people) == names]
        if not found:
            raise UnknownError(f"there is no imported game of {shown(', '.join(names))}")
        for one in found:
            set_seats(connection, holder or "", one.people, seat_named(one.people, data.own))
        return _people(connection, holder or "")

    return await services.database.written(store)


def _people(connection: Connection, holder: str) -> ImportedGamesView:
    found = played_with(seats_of_records(connection, holder))
    return ImportedGamesView([PlayedWithView(list(one.names), one.num_games, one.own) for one in found])
