"""The `TableView` of a table: all that a page shows of it, the same for everybody."""

from typing import TYPE_CHECKING

from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.server.table.messages import DecisionView, DiceProofView, SeatView, TableView, TurnView
from fivedice.server.table.state import PERSON, State, Table
from fivedice.views.advice import AdviceView, advice_view
from fivedice.views.card import card_view, offer_views

if TYPE_CHECKING:
    from fivedice.analysis.advice import Advice


def view(
    table: Table,
    *,
    secret: bytes,
    advice: "Advice | None" = None,
    judged: tuple[float, Action] | None = None,
    solving: float | None = None,
    silent_at: float | None = None,
) -> TableView:
    """What a page shows. The secret of the dice is in it only when the table has ended.

    `advice` is shown if the table gives it now and it is advice on its position; `judged` is the loss of the table's
    last decision and the action that was best. `solving` is the part of the solution that is done while it is made,
    0 to 1, and `silent_at` when the person to move counts as silent, in seconds since 1970.
    """
    position, state, created = table.position, table.state, table.created
    undoer = table.undoer
    return TableView(
        table=table.id,
        version=table.version,
        state=state,
        has_begun=table.has_begun,
        line=str(position),
        seats=_seats(table),
        turn=_turn(table) if state is State.PLAYING else None,
        first=table.first,
        advice_mode=created.advice,
        tutor=created.tutor,
        silence=created.silence,
        silent_at=silent_at,
        advice=_advice(table, advice),
        last=_last(table, judged),
        can_undo=[undoer] if undoer is not None and table.seats[undoer].decider == PERSON else [],
        solving=solving,
        proof=DiceProofView(created.commitment, list(table.nonces), secret.hex() if table.has_ended else None),
        rematch=table.rematch,
    )


def _seats(table: Table) -> list[SeatView]:
    ranks = ranks_of(table.position)
    cards = table.position.cards
    return [
        SeatView(index, seat.name, seat.kind, seat.is_open, seat.stand_in, seat.is_skip, card_view(card), rank)
        for index, (seat, card, rank) in enumerate(zip(table.seats, cards, ranks, strict=True))
    ]


def ranks_of(position: Position) -> list[int | None]:
    """The rank of each seat, 1 for the winners, shared by all who tie; None while the game goes on."""
    winners = position.winners
    if not winners:
        return [None] * len(position.cards)
    # Whoever won outright stands before every total.
    results = [(seat in winners, card.total) for seat, card in enumerate(position.cards)]
    return [1 + sum(other > result for other in results) for result in results]


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
    )


def _advice(table: Table, advice: "Advice | None") -> AdviceView | None:
    if advice is None or not table.wants_advice or advice.position != table.position:
        return None
    return advice_view(advice, table.turn.places, table.turn.kept)


def _last(table: Table, judged: tuple[float, Action] | None) -> DecisionView | None:
    decision = table.decision
    if decision is None or judged is None or not table.wants_loss:
        return None
    loss, best = judged
    return DecisionView(decision.position.seat, str(decision.action), loss, str(best))
