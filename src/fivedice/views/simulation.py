"""Simulated games as JSON: what was counted of every player, and of every two of them."""

from msgspec import Struct


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

    `seconds` is the time of the simulation itself, with solutions found and kernels compiled; `resumed` counts the
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
