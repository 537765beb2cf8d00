"""A `Board`: the state of the terminal game, with the marked dice, the selected box and the last message."""

from collections.abc import Sequence

from fivedice.cli.game.lines import capitalised, zero_question
from fivedice.cli.game.session import Session
from fivedice.cli.language import box_name, chosen, say
from fivedice.game.action import Action, Announce, Keep, Offer, Score
from fivedice.game.placed_turn import places_of
from fivedice.game.position import Position
from fivedice.players import Human
from fivedice.rulesets.dice import Dice


class Board:
    """Has a method for every key of the terminal game; an action that is not possible sets `message`.

    `kept` marks the places of `session.places`; `cursor` is the box that a person has selected. A computer player first
    marks the dice it keeps, and rolls the others in its next step, so that its choice is visible.
    """

    def __init__(self, session: Session, opening: Sequence[str] = ()) -> None:
        self.session = session
        self.kept = session.kept
        self.cursor = 0
        self.has_moved_cursor = False
        """Whether a person has moved the cursor since the last roll."""
        self.rolled: list[bool] = []
        self.message = " ".join(opening)
        self._kept_at_roll = self.kept
        self._at_score: tuple[list[bool], int] | None = None
        """The marks and the cursor when a person last scored."""
        self._has_marked_keep = False
        self._confirming: Score | None = None
        categories = list(enumerate(session.position.ruleset.categories))
        self._rows = [index for index, _ in sorted(categories, key=lambda pair: pair[1].section == "lower")]
        self._select_best()

    @property
    def position(self) -> Position:
        return self.session.position

    @property
    def is_human_turn(self) -> bool:
        return not self.session.is_over and isinstance(self.session.player, Human)

    @property
    def is_computer_turn(self) -> bool:
        return not self.session.is_over and not self.is_human_turn

    @property
    def offers(self) -> dict[int, Offer]:
        """Box → its offer, for every box that the roll may fill."""
        index = self.position.ruleset.box_index
        return {index[offer.action.box]: offer for offer in self.position.offers() if not offer.action.is_scratch}

    @property
    def announcements(self) -> dict[int, int]:
        """Box → what the dice would score there now, for every box that the player may announce."""
        position = self.position
        index = position.ruleset.box_index
        return {index[action.box]: position.points_if_announced(action.box) for action in position.announcements()}

    @property
    def _targets(self) -> list[int]:
        """The boxes that can be selected: those that the roll may fill, and those of `announcements`."""
        return [*self.offers, *self.announcements]

    @property
    def can_announce(self) -> bool:
        """Whether the selected box is one of `announcements`."""
        return self.cursor in self.announcements

    @property
    def can_scratch(self) -> bool:
        """Whether the rules allow a voluntary zero in the selected box."""
        return any(o.action == Score(self._box_id(self.cursor), is_scratch=True) for o in self.position.offers())

    @property
    def has_new_marks(self) -> bool:
        """Whether dice were marked or unmarked since the last roll."""
        return bool(self.position.dice) and self.is_human_turn and self.kept != self._kept_at_roll

    @property
    def best(self) -> int | None:
        """The box that pays most now, the extra-Yahtzee bonus included; the first one of several."""
        offers = self.offers
        columns = self.position.ruleset.columns
        paid = {
            box: offer.points * columns[self._column(box)].multiplier + offer.bonus for box, offer in offers.items()
        }
        return max(sorted(paid, key=self._row), key=paid.__getitem__, default=None)

    @property
    def keeping(self) -> Dice | None:
        """The dice that a computer player is about to keep."""
        return self.session.kept_dice(self.kept) if self._has_marked_keep else None

    @property
    def chosen(self) -> list[Action]:
        """The actions of r and Enter: the keep of the marked dice, if only some are marked and a roll is left, and the
        score in the selected box, or its announcement."""
        if not self.is_human_turn or not self.position.dice:
            return []
        can_keep = self.position.rolls_left and not self.position.card.must_announce
        keeps = can_keep and any(self.kept) and not all(self.kept)
        keep: list[Action] = [Keep(self.session.kept_dice(self.kept))] if keeps else []
        if self.can_announce:
            return [*keep, Announce(self._box_id(self.cursor))]
        return [*keep, self.offers[self.cursor].action]

    def roll(self) -> bool:
        """Roll the dice that are not kept; return whether any were rolled."""
        self._set_message()
        if not self.position.dice:
            self.session.roll()
            self._after_roll([False] * len(self.session.places))
            return True
        if not self.position.rolls_left:
            self.message = say("No rolls are left: choose a box.")
        elif all(self.kept):
            self.message = say("Every die is kept: choose a box, or release a die.")
        elif self.position.card.must_announce:
            self.message = f"{capitalised(self.position.why_illegal(Keep(()), chosen()))}."
        else:
            self.session.keep(self.kept)
            self._after_roll(self.kept)
            return True
        return False

    def toggle(self, place: int) -> None:
        """Keep the die at a place, or release it."""
        self._set_message()
        if not self.position.dice:
            self.message = say("Roll first: r or space.")
        elif not self.position.rolls_left:
            self.message = say("No rolls are left: choose a box.")
        elif place < len(self.kept):
            self.kept = [*self.kept[:place], not self.kept[place], *self.kept[place + 1 :]]

    def move(self, across: int, down: int) -> None:
        """Move the cursor to the next box that the roll may fill; it wraps around the edges of the card."""
        self._set_message()
        offers = self._targets
        if not offers:
            return
        self.has_moved_cursor = True
        box = self.position.ruleset.boxes[self.cursor]
        if down:
            column = sorted((index for index in offers if self._column(index) == box.column), key=self._row)
            self.cursor = column[(column.index(self.cursor) + down) % len(column)]
            return
        columns = sorted({self._column(box) for box in offers})
        new_column = columns[(columns.index(box.column) + across) % len(columns)]
        row = self._row(self.cursor)
        in_column = [index for index in offers if self._column(index) == new_column]
        self.cursor = min(in_column, key=lambda index: abs(self._row(index) - row))

    def select(self, box: int) -> bool:
        """Move the cursor to a box; return whether the roll may fill it."""
        if not self.position.dice:
            self._set_message(say("Roll first: r or space."))
        elif box not in self._targets:
            is_filled = self.position.card.boxes[box] is not None
            name = self._name(box)
            reason = say("{box} is filled", box=name) if is_filled else self.position.why_closed(box, chosen())
            self._set_message(f"{capitalised(reason)}.")
        else:
            if box != self.cursor:
                self._set_message()
                self.has_moved_cursor = True
            self.cursor = box
            return True
        return False

    def score(self, *, is_scratch: bool = False) -> bool:
        """Fill the selected box, or announce it; return whether that was done. A zero that can be avoided must be
        confirmed first."""
        if not self.select(self.cursor):
            return False
        if self.can_announce:
            self._at_score = (self.kept, self.cursor)
            self.session.play(Announce(self._box_id(self.cursor)))
            self._select_best()
            self._set_message()
            return True
        action = Score(self._box_id(self.cursor), is_scratch)
        name = self._name(self.cursor)
        if is_scratch and not self.can_scratch:
            if self.offers[self.cursor].points:
                self._set_message(say("These rules allow no voluntary zero."))
            else:
                self._set_message(say("{box} scores 0 in any case: press Enter.", box=name))
            return False
        question = zero_question(self.position, action)
        if question and self._confirming != action:
            again = say("Press {key} again to write it.", key="x" if is_scratch else say("Enter"))
            self._set_message(f"{question} {again}")
            self._confirming = action
            return False
        self._set_message()
        self._at_score = (self.kept, self.cursor)
        self.session.play(action)
        return True

    def resign(self) -> None:
        """Give up the game for the seat to move."""
        self._set_message(self.session.resign())
        self.kept = self._kept_at_roll = []
        self._has_marked_keep = False

    def undo(self) -> None:
        """Undo the marks since the last roll, or the last score of a person; rolls cannot be undone."""
        self._set_message()
        if self.has_new_marks:
            self.kept = self._kept_at_roll
        elif self.session.can_undo:
            self.message = self.session.undo()
            self._kept_at_roll = self.session.kept
            self._has_marked_keep = False
            self.kept, self.cursor = self._at_score or (self._kept_at_roll, self.cursor)
            if not self._at_score:
                self._select_best()
        else:
            self.message = say("There is nothing to undo: a score is final after your next roll, and rolls always are.")

    def step(self) -> bool:
        """One step of a computer player: a roll, the marks of its keep, or its score; return whether it rolled."""
        self._set_message()
        session = self.session
        if not self.position.dice:
            return self.roll()
        if self._has_marked_keep:
            session.keep(self.kept)
            self._after_roll(self.kept)
            return True
        action = session.choose()
        if isinstance(action, Keep):
            self.kept = list(places_of(action, tuple(self.session.places), self.kept))
            self._has_marked_keep = True
        else:
            session.play(action)
        return False

    def _after_roll(self, kept: list[bool]) -> None:
        self.kept = self._kept_at_roll = kept
        self.rolled = [not stays for stays in kept]
        self._has_marked_keep = False
        self._select_best()

    def _select_best(self) -> None:
        """Select the box that pays most now, or where none can be scored, the best of `announcements`."""
        self.has_moved_cursor = False
        best, called = self.best, self.announcements
        if best is None:
            best = max(sorted(called, key=self._row), key=called.__getitem__, default=None)
        if best is not None:
            self.cursor = best

    def _set_message(self, sentence: str = "") -> None:
        self.message = sentence
        self._confirming = None

    def _box_id(self, box: int) -> str:
        return self.position.ruleset.boxes[box].id

    def _name(self, box: int) -> str:
        return box_name(self.position.ruleset, self._box_id(box))

    def _column(self, box: int) -> int:
        return self.position.ruleset.boxes[box].column

    def _row(self, box: int) -> int:
        """The row of a box on the card, from the top."""
        return self._rows.index(box % len(self._rows))
