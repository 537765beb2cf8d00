"""Tournaments of numbered players, for tests: `play` sends commands and applies events; `AnyCommands` sends any."""

from collections.abc import Callable, Iterable
from itertools import count
from random import Random
from typing import Any

from hypothesis.stateful import invariant

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.tournament.event import Context, Created, NotOrganiserError, TournamentCommand, apply
from fivedice.tournament.settings import Settings
from fivedice.tournament.state import Loss, Score, Tournament
from fivedice.tournament.verbs import Anonymised, Draw, Reported, TakePart
from tests.any_log import AnyLog

ID = "id-0000001"


def context(**changes: Any) -> Context:
    tables = count()
    members = {number: f"P{number}" for number in range(1, 1_001)}
    given: dict[str, Any] = {"now": 1.0, "is_organiser": True, "members": members}
    return Context(**{**given, "new_table": lambda: f"t{next(tables)}", **changes})


def created(format: Any = "evening", **settings: Any) -> Created:
    chosen: dict[str, Any] = {"name": "Thursday", "format": format, "rules": ["yahtzee"], "starts": 0.0}
    chosen |= {"hours": 24} if format == "duplicate" else {}
    chosen |= settings
    return Created(at=0.0, id="T", club="C", settings=Settings(**chosen), commitment="")


def play(tournament: Tournament, command: TournamentCommand, **changes: Any) -> Tournament:
    return apply(tournament, command.decide(tournament, context(**changes)))


def entered(num_players: int, format: Any = "evening", **settings: Any) -> Tournament:
    tournament = created(format, **settings).start()
    for number in range(1, num_players + 1):
        tournament = play(tournament, TakePart(id=ID, player=number))
    return tournament


def with_round(tournament: Tournament, seed: str, scores: Callable[[int], Iterable[Score]]) -> Tournament:
    """The tournament after one more round; `scores` returns those of a table with so many players."""
    number = len(tournament.rounds)
    tables = (f"t{number}-{index}" for index in count())
    tournament = play(tournament, Draw(id=ID), seed=seed, new_table=lambda: next(tables))
    for game in tournament.rounds[-1].games:
        found = tuple(scores(len(game.players)))
        losses = tuple(None if one is None else one / 8 for one in found)
        is_duplicate = tournament.settings.format == "duplicate"
        tournament = apply(tournament, reported(game.table, found, losses if is_duplicate else ()))
    return tournament


def reported(table: str, scores: tuple[Score, ...], losses: tuple[Loss, ...] = ()) -> Reported:
    return Reported(at=1.0, table=table, scores=scores, losses=losses)


def any_scores(random: Random) -> Callable[[int], list[Score]]:
    """Random scores, some of them equal, some of people who gave up."""
    return lambda num: [random.choice([None, 150, 150, 200, random.randrange(100, 400)]) for _ in range(num)]


class AnyCommands(AnyLog):
    """A tournament to which anything is sent."""

    kind = "tournament"

    @property
    def tournament(self) -> Tournament:
        state: Tournament = self.state
        return state

    def play(self, first: Created, num_players: int) -> None:
        self.begin(first)
        for player in range(1, num_players + 1):
            self.send(TakePart(id=ID, player=player))

    def send(self, command: TournamentCommand, **given: Any) -> bool:
        """Send a command of the organiser; returns whether it was accepted."""
        number = len(self.tournament.rounds)
        tables = (f"t{number}-{index}" for index in count())
        try:
            asked = context(seed=f"seed {number}", new_table=lambda: next(tables), **given)
            return self.append(command.decide(self.tournament, asked))
        except (IllegalError, MalformedError, NotOrganiserError):
            return False

    def anonymise(self, player: int) -> None:
        """Let somebody delete everything who may have left before the first round."""
        assert self.append(Anonymised(at=1.0, player=player, name=f"Player {player}"))

    @invariant()
    def each_event_makes_one_version(self) -> None:
        assert self.tournament.version == len(self.log)
