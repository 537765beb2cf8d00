"""The outcome of a game as a sentence."""

from collections.abc import Sequence

from fivedice.cli.language import chosen, numbered, say
from fivedice.game.record import Record


def outcome(record: Record) -> str:
    """A sentence with the winner and the winning score."""
    resigned = [record.seats[one.seat].name for one in record.resignations]
    winners = [record.seats[seat].name for seat in record.position.winners]
    if not winners:
        return say("{name} resigned.", name=resigned[0]) if record.is_over else say("The game is not finished.")
    cards = record.position.cards
    best = cards[record.position.winners[0]].total
    if len(cards) == 1:
        return say("Final score: {score}.", score=best)
    if len(cards) - len(resigned) == 1:
        return " ".join([resigned_sentence(resigned), say("{name} wins.", name=winners[0])])
    if len(winners) > 1:
        names = chosen().listed(winners)
        return numbered(
            "{names} share the victory with 1 point.", "{names} share the victory with {n} points.", best, names=names
        )
    if any(card.won for card in cards):
        return numbered(
            "{name} wins on a first roll with 1 point.",
            "{name} wins on a first roll with {n} points.",
            best,
            name=winners[0],
        )
    return numbered("{name} wins with 1 point.", "{name} wins with {n} points.", best, name=winners[0])


def resigned_sentence(names: Sequence[str]) -> str:
    """That these players gave up the game."""
    if len(names) == 1:
        return say("{name} resigned.", name=names[0])
    return say("{names} resigned.", names=chosen().listed(names))
