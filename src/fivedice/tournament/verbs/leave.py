"""Take part no longer."""

from dataclasses import replace

from fivedice.tournament.change import Change, PlayerCommand
from fivedice.tournament.context import Context
from fivedice.tournament.event import require
from fivedice.tournament.state import Tournament


class Left(Change, frozen=True, tag="left"):
    """A player is not drawn any more, and keeps their points. A game in progress goes on; in a ladder, it no longer
    counts."""

    player: int

    def apply(self, tournament: Tournament) -> Tournament:
        """The tournament without the player, or with one who has left if they have been drawn before."""
        require(not tournament.is_over, "the tournament is over")
        known = tournament.players.get(self.player)
        require(known is not None and known.is_in, "this player does not take part")
        assert known is not None, "checked above"
        players = {**tournament.players, self.player: replace(known, is_in=False)}
        has_played = any(
            self.player in round.byes or any(self.player in game.players for game in round.games)
            for round in tournament.rounds
        )
        if not has_played and self.player not in tournament.order:
            del players[self.player]
        return tournament.next(("out", self.player), players=players)


class Leave(PlayerCommand, frozen=True, tag="leave"):
    """Take part no longer."""

    def decide(self, tournament: Tournament, context: Context) -> Left:
        """Leave."""
        return Left(at=context.now, player=self.number(context))
