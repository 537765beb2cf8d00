"""The verbs of a tournament, each a command with `decide` and an event with `apply`; unions at the end name them."""

from dataclasses import replace
from typing import Annotated

from msgspec import Meta, Struct

from fivedice.base.errors import MalformedError, require
from fivedice.game.names import is_name
from fivedice.tournament.drawing import draw, order_of_round_robin, seated
from fivedice.tournament.event import (
    Change,
    Context,
    Created,
    PlayerCommand,
    PlayerNumber,
    TournamentCommand,
    require_organiser,
)
from fivedice.tournament.settings import MAX_ON_SAME_DICE, MAX_PLAYERS
from fivedice.tournament.state import Game, Loss, Move, Player, Round, Score, Tournament, open_to

MAX_CHALLENGES = 1_000
MAX_NOTE = 200
MAX_SCORE = 10_000

AnyScore = Annotated[int, Meta(ge=-MAX_SCORE, le=MAX_SCORE)] | None
AnyLoss = Annotated[float, Meta(ge=0, le=MAX_SCORE)] | None


class TookPart(Change[Tournament], frozen=True, tag="entered"):
    """A member of the club takes part, for the first time or again. Whoever comes late has no points for rounds before
    that; a round robin takes nobody new after its first draw. In a duplicate they can still play in a round whose time
    has not passed, and in a ladder they begin at the bottom."""

    player: int
    name: str

    def apply(self, tournament: Tournament, /) -> Tournament:
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


class Left(Change[Tournament], frozen=True, tag="left"):
    """A player is not drawn any more, and keeps their points. A game in progress goes on; in a ladder, it no longer
    counts."""

    player: int

    def apply(self, tournament: Tournament, /) -> Tournament:
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


class DrawnTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a round, and its players in the order of their seats."""

    table: str
    players: tuple[int, ...]


class Drawn(Change[Tournament], frozen=True, tag="drawn"):
    """A round was drawn from a seed, which is published. Everybody who draws with it gets the same."""

    round: int
    seed: str
    tables: list[DrawnTable]
    byes: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    closes: float | None = None
    """When the time of a round of a duplicate has passed, in seconds since 1970."""

    def apply(self, tournament: Tournament, /) -> Tournament:
        """The tournament with the round."""
        _check_draw(tournament)
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
        _check_draw(tournament)
        tables, byes = draw(tournament, context.seed)
        hours = tournament.settings.hours
        sets_order = tournament.settings.format == "round_robin" and not tournament.order
        return Drawn(
            at=context.now,
            round=len(tournament.rounds) + 1,
            seed=context.seed,
            tables=[DrawnTable(context.new_table(), table) for table in tables],
            byes=tuple(byes),
            order=order_of_round_robin(tournament, context.seed) if sets_order else (),
            closes=None if hours is None else context.now + 3_600 * hours,
        )


def _check_draw(tournament: Tournament) -> None:
    """Raise `IllegalError` if no round can be drawn now."""
    require(tournament.settings.format != "ladder", "a ladder has no rounds: its members challenge each other")
    require(not tournament.is_over, "the tournament is over")
    require(not tournament.is_paused, "the tournament is paused: resume it first")
    require(tournament.is_between_rounds, "games of the last round have no result yet")
    require(len(tournament.present) > 1, "a round needs at least two players")


class Challenged(Change[Tournament], frozen=True, tag="challenged"):
    """A player challenged another one; their table is open at once. The seed decides who begins."""

    round: int
    seed: str
    tables: tuple[DrawnTable]
    challenger: int

    def apply(self, tournament: Tournament, /) -> Tournament:
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
            at=context.now, round=len(tournament.rounds) + 1, seed=context.seed, tables=(table,), challenger=challenger
        )


class Reported(Change[Tournament], frozen=True, tag="reported"):
    """The server noticed that the game at a table is over: the final scores by seat, none if the table was closed
    before. In a duplicate, with the points that everybody's decisions lost."""

    table: str
    scores: tuple[Score, ...]
    losses: tuple[Loss, ...] = ()

    def apply(self, tournament: Tournament, /) -> Tournament:
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


