"""The tables of a round: created as a person creates one, with everybody in their seats; and a round of a duplicate."""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace
from sqlalchemy import Connection

from fivedice.base.errors import IllegalError
from fivedice.game.names import numbered
from fivedice.game.proof import commitment
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.identity.look_alike import skeleton
from fivedice.server.live.event_store import store_new
from fivedice.server.live.live_stream import store_duplicate
from fivedice.server.matchmaking.duplicate import Opened
from fivedice.server.table.available import available_here, require_size
from fivedice.server.table.create import NewTable, WantedSeat, create, wanted_ruleset
from fivedice.server.table.event import Created, TournamentLink
from fivedice.server.table.history import game_bytes
from fivedice.server.table.state import PERSON, ruleset_of
from fivedice.storage.rows.streams import load_holders
from fivedice.tournament.settings import MAX_SEATS, Settings
from fivedice.tournament.state import Tournament
from fivedice.tournament.verbs import Challenged, Drawn


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A table to create: its first event, the secret of its dice, and the members at its seats."""

    created: Created
    secret: bytes
    players: tuple[int, ...]

    @property
    def num_bytes(self) -> int:
        """The bytes of the whole game, as limits count them."""
        return game_bytes(self.created)


def seed_of(secret: bytes, round: int) -> str:
    """The seed of a round: the SHA-256 of the tournament's secret, in hexadecimal digits, a blank and the number."""
    return hashlib.sha256(f"{secret.hex()} {round}".encode()).hexdigest()


def checked_settings(settings: Settings) -> Settings:
    """The settings, unless tables cannot be played by them.

    Raises `UnknownError`, `MalformedError` or `IllegalError`.
    """
    settings.check()
    for reference in settings.rules:
        ruleset = rules_of(reference)
        if settings.format == "duplicate":
            checked_rules(reference)
        require_size(MAX_SEATS, ruleset)
    return settings


def checked_rules(rules: str) -> str:
    """Shipped rules by whose values the points that decisions lose can be told; raises `IllegalError` for others, and
    `MalformedError` or `UnknownError`."""
    ruleset = ruleset_of(rules)
    if refusal := available_here(ruleset).advice:
        raise IllegalError(f"what decisions cost under these rules cannot be computed here: {refusal}")
    return str(ruleset)


def rules_of(reference: str) -> Ruleset:
    """The shipped rules of a reference; raises `UnknownError` or `MalformedError`."""
    return wanted_ruleset(reference, {})[0]


def round_tables(
    tournament: Tournament, drawn: Drawn | Challenged, new_secret: Callable[[], bytes], now: float
) -> tuple[RoundTable, ...]:
    """The tables of a round."""
    rules, pace = tournament.settings.rules_of(drawn.round), tournament.settings.pace
    link, found = TournamentLink(tournament.id, tournament.settings.name), []
    for one in drawn.tables:
        secret, names = new_secret(), names_at(tournament, one.players)
        seats = [WantedSeat(PERSON, names[player], here=True) for player in one.players]
        wanted = NewTable(seats, rules=rules, pace=pace)
        created = create(wanted, one.table, commitment(secret), now, is_called=True, look_of=skeleton)
        found.append(RoundTable(replace(created, tournament=link), secret, one.players))
    return tuple(found)


def store_tables(connection: Connection, tournament: Tournament, tables: tuple[RoundTable, ...]) -> None:
    """Store the tables of a round, each seat with the browsers of its player."""
    holders = load_holders(connection, tournament.club)
    for one in tables:
        held = [(seat, holder) for seat, player in enumerate(one.players) for holder in holders.get(player, ())]
        store_new(connection, one.created, one.secret, held, tournament.id, is_awaited=True)


def store_round(connection: Connection, tournament: Tournament, drawn: Drawn, secret: bytes) -> None:
    """Store a round of a duplicate, in which no player has a table yet."""
    [one] = drawn.tables
    assert drawn.closes is not None, "a round of a duplicate"
    rules = checked_rules(tournament.settings.rules_of(drawn.round))
    opened = Opened(
        at=drawn.at, id=one.table, rules=rules, seats=len(one.players), closes=drawn.closes, tournament=tournament.id
    )
    store_duplicate(connection, opened, secret)


def names_at(tournament: Tournament, players: tuple[int, ...]) -> Mapping[int, str]:
    """The names at a table, with a number where two of different times look alike."""
    names = {player: tournament.players[player].name for player in players}
    shapes = {player: skeleton(name) for player, name in names.items()}
    num = Counter(shapes.values())
    return {player: numbered(name, player) if num[shapes[player]] > 1 else name for player, name in names.items()}
