"""`ranks_of`: the places of the seats in a game."""

from fivedice.game.position import Position


def ranks_of(position: Position) -> list[int | None]:
    """The rank of each seat, 1 for the winners; tied seats share a rank, and those that resigned come last.

    None until the game is over, and in a game without a winner.
    """
    winners = position.winners
    if not winners:
        return [None] * len(position.cards)
    # A seat that won outright ranks above every total.
    results = [(seat in winners, not card.resigned, card.total) for seat, card in enumerate(position.cards)]
    return [1 + sum(other > result for other in results) for result in results]
