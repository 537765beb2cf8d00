"""Draw the next round."""

from msgspec import Struct

from fivedice.tournament.change import Change, TournamentCommand, require_organiser
from fivedice.tournament.context import Context
from fivedice.tournament.drawing.draws import draw, order_of_round_robin
from fivedice.tournament.event import require
from fivedice.tournament.state import Game, Round, Tournament


class DrawnTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a round, and its players in the order of their seats."""

    table: str
    players: tuple[int, ...]


class Drawn(Change, frozen=True, tag="drawn"):
    """A round was drawn from a seed, which is published. Everybody who draws with it gets the same."""

    round: int
    seed: str
    tables: list[DrawnTable]
    byes: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    closes: float | None = None
    """When the time of a round of a duplicate has passed, in seconds since 1970."""

    def apply(self, tournament: Tournament) -> Tournament:
        """The tournament with the round."""
        _check(tournament)
        require(self.round == len(tournament.rounds) + 1, f"round {len(tournament.rounds) + 1} is next")
        drawn = [*self.byes, *(player for table in self.tables for player in table.players)]
        require(sorted(drawn) == tournament.present, "everybody who is present is drawn once")
        games = tuple(Game(table.table, table.players) for table in self.tables)
        round = Round(self.round, self.seed, games, self.byes, self.closes)
        return tournament.next(rounds=(*tournament.rounds, round), order=tournament.order or self.order)


class Draw(TournamentCommand, frozen=True, tag="draw"):
    """Draw the next round, once all games of the last one have results."""

    def decide(self, tournament: Tournament, context: Context) -> Drawn:
        """Draw it. For 500 players it takes up to a second."""
        require_organiser(context)
        _check(tournament)
        tables, byes = draw(tournament, context.seed)
        hours = tournament.settings.hours
        return Drawn(
            at=context.now,
            round=len(tournament.rounds) + 1,
            seed=context.seed,
            tables=[DrawnTable(context.new_table(), table) for table in tables],
            byes=tuple(byes),
            order=order_of_round_robin(tournament, context.seed) if _sets_order(tournament) else (),
            closes=None if hours is None else context.now + 3_600 * hours,
        )


def _sets_order(tournament: Tournament) -> bool:
    return tournament.settings.format == "round_robin" and not tournament.order


def _check(tournament: Tournament) -> None:
    """Raise `IllegalError` if no round can be drawn now."""
    require(tournament.settings.format != "ladder", "a ladder has no rounds: its members challenge each other")
    require(not tournament.is_over, "the tournament is over")
    require(not tournament.is_paused, "the tournament is paused: resume it first")
    require(tournament.is_between_rounds, "games of the last round have no result yet")
    require(len(tournament.present) > 1, "a round needs at least two players")
