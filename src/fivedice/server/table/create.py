"""Creation of a table and of its rematch: from a request to the first event."""

from collections.abc import Callable, Mapping
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from fivedice.base.errors import IllegalError, MalformedError, UnknownError, shown
from fivedice.game.chance import DiceSource
from fivedice.game.names import MAX_NAME_CHARACTERS, checked_name
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.players import Available, known_kind
from fivedice.players.pace import DEFAULT_SECONDS, Seconds
from fivedice.rulesets import parse_ruleset, split_ref
from fivedice.rulesets.compact import compact_text, text_hash
from fivedice.rulesets.file import MAX_BYTES
from fivedice.rulesets.options import MAX_OPTIONS
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.table.answers import NotAllowedError
from fivedice.server.table.available import COMPUTERS, available_here, require_help, require_player, require_size
from fivedice.server.table.event import Created, Help, NewSeat
from fivedice.server.table.state import HIGHEST_ROLL, PERSON, Table, ruleset_of

Options = Annotated[
    dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=40)]], Meta(max_length=MAX_OPTIONS)
]
"""The options of rules, by name."""


class WantedSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat of a new table: `kind` is "person" or a kind of computer player.

    With `here`, the creator's browser takes a person's seat at once under `name`. A person's other seats are open and
    have no name. A computer player without a name is named after its kind.
    """

    kind: Annotated[str, Meta(max_length=40)]
    name: Annotated[str, Meta(max_length=MAX_NAME_CHARACTERS)] = ""
    here: bool = False


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a new table."""

    seats: Annotated[list[WantedSeat], Meta(min_length=1, max_length=MAX_SEATS)]
    rules: Annotated[str, Meta(max_length=400)] = "yahtzee"
    """The reference of the rules in notation; with `toml`, only its options count."""
    toml: Annotated[str, Meta(max_length=MAX_BYTES)] = ""
    """The text of a custom ruleset file."""
    options: Options = {}
    """Options by name, besides those in `rules`."""
    first: Annotated[str, Meta(max_length=12)] = "0"
    """The number of the seat that begins, or "highest_roll"."""
    help: Help = "none"
    """What everybody is shown during the game: "none", "after", "tutor" or "always"."""
    pace: Seconds | None = None
    """The seconds that people have for a turn; a day by default, without a limit if all are at the creator's device."""
    casual: bool = False
    """Whether the game counts for no rating and no strength, as none does of several people at the creator's device."""
    dice: DiceSource = "program"
    """"real": all players are at the creator's device, roll dice of their own and enter what they show."""

    @property
    def taken_here(self) -> list[int]:
        """The seats that the creator takes."""
        return [index for index, seat in enumerate(self.seats) if seat.here]


def create(
    wanted: NewTable,
    table: str,
    commitment: str,
    now: float,
    *,
    is_called: bool = False,
    look_of: Callable[[str], str] = str.casefold,
    available: Callable[[Ruleset], Available] = available_here,
) -> Created:
    """Return the first event of a table with this id and this commitment to its dice. With `is_called`, the people who
    are named have not come yet. `look_of` is the same for names that look alike. `available` says what can be had.

    Raises `MalformedError`, `UnknownError` or `IllegalError` if the request is not valid.
    """
    if wanted.first != HIGHEST_ROLL and wanted.first not in map(str, range(len(wanted.seats))):
        raise MalformedError(
            f"first {shown(wanted.first)}: want the number of a seat, 0 to {len(wanted.seats) - 1}, or {HIGHEST_ROLL}"
        )
    if wanted.dice == "real":
        _require_real(wanted)
        commitment = ""
    ruleset, toml = wanted_ruleset(wanted.rules, wanted.options, wanted.toml)
    require_size(len(wanted.seats), ruleset)
    here = available(ruleset)
    require_help(wanted.help, here)
    is_apart = is_called or any(seat.kind == PERSON and not seat.here for seat in wanted.seats)
    return Created(
        at=now,
        table=table,
        rules=str(ruleset),
        digest=ruleset.digest,
        commitment=commitment,
        seats=_seats(wanted.seats, here, look_of),
        toml=toml,
        ruleset=text_hash(toml).hex() if toml else "",
        first=wanted.first,
        help=wanted.help,
        dice=wanted.dice,
        pace=wanted.pace or (DEFAULT_SECONDS if is_apart else 0),
        casual=wanted.casual or (len(wanted.taken_here) > 1 and not is_called),
        is_called=is_called,
    )


def create_rematch(table: Table, rematch: str, commitment: str, now: float) -> Created:
    """Return the first event of a rematch: the same players, with the next seat to begin."""
    return replace(
        table.created,
        at=now,
        table=rematch,
        commitment=commitment if table.created.commitment else "",
        seats=[NewSeat(seat.kind, seat.name) for seat in table.seats],
        first=str(((table.first or 0) + 1) % len(table.seats)),
        previous=table.id,
        tournament=None,
        is_called=True,
    )


def _require_real(wanted: NewTable) -> None:
    """Raise `IllegalError` for a request that real dice do not allow."""
    if not all(seat.kind == PERSON and seat.here for seat in wanted.seats):
        raise IllegalError("computer players and seats by link have no real dice: want only people who are here")
    if wanted.first == HIGHEST_ROLL:
        raise IllegalError("roll the real dice for who begins, and then give the number of that seat as first")
    if wanted.help != "none":
        raise IllegalError(f"help {wanted.help!r} is not given with real dice: want 'none'")
    if wanted.pace:
        raise IllegalError("no computer player finishes a turn with real dice: want no pace")


def wanted_ruleset(rules: str, options: Mapping[str, str], toml: str = "") -> tuple[Ruleset, str]:
    """The rules with options, and their text to store if they are custom ones.

    A custom text is named by the id in it, so that it cannot pass for other rules. Raises `MalformedError` or
    `UnknownError`.
    """
    if toml:
        _, bracket, rest = rules.partition("[")
        rules = f"{parse_ruleset(toml).id}.toml{bracket}{rest}"
        toml = compact_text(toml)
    name, written = split_ref(rules)
    chosen = ",".join(f"{key}={value}" for key, value in {**written, **options}.items())
    return ruleset_of(f"{name}[{chosen}]" if chosen else name, toml), toml


def _seats(wanted: list[WantedSeat], here: Available, look_of: Callable[[str], str]) -> list[NewSeat]:
    seats: list[NewSeat] = []
    for index, seat in enumerate(wanted):
        try:
            known_kind(seat.kind, (PERSON, *COMPUTERS))
        except UnknownError as error:
            raise UnknownError(f"seat {index}: {error}") from None
        taken = {other.name for other in seats} | {other.name for other in wanted[index + 1 :]}
        if seat.kind == PERSON:
            name = checked_name(seat.name) if seat.here else ""
            if seat.name and not seat.here:
                raise MalformedError(f"seat {index} is open: it has no name until a person takes it")
        elif seat.here:
            raise MalformedError(f"seat {index} belongs to a computer player: nobody can take it")
        else:
            require_player(seat.kind, here)
            name = checked_name(seat.name) if seat.name else _unused(seat.kind, taken)
        if name and look_of(name) in map(look_of, taken):
            raise NotAllowedError(f"seat {index}: {name} sits here already; want names that differ", "name_taken")
        seats.append(NewSeat(seat.kind, name))
    return seats


def _unused(kind: str, taken: set[str]) -> str:
    """Name a computer player after its kind, with a number if the name is taken."""
    names = [kind, *(f"{kind} {number}" for number in range(2, MAX_SEATS + 1))]
    return next(name for name in names if name not in taken)
