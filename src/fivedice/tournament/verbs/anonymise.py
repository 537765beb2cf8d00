"""The end of a player's data: the server replaces the name, and the results stay."""

from fivedice.tournament.change import Change
from fivedice.tournament.event import require
from fivedice.tournament.state import Move, Player, Tournament


class Anonymised(Change, frozen=True, tag="anonymised"):
    """A player has deleted everything: they have this name from now on, and are not drawn any more."""

    player: int
    name: str

    def apply(self, tournament: Tournament) -> Tournament:
        """The tournament with the name, also after its end."""
        require(self.player in tournament.players, "this player has never taken part")
        moves: list[Move] = [("out", self.player)] if tournament.players[self.player].is_in else []
        return tournament.next(*moves, players={**tournament.players, self.player: Player(self.name, is_in=False)})
