"""The game as lines of text on standard input and output: for screen readers, pipes and scripts."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fivedice.cli.game.input import Left, read_line, typed_action
from fivedice.cli.game.session import Session
from fivedice.cli.text.cards import format_cards
from fivedice.cli.text.outcome import outcome
from fivedice.dice import format_dice
from fivedice.errors import IllegalError, MalformedError, UnknownError
from fivedice.game.action import Action, Keep
from fivedice.game.joker import rule_on
from fivedice.game.position import Position
from fivedice.game.record import Record
from fivedice.game.turn import Turn
from fivedice.game.wording import box_name, to_do
from fivedice.players import Human
from fivedice.ruleset import Ruleset

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution

HELP = """\
roll             the first roll of your turn; an empty line does the same
keep 33          keep these dice and roll the others; keep - rolls all of them
score threes     write the points in a box and end your turn; the first letters of the box are enough
scratch threes   write a zero there instead, where the rules allow it
undo             take your last score back, until the next roll
boxes            what each open box would take now
card             all score cards
hint             the three best actions: the final score to expect, and the loss against the best
help             this list
quit             leave; the game so far is saved"""


class PlainGame:
    """Runs a session by lines. `save` writes a record and says in a sentence where it is; `solve` is for hints."""

    session: Session

    def __init__(self, save: Callable[[Record], str], solve: "Callable[[Ruleset], Solution]") -> None:
        self.save = save
        self._solve = solve
        self._pending: str | None = None
        """A line that was read too early: before a computer's turn, but meant for what follows it."""
        self.commands: dict[str, Callable[[], None]] = {
            "roll": self._roll,
            "undo": self._undo,
            "boxes": self._say_boxes,
            "card": self._say_cards,
            "hint": self._say_hint,
            "help": lambda: print(HELP),
        }

    def run(self, session: Session, opening: Sequence[str]) -> int:
        """Play to the end, or on from the middle; returns the exit status: 1 if the input ended before the game did."""
        self.session = session
        print(f"{session.record.ruleset.name}. Players: {', '.join(seat.name for seat in session.record.seats)}.")
        print("Type help for the commands.")
        for sentence in opening:
            print(sentence)
        status = 0
        try:
            if session.position.dice and isinstance(session.player, Human):
                self._say_turn()
                self._say_roll()
            self._play()
        except Left as left:
            status = left.status
            if status:
                print("The input ended before the game did.")
        except KeyboardInterrupt:
            print()
            status = 130
        if self.session.record.turns:
            self._say_cards()
            print(outcome(self.session.record))
            print(self.save(self.session.record))
        return status

    def ask(self, position: Position) -> Action:
        """Read lines until one is an action; the others are obeyed. This is how a `Human` is asked."""
        while True:
            line = self._read()
            try:
                if action := typed_action(line, position):
                    return action
                self._obey(line)
            except ValueError as error:
                print(error)

    def _play(self) -> None:
        while not self.session.position.is_over or self.session.can_undo:
            if not isinstance(self.session.player, Human) and not self.session.position.is_over:
                self._before_computer()
            elif self.session.position.dice:
                self._person_acts()
            else:
                self._before_roll()

    def _person_acts(self) -> None:
        name = self.session.name
        action = self.session.player.choose(self.session.position)
        self.session.play(action)
        if isinstance(action, Keep):
            self._say_roll()
        else:
            self._say_score(name)

    def _before_roll(self) -> None:
        """A person's turn before its first roll, or the end of the game while its last score can be taken back."""
        position = self.session.position
        if position.is_over:
            print("The game is over. Press Enter to finish, or type undo.")
        else:
            self._say_turn()
        while self.session.position == position:
            line = self._read()
            if not line and position.is_over:
                raise Left(0)
            if re.match(r"keep\b|score\b|scratch\b", line):
                print("The first roll of the turn comes before that: type roll, or press Enter.")
                continue
            self._try(line or "roll")

    def _before_computer(self) -> None:
        """A computer player's turn. After a person's score it waits for a line, which may be `undo`."""
        if self.session.can_undo:
            print(f"{self.session.name} is next. Press Enter to go on, or type undo.")
        while self.session.can_undo:
            try:
                line = self._read()
            except Left as left:
                if left.status == 0:
                    raise
                break
            if "roll".startswith(line):
                self._pending = line or None
                break
            self._try(line)
        if not isinstance(self.session.player, Human):  # after `undo` it is the person's turn again
            self._computer_turn()

    def _read(self) -> str:
        """The next line without its spaces; raises `Left` at the end of the input or for `quit`."""
        if self._pending is not None:
            line, self._pending = self._pending, None
            return line
        line = read_line()
        if not line and not self.session.position.is_over:
            raise Left(1)
        if not line or line.strip().lower() == "quit":
            raise Left(0)
        return line.strip().lower()

    def _try(self, line: str) -> None:
        try:
            self._obey(line)
        except ValueError as error:
            print(error)

    def _obey(self, line: str) -> None:
        """Carry out a command that is no action; raises a `ValueError` with what would be right."""
        if not line:
            raise MalformedError("want the dice to keep, as in keep 33, or a box, as in score threes; help tells more")
        matching = [name for name in self.commands if name.startswith(line)]
        if len(matching) > 1:
            raise UnknownError(f"{line!r} may be {' or '.join(matching)}: type more of it")
        if not matching:
            raise UnknownError(f"{line!r} is no command: want keep, score, {', '.join(self.commands)} or quit")
        self.commands[matching[0]]()

    def _roll(self) -> None:
        if self.session.position.dice:
            raise IllegalError("these dice are rolled already: say which to keep, as in keep 33, or keep - for none")
        self.session.roll()
        self._say_roll()

    def _undo(self) -> None:
        self.session.undo()
        print("The score is taken back.")
        self._say_roll()

    def _computer_turn(self) -> None:
        name = self.session.name
        if not self.session.position.dice:
            self.session.roll()
        while self.session.position.dice:
            self.session.step()
        print(f"{name}: {describe_turn(self.session.record.turns[-1])}")
        self._say_score(name)

    def _say_turn(self) -> None:
        position = self.session.position
        rolls = f", {position.rolls_left} roll{'s' if position.rolls_left > 1 else ''}" if not position.dice else ""
        print(f"\nRound {position.round} of {position.ruleset.rounds}. {self.session.name} to move{rolls}.")

    def _say_roll(self) -> None:
        position = self.session.position
        print(dice_line(position))
        self._say_boxes()

    def _say_boxes(self) -> None:
        position = self.session.position
        if not position.dice:
            raise IllegalError("the boxes take points after a roll: type roll")
        print("".join(f"{line}\n" for line in forced_lines(position)), end="")
        boxes = [
            f"{box_name(position.ruleset, offer.action.box)} {offer.points}"
            + (" as a joker" if offer.is_joker else "")
            + (f" and {offer.bonus} bonus" if offer.bonus else "")
            for offer in position.offers()
            if not offer.action.is_scratch
        ]
        print(f"Boxes: {', '.join(boxes)}.")

    def _say_hint(self) -> None:
        position = self.session.position
        if not position.is_over and not isinstance(self.session.player, Human):
            raise IllegalError("a hint is for your own turn")
        # Imported here: the solver's libraries take their time, and most games do without hints.
        from fivedice.analysis.advice import advise
        from fivedice.cli.commands.advise import advice_lines
        from fivedice.cli.solutions import too_large
        from fivedice.solver.solve import TooLargeError

        try:
            advice = advise(self._solve(position.ruleset), position)
        except (TooLargeError, MemoryError):
            print(too_large(position.ruleset))
            return
        if not advice.actions:
            print("\n".join(advice_lines(advice)))
        for advised in advice.actions[:3]:
            print(f"{to_do(position, advised.action)}: value {advised.value:.1f}, loss {advised.loss:.1f}")

    def _say_score(self, name: str) -> None:
        turn = self.session.record.turns[-1]
        offer = turn.offer
        assert offer, "a score ends its turn"
        bonus = f" and {offer.bonus} bonus" if offer.bonus else ""
        total = self.session.position.cards[turn.seat].total
        box = box_name(self.session.record.ruleset, offer.action.box)
        print(f"{name} writes {offer.points} in {box}{bonus}. Total {total}.")

    def _say_cards(self) -> None:
        print(format_cards(self.session.position, [seat.name for seat in self.session.record.seats]))


def dice_line(position: Position) -> str:
    """The roll, and what it leaves to do."""
    left = f"{position.rolls_left} left" if position.rolls_left else "no roll left, score a box"
    return f"Dice: {' '.join(format_dice(position.dice))}; {left}."


def forced_lines(position: Position) -> list[str]:
    """Why some open boxes are closed to this roll, in a sentence; nothing where none is."""
    reason = rule_on(position.card, position.dice).reason
    return [f"{reason[0].upper()}{reason[1:]}."] if reason else []


def describe_turn(turn: Turn) -> str:
    """The rolls and keeps of a turn in a few words."""
    steps = [f"rolls {format_dice(turn.rolls[0])}"]
    for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True):
        steps.append(f"keeps {format_dice(keep.dice)} and rolls {format_dice(roll)}".replace("keeps - and", "again"))
    return ", ".join(steps)