class Corrected(Change[Tournament], frozen=True, tag="corrected"):
    """The organiser entered or corrected the scores of a table."""

    table: str
    scores: tuple[AnyScore, ...]
    note: str
    losses: tuple[AnyLoss, ...] = ()

    def apply(self, tournament: Tournament, /) -> Tournament:
        """The tournament with the scores."""
        game = tournament.game(self.table)
        require(game is not None, "this table is not one of the tournament")
        assert game is not None, "checked above"
        require(len(self.scores) == len(game.players), f"want {len(game.players)} scores, one for each seat")
        if tournament.settings.format == "duplicate":
            require(game.scores is not None, "the results of this round come when its time has passed")
            finished = [score is not None for score in self.scores]
            require([loss is not None for loss in self.losses] == finished, "want the points lost with each score")
        else:
            require(not self.losses, "points lost count in a duplicate only")
            require(any(score is not None for score in self.scores), "not everybody can have given up")
        return tournament.with_result(self.table, self.scores, self.losses, self.note)


class Correct(TournamentCommand, frozen=True, tag="correct"):
    """Enter or correct the scores of a table by seat, null for somebody who gave up, with the reason.

    In a duplicate, correct those of a round, with the points lost; both are null for somebody who has not finished.
    """

    table: Annotated[str, Meta(max_length=64)]
    scores: Annotated[tuple[AnyScore, ...], Meta(max_length=MAX_ON_SAME_DICE)]
    note: Annotated[str, Meta(max_length=MAX_NOTE)]
    losses: Annotated[tuple[AnyLoss, ...], Meta(max_length=MAX_ON_SAME_DICE)] = ()

    def decide(self, tournament: Tournament, context: Context) -> Corrected:
        """Correct it."""
        require_organiser(context)
        note = " ".join(self.note.split())
        if not is_name(note):
            raise MalformedError("note: say why in a line of visible characters; everybody sees it")
        return Corrected(at=context.now, table=self.table, scores=self.scores, note=note, losses=self.losses)


class Paused(Change[Tournament], frozen=True, tag="paused"):
    """The tournament is paused, or with `is_paused` false it goes on."""

    is_paused: bool = True

    def apply(self, tournament: Tournament, /) -> Tournament:
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


class Ended(Change[Tournament], frozen=True, tag="ended"):
    """No further round is drawn; games in progress still count."""

    def apply(self, tournament: Tournament, /) -> Tournament:
        """The tournament at its end."""
        require(not tournament.is_over, "the tournament is over already")
        return tournament.next(is_ended=True)


class End(TournamentCommand, frozen=True, tag="end"):
    """End the tournament now."""

    def decide(self, tournament: Tournament, context: Context) -> Ended:
        """End it."""
        require_organiser(context)
        return Ended(at=context.now)


class Anonymised(Change[Tournament], frozen=True, tag="anonymised"):
    """A player has deleted everything: they have this name from now on, and are not drawn any more. After the
    end of a tournament its order no longer changes."""

    player: int
    name: str

    def apply(self, tournament: Tournament, /) -> Tournament:
        """The tournament with the name, also after its end; only its log has one who left before they were drawn."""
        known = tournament.players.get(self.player)
        if known is None:
            return tournament.next()
        stays = known.is_in and tournament.is_over
        moves: list[Move] = [("out", self.player)] if known.is_in and not stays else []
        return tournament.next(*moves, players={**tournament.players, self.player: Player(self.name, stays)})


AnyTournamentCommand = TakePart | Leave | Draw | Challenge | Correct | Pause | End
"""What clients may send."""

AnyTournamentEvent = Created | TookPart | Left | Drawn | Challenged | Reported | Corrected | Paused | Ended | Anonymised
