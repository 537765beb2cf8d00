"""`Change` and `TournamentCommand`: what every verb of a tournament has."""

from fivedice.tournament.context import Context
from fivedice.tournament.event import Command, Event, NotOrganiserError, PlayerNumber
from fivedice.tournament.settings import Settings
from fivedice.tournament.state import Tournament


class Created(Event, frozen=True, tag="created"):
    """The tournament of a club was created. `commitment` is the SHA-256 of the secret from which its seeds follow."""

    tournament: str
    club: str
    settings: Settings
    commitment: str


class Change(Event, frozen=True):
    """An event that changes a tournament, as all but its creation do."""

    def apply(self, tournament: Tournament) -> Tournament:
        """The tournament after this event; raises `IllegalError` if the tournament does not allow it."""
        raise NotImplementedError


class TournamentCommand(Command, frozen=True):
    """A request to change a tournament."""

    def decide(self, tournament: Tournament, context: Context) -> Change:
        """The event that it becomes; raises `NotOrganiserError`, `IllegalError` or `MalformedError` with the reason."""
        raise NotImplementedError


class PlayerCommand(TournamentCommand, frozen=True):
    """A command about a player: the sender, or another member of the club if the organiser sends it."""

    player: PlayerNumber | None = None

    def number(self, context: Context) -> int:
        """The number of the player; raises `NotOrganiserError`."""
        if self.player is None or self.player == context.member:
            if context.member is None:
                raise NotOrganiserError("only members of the club take part: join it first")
            return context.member
        require_organiser(context)
        return self.player


def require_organiser(context: Context) -> None:
    """Raise `NotOrganiserError` unless the sender has the organiser's link."""
    if not context.is_organiser:
        raise NotOrganiserError("only the organiser can do that, with the organiser's link")
