"""A `Board`: a session as people see and touch it, with the marks on the dice, the chosen box and the last answer."""

from collections.abc import Sequence

from fivedice.cli.game.session import Session
from fivedice.dice import Dice
from fivedice.game.action import Action, Keep, Offer, Score, expensive_zeros
from fivedice.game.placed import places_of
from fivedice.game.position import Position
from fivedice.players import Human


class Board:
    """Every key of the terminal game is a method here; what cannot be done is answered in `said`.

    `kept` marks the places of `session.places`. A computer player's keep is marked first and rolled in its next step,
    so that it can be followed.
    """

    def __init__(self, session: Session, opening: Sequence[str] = ()) -> None:
        self.session = session
        if session.position.dice and not session.places:
            session.places = list(session.position.dice)
        self.kept = [False] * len(session.places)
        self.rolled: list[bool] = []
        self.said = " ".join(opening)
        self._cursors = [0] * len(session.players)
        self._kept_at_roll = self.kept
        self._is_decided = False
        self._asked: Score | None = None
        categories = list(enumerate(session.position.ruleset.categories))
        self._rows = [index for index, _ in sorted(categories, key=lambda pair: pair[1].section == "lower")]
        self._settle_cursor()

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.session.position

    @property
    def cursor(self) -> int:
        """The box that the seat to move has chosen; it stays there from turn to turn while the box can be filled."""
        return self._cursors[self.position.seat]

    @cursor.setter
    def cursor(self, box: int) -> None:
        self._cursors[self.position.seat] = box

    @property
    def is_persons(self) -> bool:
        """Whether a person decides now."""
        return not self.position.is_over and isinstance(self.session.player, Human)

    @property
    def is_computers(self) -> bool:
        """Whether a computer player decides now."""
        return not self.position.is_over and not self.is_persons

    @property
    def offers(self) -> dict[int, Offer]:
        """Box → what it would take now, for every box that the roll may fill."""
        index = self.position.ruleset.box_index
        return {index[offer.action.box]: offer for offer in self.position.offers() if not offer.action.is_scratch}

    @property
    def can_scratch(self) -> bool:
        """Whether the chosen box may take a zero although the roll scores there."""
        return any(o.action.is_scratch and o.action.box == self._box_id(self.cursor) for o in self.position.offers())

    @property
    def has_new_marks(self) -> bool:
        """Whether dice were kept or freed since the last roll."""
        return bool(self.position.dice) and self.is_persons and self.kept != self._kept_at_roll

    @property
    def can_take_back(self) -> bool:
        """Whether the last thing that happened is a score that a person wrote."""
        turns = self.session.record.turns
        return self.session.can_undo and bool(turns) and isinstance(self.session.players[turns[-1].seat], Human)

    @property
    def keeping(self) -> Dice | None:
        """What a computer player is about to keep."""
        return self.session.kept_dice(self.kept) if self._is_decided else None

    @property
    def chosen(self) -> list[Action]:
        """What r and Enter would do now: the keep that the marks make, if some dice but not all are marked and can be
        rolled, and the score in the chosen box."""
        if not self.is_persons or not self.position.dice:
            return []
        keeps = self.position.rolls_left and any(self.kept) and not all(self.kept)
        keep: list[Action] = [Keep(self.session.kept_dice(self.kept))] if keeps else []
        return [*keep, self.offers[self.cursor].action]

    def why_closed(self, box: int) -> str:
        """Why an open box cannot take the roll, in a few words."""
        position = self.position
        if position.card.boxes[box] is not None:
            return f"{self._name(box)} is filled"
        return position.why_closed(box)

    def roll(self) -> bool:
        """Roll the dice that are not kept; whether any were."""
        self._answer()
        if not self.position.dice:
            self.session.roll()
            self._after_roll([False] * len(self.session.places))
            return True
        if not self.position.rolls_left:
            self.said = "No roll is left: choose a box."
        elif all(self.kept):
            self.said = "Every die is kept: choose a box, or free a die."
        else:
            self.session.keep(self.kept)
            self._after_roll(self.kept)
            return True
        return False

    def toggle(self, place: int) -> None:
        """Keep the die at a place, or free it."""
        self._answer()
        if not self.position.dice:
            self.said = "Roll first: r or space."
        elif not self.position.rolls_left:
            self.said = "No roll is left: choose a box."
        elif place < len(self.kept):
            self.kept = [*self.kept[:place], not self.kept[place], *self.kept[place + 1 :]]

    def move(self, across: int, down: int) -> None:
        """Move the cursor to the next open box that the roll may fill, around the edges of the card."""
        self._answer()
        offers = self.offers
        if not offers:
            return
        here = self.position.ruleset.boxes[self.cursor]
        if down:
            column = sorted((box for box in offers if self._column(box) == here.column), key=self._row)
            self.cursor = column[(column.index(self.cursor) + down) % len(column)]
            return
        columns = sorted({self._column(box) for box in offers})
        column_there = columns[(columns.index(here.column) + across) % len(columns)]
        row = self._row(self.cursor)
        there = [box for box in offers if self._column(box) == column_there]
        self.cursor = min(there, key=lambda box: abs(self._row(box) - row))

    def point(self, box: int) -> bool:
        """Put the cursor on a box; whether the roll may fill it."""
        if not self.position.dice:
            self._answer("Roll first: r or space.")
        elif box not in self.offers:
            reason = self.why_closed(box)
            self._answer(f"{reason[0].upper()}{reason[1:]}.")
        else:
            if box != self.cursor:
                self._answer()
            self.cursor = box
            return True
        return False

    def score(self, *, is_scratch: bool = False) -> bool:
        """Fill the chosen box; whether it was. A zero that costs much is asked about once."""
        if not self.point(self.cursor):
            return False
        action = Score(self._box_id(self.cursor), is_scratch)
        name = self._name(self.cursor)
        if is_scratch and not self.can_scratch:
            allowed = self.position.ruleset.voluntary_zero
            self._answer(
                f"{name} takes 0 anyway: Enter writes it." if allowed else "These rules have no voluntary zero."
            )
            return False
        is_dear = is_scratch or action.box in expensive_zeros(self.position.ruleset, self.offers.values())
        if is_dear and self._asked != action:
            self._answer(f"Write 0 in {name}? {'x' if is_scratch else 'Enter'} again writes it.")
            self._asked = action
            return False
        self._answer()
        self.session.score(action)
        return True

    def undo(self) -> None:
        """Take back the marks since the last roll, or the score written since; dice stay as they fell."""
        self._answer()
        if self.has_new_marks:
            self.kept = self._kept_at_roll
        elif self.can_take_back:
            self.session.undo()
        else:
            self.said = "Nothing to take back: dice stay as they fell."

    def step(self) -> bool:
        """One step of a computer player: a roll, the marks of what it keeps, or its score. Whether dice were rolled."""
        self._answer()
        session = self.session
        if not self.position.dice:
            return self.roll()
        if self._is_decided:
            session.keep(self.kept)
            self._after_roll(self.kept)
            return True
        action = session.player.choose(self.position)
        if isinstance(action, Keep):
            self.kept = list(places_of(action, tuple(self.session.places), self.kept))
            self._is_decided = True
        else:
            session.score(action)
        return False

    def _after_roll(self, kept: list[bool]) -> None:
        self.kept = self._kept_at_roll = kept
        self.rolled = [not stays for stays in kept]
        self._is_decided = False
        self._settle_cursor()

    def _settle_cursor(self) -> None:
        offers = self.offers
        if offers and self.cursor not in offers:
            self.cursor = min(offers)

    def _answer(self, sentence: str = "") -> None:
        self.said = sentence
        self._asked = None

    def _box_id(self, box: int) -> str:
        return self.position.ruleset.boxes[box].id

    def _name(self, box: int) -> str:
        return self.position.ruleset.boxes[box].name

    def _column(self, box: int) -> int:
        return self.position.ruleset.boxes[box].column

    def _row(self, box: int) -> int:
        """How far down the card a box stands."""
        return self._rows.index(box % len(self._rows))
