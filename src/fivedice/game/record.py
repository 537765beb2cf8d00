"""`Record`: a game roll by roll, as readable text that replays to the same cards.

    fivedice record 1
    ruleset: yahtzee
    options: -
    digest: 423d5fcbe6c00ba5
    seats: Ann=human,greedy
    first: 0
    date: 2026-11-21T10:00:00+00:00
    result: 3 0, unfinished

    0: 13345, keep 33, 23356, keep 33, 13336, score threes = 9
    1: 22256

A seat that gives up the game ends its unfinished turn with `resign`, or has the line `1: resign` alone if it has not
rolled in this turn. If another seat is to move, that line stands before the line of the current turn; but if the game
ends by it, after that line. The line has no dice, so it does not count as a turn.

Real dice are entered by hand: then the header ends with the line `dice: real`, or `dice: real, table k7Qm2x`. Nothing
is proved, and a turn may begin with a hyphen for each roll that was not entered: `0: -, -, 13336, score threes = 9`.

A name with other characters is written in quotes, and then all are: `seats: "Ann, the 1st":human,"Ben":human`.
If its dice can be verified, the line `proof:` and a block follow after the turns: see `RecordProof`.
If the ruleset is not shipped, the line `rules:` and the indented text of its file follow at the end.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from fivedice.base.errors import IllegalError, MalformedError, at_line, shown, wrong_type
from fivedice.base.outside_text import read_text
from fivedice.game.action import Action, Announce, Keep, Score
from fivedice.game.chance import DiceSource, Rolled
from fivedice.game.notation import parse_action
from fivedice.game.position import Position
from fivedice.game.record_lines import KEYS, TITLE, began_at, find_line, lines_of_record, parse_header, split_lines
from fivedice.game.record_lines import MAX_CHARACTERS as MAX_CHARACTERS
from fivedice.game.record_proof import RecordProof, parse_proof
from fivedice.game.seats import PERSON, format_seats, parse_seats
from fivedice.game.seats import Seat as Seat
from fivedice.game.turn import Resignation, Turn
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.dice import Dice, parse_dice
from fivedice.rulesets.options import parse_options
from fivedice.rulesets.ruleset import Ruleset


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """A game so far. `roll` and `play` return the record with one more step; `position` is the current position.

    `resignations` are in the order in which they happened. `date` is when the game began, in ISO 8601. `proof` makes
    the dice of exactly these turns verifiable; `with_proof` adds it, and any further step removes it. Only where `dice`
    are real can rolls be missing, and nothing proves them; `table` is where they were entered, empty if that was none.
    """

    seats: tuple[Seat, ...]
    first: int
    date: str
    position: Position
    turns: tuple[Turn, ...] = field(default=())
    proof: RecordProof | None = None
    resignations: tuple[Resignation, ...] = ()
    dice: DiceSource = "program"
    table: str = ""

    def __repr__(self) -> str:
        totals = zip(self.seats, self.position.cards, strict=True)
        return f"<Record {self.ruleset} {self.date}: {', '.join(f'{seat.name} {card.total}' for seat, card in totals)}>"

    @classmethod
    def start(cls, ruleset: Ruleset, seats: tuple[Seat, ...], date: str, first: int = 0) -> "Record":
        """A new game, with dice of the program."""
        return cls(seats, first, date, Position.start(ruleset, len(seats), first))

    def with_real_dice(self, table: str = "") -> "Record":
        """The same game with real dice, entered at a table."""
        return replace(self, dice="real", table=table, proof=None)

    def _repr_html_(self) -> str:
        """The seats, the date and the cards for notebooks."""
        from fivedice.rulesets.notebook import table

        rows = [(seat.name, seat.kind, card.total) for seat, card in zip(self.seats, self.position.cards, strict=True)]
        return table(["player", "kind", "score"], rows) + self.position._repr_html_()

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the game."""
        return self.position.ruleset

    def roll(self, rolled: Rolled, missing: int = 0) -> "Record":
        """With the first roll of the next turn, or its first known one if earlier rolls of real dice are `missing`.

        As for a `Position`, a source of chance rolls the dice.
        """
        if missing and self.dice != "real":
            raise IllegalError("only rolls of real dice can be missing: want the line 'dice: real' in the header")
        position = self.position.roll(rolled, missing)
        return self._at(position, (*self.turns, Turn(position.seat, (position.dice,), missing=missing)))

    def play(self, action: Action, rolled: Rolled = ()) -> "Record":
        """With one more action, and for a `Keep` the faces of the other dice, or a source of chance to roll them."""
        if isinstance(action, Score):
            offer = self.position.offer_for(action)
            turn = replace(self.turns[-1], offer=offer)
            return self._at(self.position.play(action), (*self.turns[:-1], turn))
        position = self.position.play(action, rolled)
        turn = self.turns[-1]
        if isinstance(action, Announce):
            return self._at(position, (*self.turns[:-1], turn.announce(action)))
        turn = replace(turn, rolls=(*turn.rolls, position.dice), keeps=(*turn.keeps, action))
        return self._at(position, (*self.turns[:-1], turn))

    def resign(self, seat: int) -> "Record":
        """With a seat that gives up the game, whether it is to move or not; `Position.resign` says what follows."""
        position = self.position.resign(seat)
        resignation = Resignation(seat, len(self.turns) - bool(position.dice))
        return replace(self._at(position, self.turns), resignations=(*self.resignations, resignation))

    def with_proof(self, proof: RecordProof) -> "Record":
        """With a proof of its dice; raises `IllegalError` if that contradicts the rules, seats or turns, and for real
        dice."""
        if self.dice == "real":
            raise IllegalError("nothing proves real dice: want no proof")
        proof.check(self.ruleset, self.seats, self.turns)
        return replace(self, proof=proof)

    def decisions(self) -> Iterator[tuple[int, Position, Action | None]]:
        """The turn number, position and action of every decision, in order; the action is None if it was not taken: not
        yet, or because the game was given up.

        An announcement is a separate decision, followed by another one with the same dice.
        """
        position = Position.start(self.ruleset, len(self.seats), self.first)
        for number, turn in enumerate(self.turns):
            for resignation in self._resignations(number):
                position = position.resign(resignation.seat)
            for roll, dice in enumerate(turn.rolls):
                rolls_left = position.rolls_left - 1 - (0 if roll else turn.missing)
                position = Position(position.ruleset, position.cards, position.seat, dice, rolls_left)
                for action in turn.actions(roll):
                    yield number, position, action
                    if isinstance(action, Announce):
                        position = position.announce(action)
            if turn.offer:
                position = position.take(turn.offer)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: by its rules, or because all its people gave it up."""
        people = [card for seat, card in zip(self.seats, self.position.cards, strict=True) if seat.kind == PERSON]
        return self.position.is_over or (bool(people) and all(card.resigned for card in people))

    def _resignations(self, num_turns: int) -> list[Resignation]:
        return [one for one in self.resignations if one.num_turns == num_turns]

    @property
    def result(self) -> str:
        """The totals by seat and the winners, as in the record's header."""
        totals = " ".join(str(card.total) for card in self.position.cards)
        winners = [str(seat) for seat in self.position.winners]
        if not winners:
            return f"{totals}, {'given up' if self.is_over else 'unfinished'}"
        if len(winners) == 1:
            is_last = len(self.position.remaining) == 1 < len(self.seats)
            return f"{totals}, seat {winners[0]} wins{' by resignation' if is_last else ''}"
        return f"{totals}, seats {' and '.join(winners)} share the victory"

    def __str__(self) -> str:
        """The record as text; `parse_record` reads it."""
        text = self.ruleset.custom_text
        return self.without_rules() + (rules_block(text) if text else "")

    def without_rules(self) -> str:
        """The record as text without the file of its rules; to read it, `parse_record` must get them from `load`."""
        ruleset = self.ruleset
        options = ",".join(f"{key}={value}" for key, value in ruleset.options)
        values = {
            "ruleset": ruleset.ref,
            "options": options or "-",
            "digest": ruleset.digest,
            "seats": format_seats(self.seats),
            "first": str(self.first),
            "date": self.date,
            "result": self.result,
        }
        real = [f"dice: real, table {self.table}" if self.table else "dice: real"] if self.dice == "real" else []
        lines = [TITLE, *(f"{key}: {values[key]}" for key in KEYS), *real, "", *self.lines]
        if self.proof:
            lines += ["", "proof:", *(f"  {line}" for line in self.proof.lines())]
        return "\n".join(lines) + "\n"

    @property
    def lines(self) -> list[str]:
        """The lines of the turns and resignations."""
        lines: list[str] = []
        for number, turn in enumerate((None, *self.turns)):
            if turn:
                lines.append(str(turn))
            for one in self._resignations(number):
                if turn and not turn.offer and turn.seat == one.seat:
                    lines[-1] += ", resign"
                else:
                    lines.append(str(one))
        return lines

    def _at(self, position: Position, turns: tuple[Turn, ...]) -> "Record":
        return replace(self, position=position, turns=turns, proof=None)


