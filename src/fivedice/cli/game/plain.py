"""The game in lines of text on standard input and output, for screen readers, pipes and scripts."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from fivedice.analysis.advice import advise
from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.cli.game.command_words import (
    command_names,
    example_box,
    find_commands,
    help_lines,
    split_verb,
    what_follows,
    yes_or_no,
)
from fivedice.cli.game.input import Quit, ambiguous, find_boxes, is_dice, read_line, typed_action
from fivedice.cli.game.lines import (
    announcing_lines,
    choices_after,
    describe_turn,
    dice_line,
    ending,
    forced_lines,
    hint_lines,
    odds_line,
    offer_lines,
    score_line,
    turn_line,
    zero_question,
)
from fivedice.cli.game.session import Session
from fivedice.cli.language import box_name, chosen, say
from fivedice.cli.text.cards import format_cards
from fivedice.cli.text.output import tell
from fivedice.game.action import Action, Score
from fivedice.game.position import Position
from fivedice.game.record import Record
from fivedice.players import Human
from fivedice.rulesets.explanation.dice import colour_legend
from fivedice.solver.tables.states import TooLargeError

if TYPE_CHECKING:
    from fivedice.analysis.estimated_odds import OddsEstimator


class _ResignedError(Exception):
    """Raised when the person to move has resigned, so that nobody waits for an action any more."""


class PlainGame:
    """Runs a session in lines of text. `after` is what the player chose at the end, a value of `AFTER`; `review` prints
    the review of a game."""

    session: Session

    def __init__(self, review: Callable[[Record], None]) -> None:
        self.after = ""
        self._review = review
        self._problem = ""
        self._estimator: OddsEstimator | None = None
        self._commands: dict[str, Callable[[], None]] = {
            "roll": self._roll,
            "resign": self._resign,
            "undo": self._undo,
            "boxes": self._print_boxes,
            "card": self._print_cards,
            "hint": self._print_hints,
            "help": lambda: print("\n".join(help_lines(self.session.record.ruleset))),
            "quit": self._quit,
        }

    def run(self, session: Session, opening: Sequence[str]) -> int:
        """Play to the end; return the exit status, which is 1 if the input ended before the game did."""
        self.session, self.after = session, ""
        ruleset = session.record.ruleset
        tell(say("{game}. Players: {names}.", game=ruleset.name, names=", ".join(session.names)))
        if legend := colour_legend(ruleset, chosen()):
            tell(say("Each die has its colour behind it: {legend}.", legend=legend))
        tell(say("Type {help} for the commands.", help=command_names("help")[0]))
        for sentence in opening:
            tell(sentence)
        status = 0
        try:
            if session.position.dice and isinstance(session.player, Human):
                self._print_turn()
                self._print_roll()
            self._play()
        except Quit as error:
            status = error.status
            if status:
                tell(say("The input ended before the game did."))
        except KeyboardInterrupt:
            print()
            status = 130
        self.session.save()
        if self.session.saved.sentence:
            if not self.session.is_over:
                self._print_cards()
                tell(say("The game is not finished."))
            print(self.session.saved.sentence)
        return status

    def ask(self, position: Position) -> Action:
        """Read lines until one is an action, and run the others as commands. `Human` players call this."""
        asked: Action | None = None
        while True:
            line, before, asked = self._read(), asked, None
            try:
                if before and yes_or_no(line):
                    return before
                if before and yes_or_no(line) is False:
                    tell(say("Nothing is written."))
                elif (action := self._parse(line)) is None:
                    self._run_command(line)
                else:
                    # Not `position`: an announcement may have been taken back.
                    question = zero_question(self.session.position, action) if isinstance(action, Score) else ""
                    if not question or action == before:
                        return action
                    tell(" ".join([question, say("Type yes to write it, or choose something else.")]))
                    asked = action
            except ValueError as error:
                tell(str(error))

    def _play(self) -> None:
        while True:
            with suppress(_ResignedError):
                if self.session.is_over:
                    self._at_end()
                elif not isinstance(self.session.player, Human):
                    self._computer_turn()
                elif self.session.position.dice:
                    self._human_step()
                else:
                    self._before_roll()

    def _human_step(self) -> None:
        seat = self.session.position.seat
        action = self.session.choose()
        self.session.play(action)
        if isinstance(action, Score):
            tell(score_line(self.session.record, seat, self.session.you))
        else:
            self._print_roll()
        self._print_problem()

    def _before_roll(self) -> None:
        """A human turn before its first roll."""
        position = self.session.position
        self._print_turn()
        while self.session.position == position:
            line = self._read()
            if self._is_action(line):
                tell(say("Roll first: type {roll}, or press Enter.", roll=command_names("roll")[0]))
            else:
                self._try(line or "roll")

    def _at_end(self) -> None:
        """The end of the game, where the last score can still be taken back."""
        self._print_cards()
        print("\n".join(ending(self.session)))
        while self.session.is_over:
            tell(choices_after(self.session))
            line = self._read()
            after = what_follows(line)
            if after == "review" and not self.session.available.review:
                self._review(self.session.record)
            elif not line or after in ("new game", "learn"):
                self.after = after
                raise Quit(0)
            else:
                self._try(line)

    def _read(self) -> str:
        """Read a line, stripped; raise `Quit` at the end of the input."""
        line = read_line()
        if not line:
            raise Quit(0 if self.session.is_over else 1)
        return line.strip().lower()

    def _parse(self, line: str) -> Action | None:
        """The legal action in a line, None for a command; raises `ValueError` for anything else."""
        if not self._is_action(line):
            return None
        position = self.session.position
        boxes = [] if is_dice(line, position.ruleset) else find_boxes(line, position.ruleset)
        commands = find_commands(line)
        if boxes and commands:
            names = [command_names(command)[0] for command in commands]
            raise ambiguous(line, [*names, *(box_name(position.ruleset, box) for box in boxes)])
        return typed_action(line, position)

    def _is_action(self, line: str) -> bool:
        """Whether a line, which need not be legal, is about dice or a box and no command."""
        if not line or any(line in command_names(command) for command in self._commands):
            return False
        ruleset = self.session.position.ruleset
        return bool(split_verb(line)[0] or is_dice(line, ruleset) or find_boxes(line, ruleset))

    def _try(self, line: str) -> None:
        try:
            self._run_command(line)
        except ValueError as error:
            tell(str(error))
        self._print_problem()

    def _run_command(self, line: str) -> None:
        """Run a command that is not an action; raises `ValueError` if there is no such command."""
        if not line:
            raise MalformedError(
                say(
                    "want dice to keep, as in 33, or a box, as in {box}; type {help} for more",
                    box=example_box(self.session.record.ruleset),
                    help=command_names("help")[0],
                )
            )
        found = find_commands(line)
        if not found:
            known = ", ".join(command_names(command)[0] for command in self._commands)
            raise UnknownError(
                say(
                    "{line} is neither a command nor a box: want dice to keep, a box, or one of {commands}",
                    line=repr(line),
                    commands=known,
                )
            )
        if len(found) > 1:
            raise ambiguous(line, [command_names(command)[0] for command in found])
        self._commands[found[0]]()

    def _quit(self) -> None:
        raise Quit(0)

    def _roll(self) -> None:
        if self.session.position.dice:
            raise IllegalError(say("the dice are already rolled: choose which to keep, as in 33, or - for none"))
        self.session.roll()
        self._print_roll()

    def _resign(self) -> None:
        """Give up the game for the person to move, who is asked first."""
        if not self.session.is_over:
            tell(say("Give up this game? That cannot be taken back."))
            tell(say("Type yes to resign, or anything else to play on."))
            if not yes_or_no(self._read()):
                tell(say("The game goes on."))
                return
        tell(self.session.resign())
        raise _ResignedError

    def _undo(self) -> None:
        tell(self.session.undo())
        self._print_roll()

    def _computer_turn(self) -> None:
        seat, name = self.session.position.seat, self.session.name
        if not self.session.position.dice:
            self.session.roll()
        while self.session.position.dice:
            self.session.step()
        tell(f"{name}: {describe_turn(self.session.position.ruleset, self.session.record.turns[-1])}")
        tell(score_line(self.session.record, seat, self.session.you))

    def _print_problem(self) -> None:
        """Report once that the game cannot be saved."""
        problem = self.session.saved.problem
        if problem and problem != self._problem:
            print(problem)
        self._problem = problem

    def _print_turn(self) -> None:
        position = self.session.position
        print()
        print(turn_line(position, self.session.name, is_you=position.seat == self.session.you))
        self._print_odds()

    def _print_roll(self) -> None:
        print(dice_line(self.session.position))
        self._print_boxes()

    def _print_boxes(self) -> None:
        position = self.session.position
        if not position.dice:
            raise IllegalError(
                say("the boxes take points only after a roll: type {roll}", roll=command_names("roll")[0])
            )
        for line in (*announcing_lines(position), *forced_lines(position), *offer_lines(position)):
            tell(line)

    def _print_cards(self) -> None:
        print(format_cards(self.session.position, self.session.names))

    def _print_hints(self) -> None:
        """Print the best actions, or why there are none; with several players also the chances to win."""
        session, position = self.session, self.session.position
        if session.is_over:
            raise IllegalError(say("The game is over: there is no legal action."))
        if session.available.advice:
            tell(session.available.advice)
            return
        # Imported here: the solver is slow to import, and most games use no hints.
        from fivedice.cli.solutions import estimator_of, no_hints, values_of
        from fivedice.solver.solution import Solution

        try:
            values = values_of(position.ruleset)
            advice = advise(values, position)
        except (TooLargeError, MemoryError):
            tell(no_hints(position.ruleset))
            return
        for line in hint_lines(advice):
            tell(line)
        if len(position.cards) > 1 and isinstance(values, Solution) and not self._estimator:
            self._estimator = estimator_of(values)
            self._print_odds()

    def _print_odds(self) -> None:
        """Print the chances to win, if a hint was asked for."""
        if self._estimator and (odds := self._estimator.odds(self.session.position)):
            tell(odds_line(odds, self.session.names))
