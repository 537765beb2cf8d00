"""Enter or correct a result by hand, with a note that everybody sees."""

from typing import Annotated

from msgspec import Meta

from fivedice.base.errors import MalformedError
from fivedice.tournament.change import Change, TournamentCommand, require_organiser
from fivedice.tournament.context import Context
from fivedice.tournament.event import require
from fivedice.tournament.settings import MAX_ON_SAME_DICE
from fivedice.tournament.state import Tournament

MAX_NOTE = 200
MAX_SCORE = 10_000

AnyScore = Annotated[int, Meta(ge=-MAX_SCORE, le=MAX_SCORE)] | None
AnyLoss = Annotated[float, Meta(ge=0, le=MAX_SCORE)] | None


class Corrected(Change, frozen=True, tag="corrected"):
    """The organiser entered or corrected the scores of a table."""

    table: str
    scores: tuple[AnyScore, ...]
    note: str
    losses: tuple[AnyLoss, ...] = ()

    def apply(self, tournament: Tournament) -> Tournament:
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
        if not note or not note.isprintable():
            raise MalformedError("note: say why in a line of visible characters; everybody sees it")
        return Corrected(at=context.now, table=self.table, scores=self.scores, note=note, losses=self.losses)