def rules_block(toml: str) -> str:
    """The end of a record with the file of its rules."""
    return "\n".join(["", "rules:", *(f"  {line}".rstrip() for line in split_lines(toml))]) + "\n"


def parse_record(text: str | Path, load: Callable[[str], Ruleset] = load_ruleset) -> Record:
    """The record that a text, or the file of a `Path`, describes, replayed; raises `MalformedError` or `IllegalError`
    naming the line, and `UnknownError` if there is no such file.

    `load` returns the ruleset of a name. The default also opens paths, so it is not for untrusted texts.
    """
    record, number, proof_lines = _replay(read_text(text) if isinstance(text, Path) else text, load)
    if not number:
        return record
    proof = parse_proof(proof_lines, number + 1, len(record.seats), record.turns)
    with at_line(number):
        return record.with_proof(proof)


def parse_game(text: str, load: Callable[[str], Ruleset] = load_ruleset) -> Record:
    """The record that a text describes, without its proof, of which nothing is read; raises as `parse_record` does."""
    return _replay(text, load)[0]


def _replay(text: str, load: Callable[[str], Ruleset]) -> tuple[Record, int, list[str]]:
    """The record without its proof, the number of the line `proof:`, 0 if there is none, and the lines after it."""
    if not isinstance(text, str):
        raise wrong_type("the text of a record", text)
    lines = lines_of_record(text)
    bare = [line.strip() for line in lines]
    with at_line(1):
        if bare[0] != TITLE:
            hint = f"; a file is given as Path({text!r})" if text.endswith(".txt") and len(lines) == 1 else ""
            raise MalformedError(f"a record begins with the line {TITLE!r}{hint}")
    header, after = parse_header(bare)
    end = find_line("rules:", bare, after)
    turns_end = find_line("proof:", bare[:end], after)
    ruleset = _find_ruleset(header, lines[end + 1 :] if end < len(lines) else None, load)
    record = _parse_start(header, ruleset)
    for number, line in enumerate(bare[after:turns_end], after + 1):
        if line:
            with at_line(number):
                record = _parse_turn(record, line)
    number, result = header["result"]
    with at_line(number):
        if result != record.result:
            raise IllegalError(f"result {shown(result, 200)}, but the turns come to {record.result!r}")
    return record, turns_end + 1 if turns_end < end else 0, bare[turns_end + 1 : end]


