"""The game in lines of text on standard input and output, for screen readers, pipes and scripts."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from fivedice.cli.game.ending import ending
from fivedice.cli.game.input import Quit, find_boxes, is_dice, read_line, short_action
from fivedice.cli.game.lines import announced_lines, describe_turn, dice_line, forced_lines, hint_lines, offer_lines
from fivedice.cli.game.session import Session
from fivedice.cli.game.zero import zero_question
from fivedice.cli.text.cards import format_cards
from fivedice.cli.text.language import box_name, filled_names
from fivedice.errors import IllegalError, MalformedError, UnknownError
from fivedice.explanation.dice import colour_legend
from fivedice.game.action import Action, Score
from fivedice.game.position import Position
from fivedice.players import Human
from fivedice.ruleset import Ruleset

if TYPE_CHECKING:
    from fivedice.analysis.odds.estimated_odds import OddsEstimator
    from fivedice.solver.solution import Solution

HELP = """\
roll             make the first roll of your turn; an empty line does the same
33, keep 33      keep these dice and roll the others; - rolls all of them
threes           score in a box and end your turn; the first letters of the box are enough
score threes     the same
scratch threes   write a zero in a box instead, if the rules allow it
announce threes  announce the box that this turn must fill, after the first roll, if the rules ask for it
resign           give up the game, after a question; the others play on
undo             take back your last score or announcement, until your next roll
boxes            show what each open box would score now
card             show all score cards
hint             show the three best actions: what each costs, and the average final score after it;
                 with several players, also the chances to win, from then on before every turn
