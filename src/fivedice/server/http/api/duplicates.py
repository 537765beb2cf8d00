"""`/api/duplicates`: games on the same dice for many people: open one, play in it, and its standings."""

from typing import Annotated

import msgspec
from litestar import Response
from litestar.params import JSONBody, PathParameter, QueryParameter

from fivedice.base.errors import IllegalError, UnknownError
from fivedice.base.language import language
from fivedice.game.names import MAX_NAME_CHARACTERS, checked_name
from fivedice.server.config.limits import ROW_BYTES
from fivedice.server.games.comparison import Made, compared
from fivedice.server.http.handling.asker import Asker, TheAsker
from fivedice.server.http.handling.endpoints import get, post
from fivedice.server.http.handling.params import Lang
from fivedice.server.live.duplicates import HiddenError, Seen, checked_rules, entry_created
from fivedice.server.matchmaking.duplicate import MAX_SEATS, MIN_SEATS, Duplicate, Entry, in_order, ranks
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.table.available import available_here
from fivedice.server.table.create import Options, wanted_ruleset
from fivedice.server.table.event_json import game_bytes
from fivedice.server.table.state import ruleset_of
from fivedice.views.duplicates import (
    DuplicateComparisonView,
    DuplicateEntryView,
    DuplicateView,
    EnteredView,
    EntryState,
    OwnDuplicateView,
)

MIN_DUPLICATE_SECONDS = 600
"""The time that everybody has for one."""

MAX_DUPLICATE_SECONDS = 30 * 86_400
"""The longest."""

LISTED_DUPLICATE_SECONDS = 7 * 86_400
"""That one is among those of a browser after it has closed."""

DuplicateId = Annotated[str, PathParameter(description="the id of the game, the last part of its link", max_length=32)]
Number = Annotated[int, QueryParameter(description="the number of an entry", ge=1, le=1_000_000)]
Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME_CHARACTERS)]


class NewDuplicate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game on the same dice: shipped rules, how many can play, and the seconds until nobody can play any more."""

    seats: Annotated[int, msgspec.Meta(ge=MIN_SEATS, le=MAX_SEATS)]
    seconds: Annotated[int, msgspec.Meta(ge=MIN_DUPLICATE_SECONDS, le=MAX_DUPLICATE_SECONDS)]
    rules: Annotated[str, msgspec.Meta(max_length=400)] = "yahtzee"
    options: Options = {}


class PlayAs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name under which somebody plays."""

    name: Name


@post("/api/duplicates", 400, 404, 413, 503, status_code=201)
async def open_duplicate(data: JSONBody[NewDuplicate], asker: TheAsker) -> DuplicateView:
    """Open a game on the same dice. Its link is the invitation: anyone who has it can play in it, once."""
    ruleset, _ = await in_rules_thread(wanted_ruleset, data.rules, data.options)
    rules = await in_rules_thread(checked_rules, str(ruleset))
    asker.store(2 * ROW_BYTES)
    id = await asker.services.duplicates.open(rules, data.seats, data.seconds)
    return await _view(asker, await asker.services.duplicates.look(id, asker.holder))


@get("/api/duplicates", 503)
async def list_duplicates(asker: TheAsker) -> list[OwnDuplicateView]:
    """The games on the same dice in which this browser plays, or played until a week ago."""
    found = await asker.services.duplicates.of_holder(asker.holder, asker.now - LISTED_DUPLICATE_SECONDS)
    return [_own(asker, one) for one in found]


@get("/api/duplicates/{duplicate:str}", 400, 404, 503)
async def show_duplicate(duplicate: DuplicateId, asker: TheAsker) -> DuplicateView:
    """A game on the same dice: who plays, and for those who may see them the results, ranked by points lost."""
    return await _view(asker, await asker.services.duplicates.look(duplicate, asker.holder))


@post("/api/duplicates/{duplicate:str}/entries", 400, 404, 413, 503, needs_cookie=True)
async def enter_duplicate(duplicate: DuplicateId, data: JSONBody[PlayAs], asker: TheAsker) -> Response[EnteredView]:
    """Play: a table with one seat, which is this browser's. Whoever has one already gets that again.

    In a round of a tournament, only its players can, under the names that they have there.
    """
    name, player = checked_name(data.name), None
    seen = await asker.services.duplicates.look(duplicate, asker.holder)
    if seen.own:
        return asker.answer(EnteredView(min(seen.own)))
    if seen.duplicate.tournament:
        player = await asker.services.clubs.player(seen.duplicate.tournament, duplicate, asker.holder)
        name = player.name
    created = await in_rules_thread(entry_created, seen.duplicate, "", name, seen.commitment, asker.now)
    asker.store(game_bytes(created) + ROW_BYTES)
    holder = await asker.become_holder()
    table = await asker.services.duplicates.enter(duplicate, holder, name, player)
    return asker.answer(EnteredView(table))


