"""Standings: places as a function of the results.

A table gives its winner 12 points and its last player none; the places between are evenly spaced, and people with
equal scores share the points of their places. Somebody without a game in a round, by the draw, gets the 12 points of a
winner, and no score. A table that was closed without a result gives nothing.

In a duplicate, whoever has finished more rounds is ahead, then whoever lost fewer points in them. A ladder has
the order of `ladder.order`.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from fivedice.tournament.settings import TIE_BREAKS, TieBreak
from fivedice.tournament.state import Game, Score, Tournament, beats, order

WIN = 12
"""The points of a winner: the least number that can be shared at tables of up to four."""


@dataclass(slots=True)
class Standing:
    """The place of a player, from 1, with what decides it. `points` are twelfths of a win; `opponents` are those of all
    people met, `beaten` those of people beaten and half of those tied with; `wins` counts tables, `score` is the sum of
    scores; `lost` is in points, and 0 but in a duplicate."""

    player: int
    place: int = 0
    points: int = 0
    opponents: int = 0
    beaten: float = 0.0
    wins: int = 0
    score: int = 0
    played: int = 0
    byes: int = 0
    lost: float = 0.0

    def key(self, tie_breaks: Iterable[TieBreak]) -> tuple[float, ...]:
        """What is compared, greatest first."""
        return tuple(-self.lost if one == "lost" else getattr(self, one) for one in tie_breaks)


def points_of(scores: tuple[Score, ...]) -> list[int]:
    """The points of each player at a table with these final scores.

    >>> points_of((243, 198)), points_of((200, None, 200)), points_of((150, 240, 180, 180))
    ([12, 0], [9, 0, 9], [0, 12, 6, 6])
    """
    below = [(sum(beats(own, other) for other in scores), sum(own == other for other in scores)) for own in scores]
    return [WIN * (2 * beaten + equal - 1) // (2 * (len(scores) - 1)) for beaten, equal in below]


def standings(tournament: Tournament) -> list[Standing]:
    """The standings, the best first; people on a shared place are in the order of their numbers. Those of a ladder are
    the people who are in it."""
    found, left = {number: Standing(number) for number in sorted(tournament.players)}, annulled(tournament)
    for drawn in tournament.rounds:
        for player in drawn.byes:
            found[player].points += WIN
            found[player].byes += 1
        for game in drawn.games:
            if left.isdisjoint(game.players):
                (_add_losses if tournament.settings.format == "duplicate" else _add)(found, game)
                continue
            for player in left.symmetric_difference(game.players) - left:
                found[player].points += WIN
                found[player].byes += 1
    if tournament.settings.format == "ladder":
        return [replace(found[player], place=place) for place, player in enumerate(order(tournament), 1)]
    for game in tournament.games() if tournament.settings.format != "duplicate" else ():
        if left.isdisjoint(game.players):
            _add_opponents(found, game)
    for one in found.values():
        one.lost = round(one.lost, 6)
    tie_breaks = TIE_BREAKS[tournament.settings.format]
    ordered = sorted(found.values(), key=lambda one: one.key(tie_breaks), reverse=True)
    for number, one in enumerate(ordered):
        before = ordered[number - 1]
        is_shared = number > 0 and one.key(tie_breaks) == before.key(tie_breaks)
        one.place = before.place if is_shared else number + 1
    return ordered


def annulled(tournament: Tournament) -> frozenset[int]:
    """Those who left a round robin with less than half of their games, if their results count for nobody."""
    if not tournament.settings.annuls:
        return frozenset()
    played = Counter(player for game in tournament.games() if game.scores for player in game.players)
    gone = (number for number, player in tournament.players.items() if not player.is_in)
    return frozenset(number for number in gone if 2 * played[number] < len(tournament.order) - 1)


def _add(found: dict[int, Standing], game: Game) -> None:
    if not game.scores:
        return
    points = points_of(game.scores)
    for player, won, score in zip(game.players, points, game.scores, strict=True):
        one = found[player]
        one.points += won
        one.score += score or 0
        one.played += 1
        one.wins += won == max(points)


def _add_losses(found: dict[int, Standing], game: Game) -> None:
    for player, score, loss in zip(game.players, game.scores or (), game.losses, strict=False):
        if score is not None and loss is not None:
            one = found[player]
            one.score += score
            one.lost += loss
            one.played += 1


def _add_opponents(found: dict[int, Standing], game: Game) -> None:
    """Add what depends on the points of all players."""
    for own, score in zip(game.players, game.scores or (), strict=False):
        for other, theirs in zip(game.players, game.scores or (), strict=False):
            if other != own:
                found[own].opponents += found[other].points
                found[own].beaten += found[other].points * (beats(score, theirs) + (score == theirs) / 2)
