"""Pause a tournament, and resume it: no round is drawn meanwhile, but games go on."""

from fivedice.tournament.change import Change, TournamentCommand, require_organiser
from fivedice.tournament.context import Context
from fivedice.tournament.event import require
from fivedice.tournament.state import Tournament


class Paused(Change, frozen=True, tag="paused"):
    """The tournament is paused, or with `is_paused` false it goes on."""

    is_paused: bool = True

    def apply(self, tournament: Tournament) -> Tournament:
        """The tournament in that state."""
        require(not tournament.is_over, "the tournament is over")
        require(tournament.is_paused != self.is_paused, f"it is {'' if self.is_paused else 'not '}paused already")
        return tournament.next(is_paused=self.is_paused)


class Pause(TournamentCommand, frozen=True, tag="pause"):
    """Pause the tournament, or with `paused` false resume it."""

    paused: bool = True

    def decide(self, tournament: Tournament, context: Context) -> Paused:
        """Pause or resume."""
        require_organiser(context)
        return Paused(at=context.now, is_paused=self.paused)
