"""Builds the `TableView` of a table, which is the same for everybody."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.server.table.messages import TableView
from fivedice.server.table.state import PERSON, State, Table
from fivedice.views.action import action_parts
from fivedice.views.advice import AdviceView, advice_view
from fivedice.views.card import card_view, offer_views
from fivedice.views.table import DecisionView, DiceProofView, LeadView, Preparing, SeatView, TurnView

if TYPE_CHECKING:
    from fivedice.analysis.advice import Advice


def view(
    table: Table,
    *,
    secret: bytes,
    advice: "Advice | None" = None,
    last_loss: tuple[float, Action] | None = None,
    is_sought: bool = False,
    refusal: str = "",
    late_at: float | None = None,
    preparing: Mapping[str, Preparing | None] = MappingProxyType({}),
) -> TableView:
    """Return the view of a table. The secret of its dice, if it has one, is included only once the table has ended, and
    never that of a duplicate.

    `advice` is included if the table gives it now and it belongs to the table's position. `last_loss` is the loss of
    `table.judged` and the best action in its place. `is_sought` is whether values for that are being found, and
    `refusal` why there are none; `late_at` is when the clock of the person to move runs out, in seconds since 1970.
    `preparing` has the kinds of computer players that
    cannot decide yet.
    """
    position, state, created = table.position, table.state, table.created
    undo_seat = table.undo_seat
    return TableView(
        table=table.id,
        version=table.version,
        state=state,
        has_begun=table.has_begun,
        line=str(position),
        seats=_seats(table, preparing),
        turn=_turn(table) if state is State.PLAYING else None,
        first=table.first,
        help=table.help,
        has_review=not table.here.review,
        has_odds=table.has_odds,
        pace=created.pace,
        is_rated=table.is_rated,
        tournament=created.tournament,
        awaited=table.awaited if created.pace and table.since is None and state is State.PLAYING else [],
        late_at=late_at,
        advice=_advice(table, advice),
        last=_last(table, last_loss),
        can_undo=[] if table.is_rated or undo_seat is None or table.seats[undo_seat].decider != PERSON else [undo_seat],
        is_sought=is_sought,
        refusal=refusal,
        proof=None
        if table.is_real
        else DiceProofView(
            created.commitment,
            list(table.nonces),
            secret.hex() if table.has_ended and created.duplicate is None else None,
        ),
        duplicate=created.duplicate,
        dice=created.dice,
        lead=lead_of(position),
        rematch=table.rematch,
        rematch_by=table.rematch_by,
    )


def _seats(table: Table, preparing: Mapping[str, Preparing | None]) -> list[SeatView]:
    ranks, cards = table.position.ranks, table.position.cards
    margins = margins_of(table.position)
    return [
        SeatView(
            seat=index,
            name=seat.name,
            kind=seat.kind,
            is_open=seat.is_open,
            stand_in=seat.stand_in,
            resigned=card.resigned,
            card=card_view(card),
            preparing=preparing.get(seat.decider),
            asked=seat.asked,
            changed=seat.changed,
            is_late=seat.is_late,
            rank=rank,
            margin=margin,
            has_nonce=any(nonce.startswith(f"seat {index} ") for nonce in table.nonces),
        )
        for index, (seat, card, rank, margin) in enumerate(zip(table.seats, cards, ranks, margins, strict=True))
    ]


def lead_of(position: Position) -> LeadView | None:
    """Who leads in a game of several seats, and by how many points; None before the first points and after the end."""
    totals = {seat: position.cards[seat].total for seat in position.remaining}
    best = max(totals.values(), default=0)
    if len(totals) < 2 or best <= 0 or position.is_over:
        return None
    leaders = [seat for seat, total in totals.items() if total == best]
    second = max((total for total in totals.values() if total < best), default=best)
    return LeadView(leaders, best - second if len(leaders) == 1 else 0)


def margins_of(position: Position) -> list[int | None]:
    """By how many points each seat is ahead or behind: the only winner of the next seat, all others of the winners.

    None until the game is over, in a shared first place, for seats that resigned, and where the win was not decided by
    points.
    """
    winners = position.winners
    margins: list[int | None] = [None] * len(position.cards)
    if not winners or any(card.won for card in position.cards):
        return margins
    totals = [card.total for card in position.cards]
    best = totals[winners[0]]
    behind = {seat: best - totals[seat] for seat in position.remaining if seat not in winners}
    for seat, margin in behind.items():
        margins[seat] = margin
    if len(winners) == 1 and behind:
        margins[winners[0]] = min(behind.values())
    return margins


def _turn(table: Table) -> TurnView:
    turn, position = table.turn, table.position
    return TurnView(
        number=turn.number,
        seat=position.seat,
        round=position.round,
        dice=list(turn.places),
        kept=list(turn.kept),
        rolls_left=position.rolls_left,
        rolls=position.card.rolls,
        roll_id=turn.rolled_at,
        offers=offer_views(position),
        most_missing=position.most_missing if table.is_real else 0,
    )


def _advice(table: Table, advice: "Advice | None") -> AdviceView | None:
    if advice is None or not table.wants_advice or advice.position != table.position:
        return None
    return advice_view(advice, table.turn.places, table.turn.kept)


def _last(table: Table, last_loss: tuple[float, Action] | None) -> DecisionView | None:
    decision = table.judged
    if decision is None or last_loss is None:
        return None
    loss, best = last_loss
    return DecisionView(
        seat=decision.position.seat,
        action=str(decision.action),
        action_parts=action_parts(decision.action),
        loss=loss,
        best=str(best),
        best_parts=action_parts(best),
    )
