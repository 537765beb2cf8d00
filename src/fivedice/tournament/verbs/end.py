"""End a tournament before its last round."""

from fivedice.tournament.change import Change, TournamentCommand, require_organiser
from fivedice.tournament.context import Context
from fivedice.tournament.event import require
from fivedice.tournament.state import Tournament


class Ended(Change, frozen=True, tag="ended"):
    """No further round is drawn; games in progress still count."""

    def apply(self, tournament: Tournament) -> Tournament:
        """The tournament at its end."""
        require(not tournament.is_over, "the tournament is over already")
        return tournament.next(is_ended=True)


class End(TournamentCommand, frozen=True, tag="end"):
    """End the tournament now."""

    def decide(self, tournament: Tournament, context: Context) -> Ended:
        """End it."""
        require_organiser(context)
        return Ended(at=context.now)
