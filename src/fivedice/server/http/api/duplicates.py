"""`/api/duplicates`: games on the same dice for many people: open one, play in it, and its standings."""

from typing import Annotated

import msgspec
from msgspec import Meta

from fivedice.game.names import checked_name
from fivedice.server.clubs.clubs import Clubs
from fivedice.server.clubs.rounds import checked_rules
from fivedice.server.clubs.same_dice import SameDice, entry_created
from fivedice.server.http.handling.asker import Asker
from fivedice.server.http.handling.params import Named
from fivedice.server.limits import ROW_BYTES
from fivedice.server.matchmaking.duplicate import MAX_SEATS, MIN_SEATS
from fivedice.server.replies.asking import Lang
from fivedice.server.replies.endpoint import get, post
from fivedice.server.solving.pool import in_rules_thread
from fivedice.server.table.create import Options, wanted_ruleset
from fivedice.server.table.history import game_bytes
from fivedice.server.table.state import ruleset_of
from fivedice.views.duplicates import DuplicateComparisonView, DuplicateView, EnteredView, OwnDuplicateView

MIN_DUPLICATE_SECONDS = 600
"""The shortest time in which everybody can play."""

MAX_DUPLICATE_SECONDS = 30 * 86_400
"""The longest time for that."""

LISTED_DUPLICATE_SECONDS = 7 * 86_400
"""How long a game is listed after it has closed."""

DuplicateId = Annotated[str, Meta(description="the id of the game, the last part of its link", max_length=32)]
Number = Annotated[int, Meta(description="the number of an entry", ge=1, le=1_000_000)]


class NewDuplicate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game on the same dice: shipped rules, how many can play, and the seconds until nobody can play any more."""

    seats: Annotated[int, Meta(ge=MIN_SEATS, le=MAX_SEATS)]
    seconds: Annotated[int, Meta(ge=MIN_DUPLICATE_SECONDS, le=MAX_DUPLICATE_SECONDS)]
    rules: Annotated[str, Meta(max_length=400)] = "yahtzee"
    options: Options = {}


@post("/api/duplicates", 404, success=201)
async def open_duplicate(asker: Asker, same_dice: SameDice, data: NewDuplicate) -> DuplicateView:
    """Open a game on the same dice. Its link is the invitation: anyone who has it can play in it, once."""
    ruleset, _ = await in_rules_thread(wanted_ruleset, data.rules, data.options)
    rules = await in_rules_thread(checked_rules, str(ruleset))
    asker.store(2 * ROW_BYTES)
    id = await same_dice.open(rules, data.seats, data.seconds)
    return await same_dice.view(id, asker.holder, asker.address)


@get("/api/duplicates")
async def list_duplicates(asker: Asker, same_dice: SameDice) -> list[OwnDuplicateView]:
    """The games on the same dice in which this browser plays, or played until a week ago."""
    return [
        OwnDuplicateView(
            id=one.id,
            rules_name=ruleset_of(one.rules).name,
            closes=one.closes,
            is_closed=one.is_closed(asker.now),
            seats=one.seats,
            num_entries=len(one.entries),
            num_ended=sum(entry.ended is not None for entry in one.entries),
        )
        for one in await same_dice.of_holder(asker.holder, asker.now - LISTED_DUPLICATE_SECONDS)
    ]


@get("/api/duplicates/{duplicate}", 404)
async def show_duplicate(asker: Asker, same_dice: SameDice, duplicate: DuplicateId) -> DuplicateView:
    """A game on the same dice: who plays, and for those who may see them the results, ranked by points lost."""
    return await same_dice.view(duplicate, asker.holder, asker.address)


@post("/api/duplicates/{duplicate}/entries", 404, needs_cookie=True)
async def enter_duplicate(
    asker: Asker, same_dice: SameDice, clubs: Clubs, duplicate: DuplicateId, data: Named
) -> EnteredView:
    """Play: a table with one seat, which is this browser's. Whoever has one already gets that again.

    In a round of a tournament, only its players can, under the names that they have there.
    """
    name, player = checked_name(data.name), None
    seen = await same_dice.look(duplicate, asker.holder)
    if seen.table:
        return EnteredView(seen.table)
    if seen.duplicate.tournament:
        player = await clubs.player(seen.duplicate.tournament, duplicate, asker.holder)
        name = player.name
    created = await in_rules_thread(entry_created, seen.duplicate, "", name, seen.commitment, asker.now)
    asker.store(game_bytes(created) + ROW_BYTES)
    holder = await asker.become_holder()
    return EnteredView(await same_dice.enter(duplicate, holder, name, player))


@get("/api/duplicates/{duplicate}/comparison", 404)
async def compare_entries(
    asker: Asker, same_dice: SameDice, duplicate: DuplicateId, first: Number, second: Number, lang: Lang = "en"
) -> DuplicateComparisonView:
    """Two games beside each other, if you may see all: what each chose with the same dice, and what that cost."""
    work = same_dice.comparison(duplicate, (first, second), asker.holder, asker.address, lang)
    return await asker.wait_for(work)
