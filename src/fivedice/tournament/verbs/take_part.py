"""Take part, from the next round on."""

from fivedice.tournament.change import Change, PlayerCommand
from fivedice.tournament.context import Context
from fivedice.tournament.event import require
from fivedice.tournament.settings import MAX_ON_SAME_DICE, MAX_PLAYERS
from fivedice.tournament.state import Player, Round, Tournament


class TookPart(Change, frozen=True, tag="entered"):
    """A member of the club takes part, for the first time or again. Whoever comes late has no points for rounds before
    that; a round robin takes nobody new after its first draw. In a duplicate they can still play in a round whose time
    has not passed, and in a ladder they begin at the bottom."""

    player: int
    name: str

    def apply(self, tournament: Tournament) -> Tournament:
        """The tournament with the player."""
        require(not tournament.is_over, "the tournament is over")
        known = tournament.players.get(self.player)
        require(not (known and known.is_in), "this player takes part already")
        if known is None:
            require(not tournament.order, "nobody new can take part in a round robin that has begun")
            most = MAX_ON_SAME_DICE if tournament.settings.format == "duplicate" else MAX_PLAYERS
            require(len(tournament.players) < most, f"this tournament has at most {most} players")
        players = {**tournament.players, self.player: Player(self.name)}
        return tournament.next(("in", self.player), players=players, rounds=self._rounds(tournament))

    def _rounds(self, tournament: Tournament) -> tuple[Round, ...]:
        """The rounds, with the player in that of a duplicate whose time has not passed."""
        round = tournament.rounds[-1] if tournament.rounds else None
        if round is None or round.closes is None or round.is_over or self.at >= round.closes:
            return tournament.rounds
        [game] = round.games
        if self.player in game.players:
            return tournament.rounds
        return tournament.with_game(game.table, players=(*game.players, self.player))


class TakePart(PlayerCommand, frozen=True, tag="enter"):
    """Take part."""

    def decide(self, tournament: Tournament, context: Context) -> TookPart:
        """Take part under the name that the player has in the club."""
        number = self.number(context)
        require(number in context.members, f"the club has no member {number}")
        return TookPart(at=context.now, player=number, name=context.members[number])
