"""`TournamentCommand`: what every command of a tournament has, and the first event of one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fivedice.tournament.event import Change, Command, First, NotOrganiserError, PlayerNumber
from fivedice.tournament.settings import Settings
from fivedice.tournament.state import Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """All that a decision depends on besides the tournament and the command.

    `member` is the sender's number in the club, None if they are not in it, and `members` names all who are.
    `seed` is that of the next round, and `new_table` returns the id of a new table.
    """

    now: float
    member: int | None = None
    is_organiser: bool = False
    members: Mapping[int, str]
    seed: str = ""
    new_table: Callable[[], str] = str


class Created(First[Tournament], frozen=True, tag="created"):
    """The tournament of a club was created. `commitment` is the SHA-256 of the secret from which its seeds follow."""

    club: str
    settings: Settings
    commitment: str

    def start(self) -> Tournament:
        """The tournament without players."""
        return Tournament(self.id, self.club, self.settings, self.commitment)


class TournamentCommand(Command, frozen=True):
    """A request to change a tournament."""

    def decide(self, tournament: Tournament, context: Context) -> Change[Tournament]:
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
