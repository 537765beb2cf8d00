"""The order of a ladder, and whom somebody may challenge.

Newcomers begin at the bottom. When a challenger wins, they take the place of the other, who goes down by one place with
everybody between them. Otherwise, after a tie too, the order stays.
"""

from fivedice.tournament.state import Round, Tournament, beats


def order(tournament: Tournament) -> list[int]:
    """The players of a ladder, the highest first: a function of who came and went and of the results."""
    found: list[int] = []
    for kind, number in tournament.moves:
        if kind == "in":
            found.append(number)
        elif kind == "out":
            found.remove(number)
        else:
            _settle(found, tournament.rounds[number - 1])
    return found


def open_to(tournament: Tournament, challenger: int) -> list[int]:
    """Whom a player may challenge now: those up to `reach` places above them, unless one of the two is at a table."""
    found = order(tournament) if tournament.settings.format == "ladder" else []
    busy = {player for game in tournament.games() if game.scores is None for player in game.players}
    if tournament.is_over or tournament.is_paused or challenger not in found or challenger in busy:
        return []
    place = found.index(challenger)
    return [one for one in found[max(0, place - tournament.settings.reach) : place] if one not in busy]


def _settle(found: list[int], round: Round) -> None:
    """Let the challenger take the other's place if they have won, unless one has left or they are above already."""
    [game] = round.games
    scores = dict(zip(game.players, game.scores or (), strict=False))
    [other] = [player for player in game.players if player != round.challenger]
    challenger = round.challenger
    if challenger not in found or other not in found or not beats(scores.get(challenger), scores.get(other)):
        return
    place = found.index(other)
    if place < found.index(challenger):
        found.remove(challenger)
        found.insert(place, challenger)
