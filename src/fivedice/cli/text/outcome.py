"""The outcome of a game as a sentence."""

from fivedice.game.record import Record


def outcome(record: Record) -> str:
    """A sentence with the winner and the winning score."""
    resigned = [record.seats[one.seat].name for one in record.resignations]
    winners = [record.seats[seat].name for seat in record.position.winners]
    if not winners:
        return f"{resigned[0]} resigned." if record.is_over else "The game is not finished."
    cards = record.position.cards
    how = " on a first roll" if any(card.won for card in cards) else ""
    best = cards[record.position.winners[0]].total
    if len(cards) == 1:
        return f"Final score: {best}."
    if len(cards) - len(resigned) == 1:
        return f"{' and '.join(resigned)} resigned. {winners[0]} wins."
    if len(winners) == 1:
        return f"{winners[0]} wins{how} with {best} points."
    return f"{', '.join(winners[:-1])} and {winners[-1]} share the victory with {best} points."