help             show this list
quit             leave the game; it is saved"""

AFTER = {"n": "new game", "v": "review", "l": "learn"}
"""What can follow a game, by the key or the line that chooses it."""


def after_game(session: Session) -> dict[str, str]:
    """What can follow a game: no review where its rules cannot be solved."""
    return {key: what for key, what in AFTER.items() if what != "review" or not session.no_solution}


class _ResignedError(Exception):
    """Raised when the person to move has resigned, so that nobody waits for an action any more."""


class PlainGame:
    """Runs a session in lines of text. `after` is what the player chose at the end, a value of `AFTER`."""

    session: Session

    def __init__(self, solve: "Callable[[Ruleset], Solution]") -> None:
        self.after = ""
        self._solve = solve
        self._problem = ""
        self._estimator: OddsEstimator | None = None
        """Once a hint was asked for, the chances to win are shown before every turn."""
        self.commands: dict[str, Callable[[], None]] = {
            "roll": self._roll,
            "resign": self._resign,
            "undo": self._undo,
            "boxes": self._print_boxes,
            "card": self._print_cards,
            "hint": self._print_hint,
            "help": lambda: print(HELP),
        }

    def run(self, session: Session, opening: Sequence[str]) -> int:
        """Play to the end; return the exit status, which is 1 if the input ended before the game did."""
        self.session, self.after = session, ""
        print(f"{session.record.ruleset.name}. Players: {', '.join(session.names)}.")
        if legend := colour_legend(session.record.ruleset):
            print(f"Each die has its colour behind it: {legend}.")
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
        self.session.save()
        if self.session.record.turns:
            if not self.session.is_over:
                self._print_cards()
                print("The game is not finished.")
            print(self.session.saved.sentence)
        return status

    def ask(self, position: Position) -> Action:
        """Read lines until one is an action, and run the others as commands. `Human` players call this."""
        asked: Action | None = None
        while True:
            line = self._read()
            try:
                if asked and line in ("y", "yes"):
                    return asked
                if asked and line in ("n", "no"):
                    asked = None
                    print("Nothing is written.")
                    continue
                action = self._parse(line)
                if action is None:
                    asked = None
                    self._run_command(line)
                    continue
                question = zero_question(position, action) if isinstance(action, Score) else ""
                if not question or action == asked:
                    return action
                print(f"{question} Type yes to write it, or choose something else.")
                asked = action
            except ValueError as error:
                asked = None
                print(error)

    def _play(self) -> None:
        while True:
            with suppress(_ResignedError):
                self._play_on()

    def _play_on(self) -> None:
        while True:
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
        action = self.session.player.choose(self.session.position)
        self.session.play(action)
        if isinstance(action, Score):
            self._print_score(seat)
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
                print("Roll first: type roll, or press Enter.")
            else:
                self._try(line or "roll")

    def _at_end(self) -> None:
        """The end of the game, where the last score can still be taken back."""
        self._print_cards()
        print("\n".join(ending(self.session).sentences))
        review = "" if self.session.no_solution else "v to review this one, "
        choices = f"n for a new game, {review}l to learn from your games"
        print(f"Press Enter to finish, or type {choices}{', or undo' if self.session.can_undo else ''}.")
        while self.session.is_over:
            line = self._read()
            after = next(
                (what for key, what in after_game(self.session).items() if line in (key, what, what.split()[0])), ""
            )
            if after or not line:
                self.after = after
                raise Quit(0)
            self._try(line)

    def _read(self) -> str:
        """Read a line, stripped; raise `Quit` at the end of the input or on `quit`."""
        line = read_line()
        if not line and not self.session.is_over:
            raise Quit(1)
        if not line or line.strip().lower() in ("quit", "q"):
            raise Quit(0)
        return line.strip().lower()

    def _parse(self, line: str) -> Action | None:
        """The legal action in a line, None for a command; raises `ValueError` for anything else."""
        if not line or line in self.commands:
            return None
        if self._is_action(line):
            position = self.session.position
            boxes = [] if is_dice(line, position.ruleset) else find_boxes(line, position.ruleset)
            matching = [name for name in self.commands if name.startswith(line) and name != "resign"]
            if boxes and matching:
                names = [*matching, *(box_name(position.ruleset, box) for box in boxes)]
                raise UnknownError(f"{line!r} may mean any of {', '.join(names)}: type more of it")
            return short_action(line, position)
        return None

    def _is_action(self, line: str) -> bool:
        """Whether a line, which need not be legal, is about dice or a box and no command."""
        if not line or line in self.commands:
            return False
        ruleset = self.session.position.ruleset
        is_verb = line.split()[0] in ("keep", "score", "scratch", "announce")
        return is_verb or is_dice(line, ruleset) or bool(find_boxes(line, ruleset))

    def _try(self, line: str) -> None:
        try:
            self._run_command(line)
        except ValueError as error:
            print(error)
        self._print_problem()

    def _run_command(self, line: str) -> None:
        """Run a command that is not an action; raises `ValueError` if there is no such command."""
        if not line:
            raise MalformedError("want dice to keep, as in 33, or a box, as in threes; type help for more")
        # A game is not given up by the first letters of a word.
        matching = [name for name in self.commands if name.startswith(line) and (name != "resign" or line == name)]
        if len(matching) > 1:
            raise UnknownError(f"{line!r} may mean {' or '.join(matching)}: type more of it")
        if not matching:
            known = ", ".join(self.commands)
            raise UnknownError(f"{line!r} is neither a command nor a box: want dice to keep, a box, {known} or quit")
        self.commands[matching[0]]()

    def _roll(self) -> None:
        if self.session.position.dice:
            raise IllegalError("the dice are already rolled: choose which to keep, as in 33, or - for none")
        self.session.roll()
        self._print_roll()

    def _resign(self) -> None:
        """Give up the game for the person to move, who is asked first."""
        name = "you" if self.session.position.seat == self.session.you else self.session.name
        if not self.session.is_over:
            print("Give up this game? That cannot be taken back. Type yes to resign, or anything else to play on.")
            if self._read() not in ("y", "yes"):
                print("The game goes on.")
                return
        self.session.resign()
        print(f"{name[0].upper()}{name[1:]} resigned.")
        raise _ResignedError

    def _undo(self) -> None:
        seats = [turn.seat for turn in self.session.record.turns]
        position = self.session.position
        is_announced, is_pair = bool(position.card.announced), position.ruleset.boxes_per_turn == 2
        self.session.undo()
        undone = seats[len(self.session.record.turns) :]
        announcement = "Your choice of the first box has" if is_pair else "Your announcement has"
        what = announcement if is_announced else "Your score has"
        what = "Your score and the turns after it have" if undone else what
        print(f"{what} been taken back.{' Their dice will be the same.' if undone else ''}")
        self._print_roll()

    def _computer_turn(self) -> None:
        seat, name = self.session.position.seat, self.session.name
        if not self.session.position.dice:
            self.session.roll()
        while self.session.position.dice:
            self.session.step()
        print(f"{name}: {describe_turn(self.session.position.ruleset, self.session.record.turns[-1])}")
        self._print_score(seat)

    def _print_problem(self) -> None:
        """Report once that the game cannot be saved."""
        problem = self.session.saved.problem
        if problem and problem != self._problem:
            print(problem)
        self._problem = problem

    def _print_turn(self) -> None:
        session, position = self.session, self.session.position
        rolls = f", {position.rolls_left} roll{'s' if position.rolls_left > 1 else ''}" if not position.dice else ""
        mover = "Your turn" if position.seat == session.you else f"{session.name} to move"
        print(f"\nRound {position.round} of {position.ruleset.rounds}. {mover}{rolls}.")
        if self._estimator:
            self._print_odds(self._estimator)

    def _print_roll(self) -> None:
        position = self.session.position
        print(dice_line(position))
        self._print_boxes()

    def _print_boxes(self) -> None:
        position = self.session.position
        if not position.dice:
            raise IllegalError("the boxes take points only after a roll: type roll")
        for line in (*announced_lines(position), *forced_lines(position), *offer_lines(position)):
            print(line)

    def _print_hint(self) -> None:
        position = self.session.position
        if self.session.no_solution:
            print(self.session.no_solution)
            return
        # Imported here: the solver is slow to import, and most games use no hints.
        from fivedice.analysis.advice import advise
        from fivedice.cli.solutions import estimator_of, too_large
        from fivedice.cli.text.advice import advice_lines
        from fivedice.solver.solve import TooLargeError

        try:
            solution = self._solve(position.ruleset)
            advice = advise(solution, position)
        except (TooLargeError, MemoryError):
            print(too_large(position.ruleset))
            return
        if not advice.actions:
            print("\n".join(advice_lines(advice)))
        for line in hint_lines(advice):
            print(line)
        if len(position.cards) > 1 and not self._estimator:
            self._estimator = estimator_of(solution)
            self._print_odds(self._estimator)

    def _print_odds(self, estimator: "OddsEstimator") -> None:
        from fivedice.cli.text.odds import odds_line

        if odds := estimator.odds(self.session.position):
            print(odds_line(odds, self.session.names))

    def _print_score(self, seat: int) -> None:
        turn = self.session.record.turns[-1]
        offer = turn.offer
        assert offer, "a score ends its turn"
        bonus = f" and {offer.bonus} bonus" if offer.bonus else ""
        total = self.session.position.cards[seat].total
        what = f"{offer.points} in {filled_names(self.session.record.ruleset, turn)}{bonus}."
        if seat == self.session.you:
            print(f"You score {what} Your total is {total}.")
        else:
            print(f"{self.session.record.seats[seat].name} scores {what} Total {total}.")

    def _print_cards(self) -> None:
        print(format_cards(self.session.position, self.session.names))
