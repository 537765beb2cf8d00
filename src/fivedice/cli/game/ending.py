"""The `Ending` of a game: who won by how much, all totals, and how the result compares with earlier games."""

from collections.abc import Sequence
from dataclasses import dataclass

from fivedice.cli.game.session import Session
from fivedice.cli.records.saved_games import saved_games
from fivedice.game.record import Record, Seat

_NAMELESS = Seat("human", "human")
"""A person without a name in older records."""


@dataclass(frozen=True, slots=True)
class Ending:
    """Three sentences on a finished game. `totals` is empty in a game of one seat, `history` if several people play."""

    headline: str
    totals: str
    history: str

    @property
    def sentences(self) -> list[str]:
        return [sentence for sentence in (self.headline, self.totals, self.history) if sentence]


def ending(session: Session) -> Ending:
    """The ending of a finished game; reads the saved games of the only person."""
    record, names, you = session.record, session.names, session.you
    totals = [card.total for card in record.position.cards]
    listed = ", ".join(f"{name} {total}" for name, total in zip(names, totals, strict=True))
    is_complete = you is not None and (record.position.cards[you].is_complete or not record.resignations)
    history = ""
    if you is not None and is_complete:
        history = _history(record.ruleset.name, totals[you], earlier_totals(session, you))
    return Ending(headline(record, names, you), f"{listed}." if len(totals) > 1 else "", history)


def headline(record: Record, names: Sequence[str], you: int | None) -> str:
    """Who won, and by how much: `You won by 12.`, `You lost by 76.`, `Ann and Ben share the victory.`"""
    cards, winners = record.position.cards, record.position.winners
    totals = [card.total for card in cards]
    gone = [seat for seat, card in enumerate(cards) if card.resigned]
    if you in gone:
        return "You resigned."
    if not winners or len(gone) == len(cards) - 1 > 0:
        resigned = f"{' and '.join(names[seat] for seat in gone)} resigned."
        return f"{resigned} {names[winners[0]]} won." if winners else resigned
    best = totals[winners[0]]
    if len(cards) == 1:
        return f"{names[0]} scored {best}."
    if len(winners) > 1:
        others = [names[seat] if seat != you else "you" for seat in winners]
        shared = f"{', '.join(others[:-1])} and {others[-1]} share the victory."
        return f"{shared[0].upper()}{shared[1:]}"
    [winner] = winners
    if cards[winner].won:
        return f"{names[winner]} won on a first roll."
    if you is not None and winner != you:
        return f"You lost by {best - totals[you]}."
    second = max(totals[seat] for seat in record.position.remaining if seat != winner)
    return f"{names[winner]} won by {best - second}."


def earlier_totals(session: Session, seat: int) -> list[int]:
    """The totals of a person in all other finished games of the same rules in the user's folder."""
    people = (session.record.seats[seat], _NAMELESS)
    digest = session.record.ruleset.digest
    games = [game for game in saved_games()[0] if game.is_over and not game.is_cut_short and game.digest == digest]
    others = [game for game in games if game.file != session.saved.file]
    return [total for game in others for one, total in zip(game.seats, game.totals, strict=True) if one in people]


def _history(rules: str, total: int, earlier: Sequence[int]) -> str:
    if not earlier:
        return f"That was your first game of {rules}."
    average = (sum(earlier) + total) / (len(earlier) + 1)
    best = "Your best yet" if total > max(earlier) else f"Your best is {max(earlier)}"
    return f"{best}; your average over {len(earlier) + 1} games is {average:.0f}."
