"""A `Session`: a game in progress at one terminal, with players, the places of its dice, and undo; and its seats."""

import getpass
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Protocol, TypeAlias

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.base.processors import default_memory_limit
from fivedice.cli.files.record_file import Saved
from fivedice.cli.language import chosen, say
from fivedice.game.action import Action, Keep
from fivedice.game.names import checked_name
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.game.placed_turn import PlacedTurn, places_of
from fivedice.game.position import Position
from fivedice.game.record import Record
from fivedice.game.seats import Seat, parse_seats
from fivedice.game.turn import Turn
from fivedice.game.wording import resigned_sentence
from fivedice.players import Available, Human, Player, available, kind_name, known_kind
from fivedice.rulesets.dice import Dice
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.saved.saved_table import solutions_folder

Save: TypeAlias = Callable[[Record], Saved]
"""Writes a record."""


class GameDice(Protocol):
    """The dice of a game: `TableDice`, or real ones."""

    @property
    def commitment(self) -> str:
        """A text that other dice do not have."""
        ...

    def dice(self, turn: int, roll: int, num_dice: int, faces: int) -> Dice:
        """What so many dice show when they are rolled."""
        ...


class Session:
    """Plays a `Record` forward with dice that neither undo nor a restart changes. `chance` is that of random players.

    `save` is called after every roll, score and undo, before anything is shown, so that a terminal that is closed or
    killed loses nothing. `saved` is its latest answer. The dice of rolls in the record are in ascending order.
    """

    def __init__(
        self,
        record: Record,
        players: Sequence[Player],
        dice: GameDice,
        save: Save = lambda record: Saved(),
        chance: random.Random | None = None,
    ) -> None:
        self.record = record
        self.players = tuple(players)
        self.saved = Saved()
        self._dice = dice
        self._write = save
        self._chance = chance or random.Random()
        self._placed = [_placed(turn) for turn in record.turns]
        self._rolled: dict[tuple[int, int], Dice] = {
            (number, roll): tuple(die for _, die in placed.rolled())
            for number, turn in enumerate(self._placed)
            for roll, placed in enumerate(turn.rolls)
        }
        """The dice of each roll by turn and roll, also in turns that are taken back."""

    @property
    def position(self) -> Position:
        return self.record.position

    @cached_property
    def available(self) -> Available:
        """What can be had under the rules: why there are no hints or no review, if so."""
        return available_here(self.record.ruleset)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: by its rules, or because all its people gave it up."""
        return self.record.is_over

    @property
    def places(self) -> list[int]:
        """The dice on the table, by place; none before the first roll of a turn."""
        return list(self._placed[-1].rolls[-1].dice) if self.position.dice else []

    @property
    def kept(self) -> list[bool]:
        """For each die on the table, whether it was kept from the roll before."""
        return list(self._placed[-1].rolls[-1].kept) if self.position.dice else []

    @property
    def player(self) -> Player:
        return self.players[self.position.seat]

    @property
    def name(self) -> str:
        """The name of the seat to move."""
        return self.record.seats[self.position.seat].name

    @property
    def you(self) -> int | None:
        """The seat of the only person in the game; None if several people play, or none."""
        people = [seat for seat, player in enumerate(self.players) if isinstance(player, Human)]
        return people[0] if len(people) == 1 else None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats as shown on the screen: the only person is called You."""
        return tuple(say("You") if seat == self.you else player.name for seat, player in enumerate(self.record.seats))

    @property
    def can_undo(self) -> bool:
        """Whether the last score or announcement of a person can be taken back: until a person rolls again."""
        return self._undoable is not None

    @property
    def _undoable(self) -> int | None:
        """The number of the turn whose score, or else announcement, `undo` takes back; none before a resignation."""
        gone = max((one.num_turns for one in self.record.resignations), default=0)
        for number in reversed(range(gone, len(self.record.turns))):
            turn = self.record.turns[number]
            if isinstance(self.players[turn.seat], Human):
                return number if turn.undone else None
        return None

    def save(self) -> None:
        """Save the game so far, if it has a roll."""
        if self.record.turns or self.record.resignations:
            self.saved = self._write(self.record)

    def roll(self) -> None:
        """Make the first roll of a turn; raises `IllegalError` if the dice are already rolled."""
        if self.position.dice or self.position.is_over:
            self.position.roll(())  # raises
        dice = self._dice_of(len(self._placed), 0, self.record.ruleset.dice)
        self._placed.append(PlacedTurn.start(dice))
        self.record = self.record.roll(dice)
        self.save()

    def keep(self, kept: Sequence[bool]) -> None:
        """Keep the dice at the marked places and roll the others; raises `IllegalError` if no roll is left."""
        keep = Keep(self.kept_dice(kept))
        self.position.check_keep(keep)
        turn = self._placed[-1]
        rolled = self._dice_of(len(self._placed) - 1, len(turn.rolls), list(kept).count(False))
        self._placed[-1] = turn.roll(_after_roll(self.places, kept, rolled), kept)
        self.record = self.record.play(keep, rolled)
        self.save()

    def _dice_of(self, turn: int, roll: int, num_dice: int) -> Dice:
        """What so many dice show, which are rolled anew only if they were not before, or if they were not as many."""
        rolled = self._rolled.get((turn, roll), ())
        if len(rolled) != num_dice:
            rolled = self._rolled[turn, roll] = self._dice.dice(turn, roll, num_dice, self.record.ruleset.faces)
        return rolled

    def kept_dice(self, kept: Sequence[bool]) -> Dice:
        """The dice at the marked places, sorted."""
        return tuple(sorted(die for die, stays in zip(self.places, kept, strict=True) if stays))

    def resign(self) -> str:
        """Give up the game for the seat to move, and say so; raises `IllegalError` after the game."""
        is_you, name = self.position.seat == self.you, self.name
        self.record = self.record.resign(self.position.seat)
        self.save()
        return say("You resigned.") if is_you else resigned_sentence([name], chosen())

    def undo(self) -> str:
        """Take back the last score or announcement of a person, and the turns of computer players after it; say what.

        Their dice stay the same if the turns are played again. Raises `IllegalError` after a person's next roll.
        """
        number = self._undoable
        if number is None:
            raise IllegalError(say("There is no score to take back: it is final after your next roll."))
        turns = self.record.turns
        position = [at for turn, at, action in self.record.decisions() if turn == number and action][-1]
        undone = turns[number].undone
        assert undone, "the turn of `_undoable` has something to take back"
        before = (*turns[:number], undone)
        self.record = replace(self.record, position=position, turns=before, proof=None)
        del self._placed[len(before) :]
        self.save()
        if len(before) < len(turns):
            return say("Your score and the turns after it are taken back; their dice will be the same.")
        return say("Your score is taken back.") if turns[number].offer else say("Your announcement is taken back.")

    def play(self, action: Action) -> None:
        """Carry out an action of the player to move, and roll dice for it; raises `IllegalError`."""
        if isinstance(action, Keep):
            self.keep(places_of(action, tuple(self.places), self.kept))
            return
        self.record = self.record.play(action)
        self.save()

    def choose(self) -> Action:
        """What the player to move chooses. A random player chooses the same after undo or a restart, too."""
        self._chance.seed(f"{self._dice.commitment} {len(self._placed)} {self.position.rolls_left}")
        return self.player.choose(self.position)

    def step(self) -> Action | None:
        """One step of a computer player: the first roll (returns None), or its next action."""
        if not self.position.dice:
            self.roll()
            return None
        action = self.choose()
        self.play(action)
        return action