def _find_ruleset(
    header: Mapping[str, tuple[int, str]], own_rules: list[str] | None, load: Callable[[str], Ruleset]
) -> Ruleset:
    number, ref = header["ruleset"]
    with at_line(number):
        options_text = header["options"][1]
        options = {} if options_text == "-" else parse_options(options_text, ref)
        if own_rules is None:
            ruleset = load(ref).but(**options)
        else:
            ruleset = parse_ruleset("\n".join(line.removeprefix("  ") for line in own_rules) + "\n", ref, options)
    number, digest = header["digest"]
    with at_line(number):
        if digest != ruleset.digest:
            raise IllegalError(
                f"digest {shown(digest)} is not that of {ruleset}, {ruleset.digest}: it was played by other rules"
            )
    return ruleset


def _parse_start(header: Mapping[str, tuple[int, str]], ruleset: Ruleset) -> Record:
    number, text = header["seats"]
    with at_line(number):
        seats = parse_seats(text)
    number, date = header["date"]
    with at_line(number):
        began_at(date)
    number, first = header["first"]
    with at_line(number):
        if not re.fullmatch(r"[0-9]{1,2}", first):
            raise MalformedError(f"first {shown(first)}: want the number of a seat")
        record = Record.start(ruleset, seats, date, int(first))
    return record.with_real_dice(header["dice"][1]) if "dice" in header else record


def _parse_turn(record: Record, line: str) -> Record:
    seat, colon, rest = line.partition(":")
    if colon and rest.strip() == "resign":
        return _parse_resignation(record, seat.strip())
    if not colon or seat.strip() != str(record.position.seat):
        raise IllegalError(f"want '{record.position.seat}: …', the turn of that seat, found {shown(line)}")
    if record.position.dice:
        raise IllegalError("the turn before this one is not finished")
    steps = iter(step.strip() for step in rest.split(","))
    missing, roll = 0, next(steps)
    while roll == "-":
        missing, roll = missing + 1, next(steps, "")
    record = record.roll(parse_dice(roll), missing)
    for step in steps:
        action, equals, written = step.partition(" = ")
        if not record.position.dice:
            raise MalformedError(f"{shown(step)} comes after the end of the turn")
        if step == "resign":
            record = record.resign(record.position.seat)
            continue
        parsed = parse_action(action)
        if not isinstance(parsed, Score):
            if equals:
                kind = "a keep" if isinstance(parsed, Keep) else "an announcement"
                raise MalformedError(f"{shown(step)}: {kind} scores nothing, so want '{parsed}' alone")
            record = record.play(parsed, _rolled(parsed, steps) if isinstance(parsed, Keep) else ())
            continue
        record = record.play(parsed)
        offer = record.turns[-1].offer
        points = str(record.turns[-1]).rpartition(" = ")[2]
        if not equals or written.strip() != points:
            raise IllegalError(f"{shown(step)}: {offer.action if offer else parsed} gives {points}")
    return record


def _parse_resignation(record: Record, seat: str) -> Record:
    if not re.fullmatch(r"[0-9]{1,2}", seat):
        raise MalformedError(f"seat {shown(seat)}: want the number of the seat that resigns")
    after = record.resign(int(seat))
    if record.position.dice and int(seat) == record.position.seat:
        raise IllegalError("its turn is not finished: want 'resign' at the end of that line")
    if after.position.dice:
        raise IllegalError("want this line before that of the turn of another seat, since the game goes on")
    return after


def _rolled(keep: Keep, steps: Iterator[str]) -> Dice:
    """The dice that were rolled beside a keep, from the record's roll of all dice."""
    text = next(steps, "")
    if not text:
        raise MalformedError(f"after '{keep}' comes the next roll")
    roll = parse_dice(text)
    rolled = list(roll)
    for die in keep.dice:
        if die not in rolled:
            raise IllegalError(f"roll {text} does not hold the dice of '{keep}'")
        rolled.remove(die)
    return tuple(rolled)
