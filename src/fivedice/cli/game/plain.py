"""The game in lines of text on standard input and output, for screen readers, pipes and scripts."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fivedice.cli.game.input import Quit, read_line, typed_action
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
roll             make the first roll of your turn; an empty line does the same
keep 33          keep these dice and roll the others; keep - rolls all of them
score threes     score in a box and end your turn; the first letters of the box are enough
scratch threes   write a zero in a box instead, if the rules allow it
undo             take back your last score, until the next roll
boxes            show what each open box would score now
card             show all score cards
hint             show the three best actions: expected final score, and loss against the best
help             show this list
quit             leave the game; it is saved"""


class PlainGame:
    """Runs a session in lines of text. `save` writes a record and returns a sentence with its place."""

    session: Session

    def __init__(self, save: Callable[[Record], str], solve: "Callable[[Ruleset], Solution]") -> None:
        self.save = save
        self._solve = solve
        self._pending: str | None = None
        """A line read before a computer player's turn that belongs to the turn after it."""
        self.commands: dict[str, Callable[[], None]] = {
            "roll": self._roll,
            "undo": self._undo,
            "boxes": self._print_boxes,
            "card": self._print_cards,
            "hint": self._print_hint,
            "help": lambda: print(HELP),
        }

    def run(self, session: Session, opening: Sequence[str]) -> int:
        """Play to the end; return the exit status, which is 1 if the input ended before the game did."""
        self.session = session
        print(f"{session.record.ruleset.name}. Players: {', '.join(seat.name for seat in session.record.seats)}.")
        print("Type help for the commands.")
        for sentence in opening:
            print(sentence)
        status = 0
        try:
            if session.position.dice and isinstance(session.player, Human):
                self._print_turn()
                self._print_roll()
            self._play()
        except Quit as error:
            status = error.status
            if status:
                print("The input ended before the game did.")
        except KeyboardInterrupt:
            print()
            status = 130
        if self.session.record.turns:
            self._print_cards()
            print(outcome(self.session.record))
            print(self.save(self.session.record))
        return status

    def ask(self, position: Position) -> Action:
        """Read lines until one is an action, and run the others as commands. `Human` players call this."""
        while True:
            line = self._read()
            try:
                if action := typed_action(line, position):
                    return action
                self._run_command(line)
            except ValueError as error:
                print(error)

    def _play(self) -> None:
        while not self.session.position.is_over or self.session.can_undo:
            if not isinstance(self.session.player, Human) and not self.session.position.is_over:
                self._before_computer()
            elif self.session.position.dice:
                self._human_step()
            else:
                self._before_roll()

    def _human_step(self) -> None:
        name = self.session.name
        action = self.session.player.choose(self.session.position)
        self.session.play(action)
        if isinstance(action, Keep):
            self._print_roll()
        else:
            self._print_score(name)

    def _before_roll(self) -> None:
        """A human turn before its first roll, or the end of a game whose last score can still be taken back."""
        position = self.session.position
        if position.is_over:
            print("The game is over. Press Enter to finish, or type undo.")
        else:
            self._print_turn()
        while self.session.position == position:
            line = self._read()
            if not line and position.is_over:
                raise Quit(0)
            if re.match(r"keep\b|score\b|scratch\b", line):
                print("Roll first: type roll, or press Enter.")
                continue
            self._try(line or "roll")

    def _before_computer(self) -> None:
        """A computer player's turn. After a human score, wait for a line, which may be `undo`."""
        if self.session.can_undo:
            print(f"{self.session.name} is next. Press Enter to continue, or type undo.")
        while self.session.can_undo:
            try:
                line = self._read()
            except Quit as error:
                if error.status == 0:
                    raise
                break
            if "roll".startswith(line):
                self._pending = line or None
                break
            self._try(line)
        if not isinstance(self.session.player, Human):  # `undo` may have returned the turn to a human
            self._computer_turn()

    def _read(self) -> str:
        """Read a line, stripped; raise `Quit` at the end of the input or on `quit`."""
        if self._pending is not None:
            line, self._pending = self._pending, None
            return line
        line = read_line()
        if not line and not self.session.position.is_over:
            raise Quit(1)
        if not line or line.strip().lower() == "quit":
            raise Quit(0)
        return line.strip().lower()

    def _try(self, line: str) -> None:
        try:
            self._run_command(line)
        except ValueError as error:
            print(error)

    def _run_command(self, line: str) -> None:
        """Run a command that is not an action; raises `ValueError` if there is no such command."""
        if not line:
            raise MalformedError("want dice to keep, as in keep 33, or a box, as in score threes; type help for more")
        matching = [name for name in self.commands if name.startswith(line)]
        if len(matching) > 1:
            raise UnknownError(f"{line!r} may mean {' or '.join(matching)}: type more of it")
        if not matching:
            raise UnknownError(f"unknown command {line!r}: want keep, score, {', '.join(self.commands)} or quit")
        self.commands[matching[0]]()

    def _roll(self) -> None:
        if self.session.position.dice:
            raise IllegalError("the dice are already rolled: choose which to keep, as in keep 33, or keep - for none")
        self.session.roll()
        self._print_roll()

    def _undo(self) -> None:
        self.session.undo()
        print("Your score has been taken back.")
        self._print_roll()

    def _computer_turn(self) -> None:
        name = self.session.name
        if not self.session.position.dice:
            self.session.roll()
        while self.session.position.dice:
            self.session.step()
        print(f"{name}: {describe_turn(self.session.record.turns[-1])}")
        self._print_score(name)

    def _print_turn(self) -> None:
        position = self.session.position
        rolls = f", {position.rolls_left} roll{'s' if position.rolls_left > 1 else ''}" if not position.dice else ""
        print(f"\nRound {position.round} of {position.ruleset.rounds}. {self.session.name} to move{rolls}.")

    def _print_roll(self) -> None:
        position = self.session.position
        print(dice_line(position))
        self._print_boxes()

    def _print_boxes(self) -> None:
        position = self.session.position
        if not position.dice:
            raise IllegalError("the boxes take points only after a roll: type roll")
        print("".join(f"{line}\n" for line in forced_lines(position)), end="")
        boxes = [
            f"{box_name(position.ruleset, offer.action.box)} {offer.points}"
            + (" as a joker" if offer.is_joker else "")
            + (f" and {offer.bonus} bonus" if offer.bonus else "")
            for offer in position.offers()
            if not offer.action.is_scratch
        ]
        print(f"Boxes: {', '.join(boxes)}.")

    def _print_hint(self) -> None:
        position = self.session.position
        if not position.is_over and not isinstance(self.session.player, Human):
            raise IllegalError("hints are only for your own turn")
        # Imported here: the solver is slow to import, and most games use no hints.
        from fivedice.analysis.advice import advise
        from fivedice.cli.solutions import too_large
        from fivedice.cli.text.advice import advice_lines
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

    def _print_score(self, name: str) -> None:
        turn = self.session.record.turns[-1]
        offer = turn.offer
        assert offer, "a score ends its turn"
        bonus = f" and {offer.bonus} bonus" if offer.bonus else ""
        total = self.session.position.cards[turn.seat].total
        box = box_name(self.session.record.ruleset, offer.action.box)
        print(f"{name} scores {offer.points} in {box}{bonus}. Total {total}.")

    def _print_cards(self) -> None:
        print(format_cards(self.session.position, [seat.name for seat in self.session.record.seats]))


def dice_line(position: Position) -> str:
    """The dice, and the rolls left."""
    num = position.rolls_left
    rolls = f"{num} roll{'s' if num > 1 else ''} left" if num else "no rolls left, score a box"
    return f"Dice: {' '.join(format_dice(position.dice))}; {rolls}."


def forced_lines(position: Position) -> list[str]:
    """A sentence on why the joker rule closes some open boxes to this roll; none if it does not."""
    reason = rule_on(position.card, position.dice).reason
    return [f"{reason[0].upper()}{reason[1:]}."] if reason else []


def describe_turn(turn: Turn) -> str:
    """The rolls and keeps of a turn."""
    steps = [f"rolls {format_dice(turn.rolls[0])}"]
    for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True):
        steps.append(f"keeps {format_dice(keep.dice)} and rolls {format_dice(roll)}".replace("keeps - and", "again"))
    return ", ".join(steps)