def _placed(turn: Turn) -> PlacedTurn:
    """A turn of a record, in which equal dice keep their places."""
    placed = PlacedTurn.start(turn.rolls[0])
    for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True):
        before, rolled = placed.rolls[-1], list(roll)
        for die in keep.dice:
            rolled.remove(die)
        kept = places_of(keep, before.dice, before.kept)
        placed = placed.roll(_after_roll(before.dice, kept, rolled), kept)
    return placed


def _after_roll(before: Sequence[int], kept: Sequence[bool], rolled: Sequence[int]) -> list[int]:
    """The dice by place after those that are not kept have been rolled."""
    new = iter(rolled)
    return [die if stays else next(new) for die, stays in zip(before, kept, strict=True)]


_SYSTEM_ACCOUNTS = ("root", "nobody", "user", "app")
"""Login names that do not identify a person, as in containers."""

_UNNAMED = Seat("human", "human")


def new_seats(text: str, name: str | None = None) -> list[Seat]:
    """The seats with checked and unique names; raises `MalformedError` or `IllegalError`.

    A `human` without a name is called `name`, or by the name of the login. Further ones are Player 2, and so on. A
    computer player without a name is called as `kind_name` says.
    """
    if name is not None:
        try:
            name = checked_name(name)
        except MalformedError as error:
            raise MalformedError(f"--name: {error}") from None
    seats = list(parse_seats(text))
    if len(seats) > MAX_SEATS:
        raise IllegalError(say("--seats names {n} players: a game has 1 to {most}", n=len(seats), most=MAX_SEATS))
    seats = [
        Seat(kind_name(seat.kind, chosen()), seat.kind) if seat.name == seat.kind != "human" else seat for seat in seats
    ]
    unnamed = [index for index, seat in enumerate(seats) if seat == _UNNAMED]
    for number, index in enumerate(unnamed, start=1):
        own = name or (login_name() if len(unnamed) == 1 else say("Player {number}", number=1))
        seats[index] = Seat(own if number == 1 else say("Player {number}", number=number), "human")
    return _distinct(seats)


def available_here(ruleset: Ruleset) -> Available:
    """What can be had under a ruleset on this machine, where a solution may also be on disk, in the language of the
    command."""
    return available(ruleset, memory_limit=default_memory_limit(), learned_in=solutions_folder(), to=chosen())


def check_players(ruleset: Ruleset, seats: Sequence[Seat]) -> None:
    """Raise `IllegalError` for a player that these rules do not have, and `UnknownError` for one that none have."""
    found = available_here(ruleset)
    for seat in seats:
        if refusal := found.player(known_kind(seat.kind)):
            raise IllegalError(f"--seats {seat.kind}: {refusal}")


def login_name() -> str:
    """The name of the login, as a name in records; "You" in the language of the command if it says nothing."""
    try:
        name = checked_name(getpass.getuser())
    except (OSError, KeyError, ImportError, MalformedError):  # no name, no entry for the user, or not a name
        return say("You")
    return say("You") if name in _SYSTEM_ACCOUNTS else name


def _distinct(seats: Sequence[Seat]) -> list[Seat]:
    """The seats with checked and unique names: a second `greedy` becomes `greedy2`."""
    result: list[Seat] = []
    for seat in seats:
        number, name = 1, checked_name(seat.name)
        first = name
        while any(name == other.name for other in result):
            number += 1
            name = f"{first}{number}"
        result.append(Seat(name, seat.kind))
    return result
