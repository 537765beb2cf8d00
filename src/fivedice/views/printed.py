"""What commands print with `--json`, where a server sends nothing like it."""

from datetime import date
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from fivedice.game.verification import Problem
from fivedice.views.to_dict import RecordCheckView, SolutionFiguresView


class BackupView(Struct, frozen=True):
    """The file of a backup, and how many rows it has."""

    file: str
    rows: int


class DrawnDayView(Struct, frozen=True):
    """The ten positions of a day in notation, its number, and the commitment to its secret."""

    day: str
    number: int
    commitment: str
    positions: list[str]


class CheckedSetView(Struct, frozen=True):
    """The problems of a data set, one sentence each; `compared` counts the decisions compared with the engine."""

    ok: bool
    compared: int
    problems: list[str]


class CheckedPartView(Struct, frozen=True):
    """What was checked, whether it is well, and a sentence about it."""

    what: str
    is_well: bool
    about: str


class PortableView(Struct, frozen=True, omit_defaults=True):
    """A portable file. Of a solution, `type` is how its values are stored, and `loss` the most points that a decision
    can lose by that."""

    file: str
    sha256: str
    ruleset: str
    digest: str
    bytes: int
    type: str = ""
    loss: float | None = None


class ForgottenView(Struct, frozen=True):
    """What was asked for, and how much of each kind was found; it is deleted, except with `--dry-run`."""

    kind: str
    which: str
    is_deleted: bool
    found: dict[str, int]


class GradedView(Struct, frozen=True):
    """How many games were graded."""

    games: int


class SimulatedSeatView(Struct, frozen=True):
    """The games of one seat. Points are means over all games; intervals are those of 95 %.

    `upper_bonuses` has [points, share of the games] for every upper bonus that occurred. `won` is the share of games
    that the seat won alone, `shared` that in which it shared the first place, and `outright` that of its outright wins.
    """

    seat: int
    player: str
    mean: float
    interval: tuple[float, float]
    standard_error: float
    standard_deviation: float
    boxes: dict[str, float]
    upper_bonus: float
    upper_bonuses: list[tuple[int, float]]
    extra_bonus: float
    won: float
    won_interval: tuple[float, float]
    shared: float
    outright: float


class PairView(Struct, frozen=True):
    """The share of games in which the first seat came before the second, as many as it, or behind it."""

    first: int
    second: int
    wins: float
    wins_interval: tuple[float, float]
    ties: float
    losses: float


class SimulationView(Struct, frozen=True):
    """Simulated games: the means of the first seat, then every seat and every two of them.

    `seconds` is the time of the simulation itself, with solutions found; `resumed` counts the
    games of earlier runs, which it does not include.
    """

    ruleset: str
    digest: str
    players: list[str]
    seed: int
    games: int
    resumed: int
    seconds: float
    games_per_second: float
    mean: float
    standard_deviation: float
    seats: list[SimulatedSeatView]
    pairs: list[PairView]


class DueLessonView(Struct, frozen=True):
    """A lesson; `due` is null for a new one."""

    position: str
    digest: str
    chosen: str
    loss: float
    due: date | None


class AgendaView(Struct, frozen=True):
    """The lessons due today, and the next day that has one."""

    today: date
    due: list[DueLessonView]
    next_due: date | None


class KindView(Struct, frozen=True):
    """A kind of player, its name, which a person has not, and a sentence about it. If rules are given, `refusal` says
    why they do not have it."""

    kind: str
    name: str | None
    about: str
    refusal: str | UnsetType | None = UNSET


class QuestionView(Struct, frozen=True):
    """A position, its best action and the obvious one, in notation, and what that loses."""

    position: str
    best: str
    obvious: str
    loss: float


class QuizView(Struct, frozen=True):
    """The positions of a quiz."""

    ruleset: str
    digest: str
    questions: list[QuestionView]


class ServedView(Struct, frozen=True):
    """The address at which the game is served."""

    url: str


class SolvedView(SolutionFiguresView, frozen=True):
    """The figures of an exact solution, and whether it was saved already."""

    cached: bool


class LearnedView(Struct, frozen=True):
    """The figures of an approximate solution, measured in games: `error` is that of a decision, in points."""

    ruleset: str
    digest: str
    exact: bool
    mean_score: float
    standard_error: float
    games: int
    error: float


class RungView(Struct, frozen=True):
    """A position in notation and its rung, from easy to hard."""

    rung: int
    position: str


class VerificationView(Struct, frozen=True):
    """What a record's secret proves of its dice, and what its rules prove of its points. Turns, rolls and seats count
    from 0, lines from 1. `offline` says that the dice are those of a browser, and `dice` how many were compared."""

    ok: bool
    table: str
    commitment: str
    offline: bool
    nonces: list[str]
    began: Literal["rolled", "chosen", "unknown"]
    first: int
    dice: int
    problems: list[Problem]
    points: RecordCheckView | UnsetType = UNSET
