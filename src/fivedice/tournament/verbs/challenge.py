"""Challenge somebody above in a ladder."""

from fivedice.tournament.change import Change, PlayerCommand
from fivedice.tournament.context import Context
from fivedice.tournament.drawing.draws import seated
from fivedice.tournament.event import PlayerNumber, require
from fivedice.tournament.ladder import open_to
from fivedice.tournament.state import Game, Round, Tournament
from fivedice.tournament.verbs.draw import DrawnTable

MAX_CHALLENGES = 1_000


class Challenged(Change, frozen=True, tag="challenged"):
    """A player challenged another one; their table is open at once. The seed decides who begins."""

    round: int
    seed: str
    tables: tuple[DrawnTable]
    challenger: int

    def apply(self, tournament: Tournament) -> Tournament:
        """The tournament with the challenge."""
        [table] = self.tables
        others = {*table.players} - {self.challenger}
        require(not tournament.is_over, "the tournament is over")
        require(not tournament.is_paused, "the tournament is paused")
        require(self.round == len(tournament.rounds) + 1, f"challenge {len(tournament.rounds) + 1} is next")
        require(self.round <= MAX_CHALLENGES, f"a ladder has at most {MAX_CHALLENGES} challenges: begin a new one")
        require(
            len(others) == 1 and others <= {*open_to(tournament, self.challenger)},
            f"a challenge goes to somebody up to {tournament.settings.reach} places above in a ladder, "
            "while neither is at another table of it",
        )
        round = Round(self.round, self.seed, (Game(table.table, table.players),), challenger=self.challenger)
        return tournament.next(rounds=(*tournament.rounds, round))


class Challenge(PlayerCommand, frozen=True, kw_only=True, tag="challenge"):
    """Challenge the player with this number, who is above, to a game."""

    opponent: PlayerNumber

    def decide(self, tournament: Tournament, context: Context) -> Challenged:
        """Challenge them."""
        challenger = self.number(context)
        table = DrawnTable(context.new_table(), seated((challenger, self.opponent), context.seed))
        return Challenged(
            at=context.now,
            round=len(tournament.rounds) + 1,
            seed=context.seed,
            tables=(table,),
            challenger=challenger,
        )
