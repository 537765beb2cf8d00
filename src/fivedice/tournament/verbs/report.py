"""The result of a table, which the server reports when its game is over."""

from fivedice.tournament.change import Change, TournamentCommand
from fivedice.tournament.context import Context
from fivedice.tournament.event import require
from fivedice.tournament.state import Loss, Score, Tournament


class Reported(Change, frozen=True, tag="reported"):
    """The game at a table is over: the final scores by seat, none if the table was closed before. In a duplicate, with
    the points that everybody's decisions lost."""

    table: str
    scores: tuple[Score, ...]
    losses: tuple[Loss, ...] = ()

    def apply(self, tournament: Tournament) -> Tournament:
        """The tournament with the result."""
        game = tournament.game(self.table)
        require(game is not None, "this table is not one of the tournament")
        assert game is not None, "checked above"
        require(game.scores is None, "this table has a result already")
        require(len(self.scores) in (0, len(game.players)), f"want {len(game.players)} scores")
        require(
            len(self.losses) == (len(self.scores) if tournament.settings.format == "duplicate" else 0), "want losses"
        )
        return tournament.with_result(self.table, self.scores, self.losses)


class Report(TournamentCommand, frozen=True, tag="report"):
    """Report a result; clients cannot."""

    table: str
    scores: tuple[Score, ...]
    losses: tuple[Loss, ...] = ()

    def decide(self, tournament: Tournament, context: Context) -> Reported:
        """Report it."""
        return Reported(at=context.now, table=self.table, scores=self.scores, losses=self.losses)