@get("/api/duplicates/{duplicate:str}/comparison", 400, 404, 503)
async def compare_entries(
    duplicate: DuplicateId, first: Number, second: Number, asker: TheAsker, lang: Lang = "en"
) -> DuplicateComparisonView:
    """Two games beside each other, if you may see all: what each chose with the same dice, and what that cost."""
    seen, losses = await asker.services.duplicates.look(duplicate, asker.holder), asker.services.duplicate_losses
    if not seen.duplicate.shows_all(seen.own, asker.now):
        raise HiddenError("games are compared once you have finished yours, or the time for all has passed")
    games: list[list[Made]] = []
    for number in (first, second):
        entry = next((one for one in seen.duplicate.entries if one.number == number), None)
        if entry is None:
            raise UnknownError(f"there is no entry {number} in this game")
        if entry.ended is None and seen.secret is None:
            raise IllegalError(f"{entry.name} is still playing")
        live = await asker.services.tables.find(entry.table)
        games.append(await asker.wait_for(losses.made(live.table, live.log, asker.address)))
    view = await _view(asker, seen)
    sides = {one.number: one for one in view.entries}
    is_own = sides[first].is_yours
    pairs = compared(games[0], games[1], language(lang) if is_own else None)
    return DuplicateComparisonView(sides[first], sides[second], pairs)


async def _view(asker: Asker, seen: Seen) -> DuplicateView:
    duplicate, now = seen.duplicate, asker.now
    ruleset = await in_rules_thread(ruleset_of, duplicate.rules)
    shows_all = duplicate.shows_all(seen.own, now)
    finished = [one for one in duplicate.entries if one.is_finished] if shows_all else []
    lost: dict[str, float] | None = {}
    if finished:
        tables = [one.table for one in finished]
        lost = await asker.services.duplicate_losses.of_tables(ruleset, tables, asker.address)
    by_number = {one.number: (lost or {})[one.table] for one in finished if one.table in (lost or {})}
    tournament = await asker.services.clubs.tournament(duplicate.tournament) if duplicate.tournament else None
    ranked = ranks(by_number) if len(by_number) == len(finished) else {}
    return DuplicateView(
        id=duplicate.id,
        version=seen.version,
        rules=duplicate.rules,
        rules_name=ruleset.name,
        seats=duplicate.seats,
        opened=duplicate.opened,
        closes=duplicate.closes,
        is_closed=duplicate.is_closed(now),
        shows_all=shows_all,
        commitment=seen.commitment,
        secret=seen.secret.hex() if seen.secret is not None else None,
        is_approximate=available_here(ruleset).is_approximate,
        may_enter=not seen.own and await _may_enter(asker, duplicate),
        your_table=min(seen.own, default=None),
        entries=[_entry(seen, one, by_number, ranked, now) for one in in_order(duplicate.entries, ranked)],
        tournament=duplicate.tournament,
        tournament_name=tournament.state.settings.name if tournament else "",
    )


async def _may_enter(asker: Asker, duplicate: Duplicate) -> bool:
    if duplicate.is_closed(asker.now) or len(duplicate.entries) >= duplicate.seats:
        return False
    if duplicate.tournament is None:
        return True
    try:
        player = await asker.services.clubs.player(duplicate.tournament, duplicate.id, asker.holder)
    except IllegalError:
        return False
    return player.number not in (one.number for one in duplicate.entries)


def _entry(seen: Seen, one: Entry, lost: dict[int, float], ranked: dict[int, int], now: float) -> DuplicateEntryView:
    is_shown = seen.shows(one, now)
    return DuplicateEntryView(
        number=one.number,
        name=one.name,
        state=_state(one, is_closed=seen.duplicate.is_closed(now)),
        is_yours=one.table in seen.own,
        table=one.table if is_shown else None,
        score=one.score if is_shown else None,
        lost=lost.get(one.number),
        rank=ranked.get(one.number),
    )


def _state(one: Entry, *, is_closed: bool) -> EntryState:
    if one.is_finished:
        return "finished"
    if one.ended is not None:
        return "given_up"
    return "late" if is_closed else "playing"


def _own(asker: Asker, one: Duplicate) -> OwnDuplicateView:
    name, num_ended = ruleset_of(one.rules).name, sum(entry.ended is not None for entry in one.entries)
    is_closed = one.is_closed(asker.now)
    return OwnDuplicateView(one.id, name, one.closes, is_closed, one.seats, len(one.entries), num_ended)
