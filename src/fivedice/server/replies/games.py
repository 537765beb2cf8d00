"""Reports on a game: its record, its best turns and its review; the check of any record; and games in a list."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from fivedice.game.chance import DiceSource
from fivedice.game.position import Position
from fivedice.game.record import Seat
from fivedice.server.limits import MAX_RECORD_BODY_BYTES, UPLOAD_TOKENS
from fivedice.server.replies.asking import Asking, Lang, TableId
from fivedice.server.replies.endpoint import TEXT, StaleError, get, post
from fivedice.server.table.preview import BestTurn, best_turn
from fivedice.server.table.state import State, ruleset_of
from fivedice.server.table.to_record import TableLog
from fivedice.views.games import PlayedSeatView
from fivedice.views.review import ReviewView
from fivedice.views.to_dict import RecordCheckView, RecordText, record_check_view

IsWhole = Annotated[bool, Meta(description="whether to wait for the parts that are being found")]


@get("/api/tables/{table}/record", 404, media_type=TEXT, saved_as="fivedice-{table}.txt")
async def show_record(asker: Asking, table: TableId) -> str:
    """The record of the game so far, as text; a finished game includes the proof of its dice,
    and one on the same dice as others once it has closed."""
    return await asker.run(_record_text, await asker.log_of(await asker.table(table)))


@get("/api/tables/{table}/best-turns", 404)
async def list_best_turns(asker: Asking, table: TableId) -> list[BestTurn | None]:
    """The best turn of each seat so far; null before its first score."""
    return await asker.run(_best_turns, (await asker.table(table)).log)


@get("/api/tables/{table}/review", 404, 409)
async def show_review(asker: Asking, table: TableId, lang: Lang = "en", whole: IsWhole = False) -> ReviewView:
    """The luck of every roll and the loss of every decision of a finished game.

    Unless it is asked for `whole`, `finding` may list parts that are being found.
    The reasons are in the language `lang`.
    """
    known = await asker.table(table)
    if not known.table.has_ended:
        raise StaleError("the game is not over yet: there is no review")
    return await asker.review(known, lang, is_whole=whole)


@post("/api/records/check", cost=UPLOAD_TOKENS, max_bytes=MAX_RECORD_BODY_BYTES)
async def check_points(asker: Asking, data: RecordText) -> RecordCheckView:
    """Replay a record by its rules, and check its points and its result. Nothing is stored, and no value is computed.

    The proof of its dice is not read: anyone can check that without a server.
    """
    return await asker.run(record_check_view, data.text, ruleset_of)


def _record_text(log: TableLog) -> str:
    return str(log.record())


def _best_turns(log: TableLog) -> list[BestTurn | None]:
    record = log.game()
    return [best_turn(record, seat) for seat in range(len(record.seats))]


class GameView(Struct, frozen=True):
    """A game of this browser. `table` is None for an imported game; `yours` are the seats of this browser.

    `round` of `rounds` is the current one, and `to_move` the seat whose turn it is, both None unless the game is being
    played.
    """

    table: str | None
    rules: str
    name: str
    """The name of the rules."""
    state: State
    seats: list[PlayedSeatView]
    yours: list[int]
    round: int | None
    rounds: int
    to_move: int | None
    at: float
    """The start of the game, in seconds since 1970."""
    updated: float
    """The time of its last move; of an imported game its start."""
    imported: float | None
    """The time of its import, or null for a game at a table of this server."""
    offline: bool = False
    """Whether it was played in a browser without a server."""
    dice: DiceSource = "program"
    """"real" if its dice were real ones, entered by hand."""


class GamesView(Struct, frozen=True):
    """A part of the games of this browser, most recent first."""

    games: list[GameView]
    unreadable: int
    """The number of games in this part that are left out, because the server cannot read them."""
    next: str | None
    """The `before` of the next part, or null at the end."""


def game_view(
    state: State,
    players: Sequence[Seat],
    position: Position,
    *,
    table: str | None,
    yours: Sequence[int],
    at: float,
    updated: float,
    imported: float | None = None,
    offline: bool = False,
    dice: DiceSource = "program",
) -> GameView:
    """A game as a list shows it, from its players and its position."""
    is_playing = state is State.PLAYING
    return GameView(
        table=table,
        rules=str(position.ruleset),
        name=position.ruleset.name,
        state=state,
        seats=[
            PlayedSeatView(seat.name, seat.kind, card.total, rank, card.resigned)
            for seat, card, rank in zip(players, position.cards, position.ranks, strict=True)
        ],
        yours=list(yours),
        round=position.round if is_playing else None,
        rounds=position.ruleset.rounds,
        to_move=position.seat if is_playing else None,
        at=at,
        updated=updated,
        imported=imported,
        offline=offline,
        dice=dice,
    )
