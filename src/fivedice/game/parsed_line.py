"""`parse_line` and `parse_card`: the parts of a position in notation, checked as far as they need no `Position`."""

import re
from dataclasses import replace
from functools import lru_cache

from fivedice.base.errors import IllegalError, MalformedError, UnknownError, shown, suggest, wrong_type
from fivedice.game.card import ScoreCard
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.dice import FACES, Dice, parse_dice, rolls
from fivedice.rulesets.ruleset import Ruleset

MAX_SEATS = 12

_FORM = "RULESET CARD[/CARD…] [@SEAT] DICE rN, as in 'yahtzee - 33456 r2'"


DEFAULT_RULES = "yahtzee"
_SHORT_FORM = "want RULESET CARD DICE rN, as in 'yahtzee - 33456 r2', or only the dice, as in 33456"


class ShortPosition:
    """The parts of a position in whatever order they were typed; what is missing is that of a new game.

    >>> ShortPosition("66444 crag[rolls=3]").canonical()
    'crag[rolls=3] - 44466 r2'
    """

    def __init__(self, text: str) -> None:
        """Raises `MalformedError` for parts that are there twice, or of no kind."""
        if not text.strip():
            raise MalformedError(f"position {shown(text)}: {_SHORT_FORM}")
        self.rules = self.card = self.seat = self.rolls = ""
        self.dice: list[str] = []
        hyphens = 0
        for word in text.split():
            faces = f"0-9{FACES[9:]}" if self.rules else "0-9"  # before the rules, letters are their name
            if word == "-":
                hyphens += 1
            elif re.fullmatch(rf"[{faces},]*[{faces}][{faces},]*", word):
                self.dice += word.replace(",", "")
            elif re.fullmatch(r"@\S+", word):
                self._set("seat", word, text)
            elif re.fullmatch(r"[rR]-?\d\S*", word):
                self._set("rolls", word.lower(), text)
            elif "[" not in word and not word.endswith(".toml") and re.search(r"[=+/]", word):
                self._set("card", word, text)
            else:
                self._set("rules", word, text)
        if hyphens > 2 or (hyphens == 2 and (self.card or self.dice)) or (hyphens and self.card and self.dice):
            raise MalformedError(f"position {shown(text)}: {_SHORT_FORM}")
        self.is_incomplete = not (self.rules and self.rolls and (self.card or hyphens) and (self.dice or hyphens))

    def canonical(self) -> str:
        """The position in notation; what is missing is that of a new game after its first roll."""
        rules = self.rules or DEFAULT_RULES
        cards = self.card or "-"
        rolls = self.rolls
        dice = "".join(sorted(self.dice)) or "-"
        if not rolls:
            start = load_ruleset(rules).rolls + _saved_rolls(cards, self.seat)
            rolls = f"r{start - 1 if self.dice else start}"
        return " ".join(part for part in (rules, cards, self.seat, dice, rolls) if part)

    def _set(self, part: str, word: str, text: str) -> None:
        if getattr(self, part):
            raise MalformedError(f"position {shown(text)}: {_SHORT_FORM}")
        setattr(self, part, word)


def _saved_rolls(cards: str, seat: str) -> int:
    """The rolls carried forward on the card of the seat to move."""
    each = cards.split("/")
    number = int(seat[1:]) if re.fullmatch(r"@\d{1,2}", seat) else 0
    found = re.search(r"(?:^|,)saved=(\d{1,6})(?:,|$)", each[number] if number < len(each) else "")
    return int(found[1]) if found else 0


def parse_line(text: str, ruleset: Ruleset | None) -> tuple[Ruleset, tuple[ScoreCard, ...], int, Dice, int]:
    """The rules, the cards, the seat to move, the dice and the rolls left; raises as `Position.parse` does."""
    if not isinstance(text, str):
        raise wrong_type("a line of text, as in 'yahtzee - 33456 r2'", text)
    words = text.split()
    if ruleset is None and 0 < sum(not word.startswith("@") for word in words) < 4:
        words = ShortPosition(text).canonical().split()
    if len(words) == 5 and words[2].startswith("@"):
        seat = _number(words.pop(2)[1:], "seat", text)
    else:
        seat = 0
    if len(words) != 4:
        raise MalformedError(f"position {shown(text)}: want {_FORM}")
    ref, cards_text, dice_text, rolls_text = words
    if ruleset is None:
        ruleset = load_ruleset(ref)
    elif not is_named(ruleset, ref):
        raise IllegalError(f"position {shown(text)} is of {shown(ref)}, not of {ruleset}")
    cards = tuple(parse_card(card, ruleset) for card in cards_text.split("/"))
    if len(cards) > MAX_SEATS:
        raise MalformedError(f"{len(cards)} cards: a game has 1 to {MAX_SEATS} seats")
    if seat >= len(cards):
        raise MalformedError(f"@{seat}: the seats are 0 to {len(cards) - 1}")
    _check_turns(cards, seat)
    if not rolls_text.startswith("r"):
        raise MalformedError(f"rolls left {shown(rolls_text)}: write r and a number, as in r2")
    rolls_left = _number(rolls_text[1:], "rolls left", text)
    return ruleset, cards, seat, parse_dice(dice_text), rolls_left


def is_named(ruleset: Ruleset, word: str) -> bool:
    """Whether a word names these rules in notation: also the id of rules from a file, if no shipped ones have it."""
    return word == str(ruleset) or (word == ruleset.id and not ruleset.options and word not in ruleset_ids())


@lru_cache(maxsize=4_096)
def parse_card(text: str, ruleset: Ruleset) -> ScoreCard:
    """The valid card that a text describes; cached, since a turn has a line for every roll."""
    box_index = ruleset.box_index
    boxes: list[int | None] = [None] * len(box_index)
    extra: dict[str, int] = {}
    announced, resigned = "", False
    for entry in () if text == "-" else text.split(","):
        if entry == "resigned" and not resigned:
            resigned = True
            continue
        key, equals, value = entry.partition("=")
        if entry.startswith("+"):
            key, equals, value = "+", "=", entry[1:]
        if not equals or not key:
            raise MalformedError(f"card entry {shown(entry)}: want category=points, or +N for extra bonuses")
        if key == "announced":
            if announced:
                raise MalformedError(f"card entry {shown(entry)}: want it once")
            announced = value
            continue
        number = _number(value, "number", entry)
        if key in ("+", "saved", "won", "elsewhere"):
            if key in extra or number == 0:
                raise MalformedError(f"card entry {entry!r}: want it once, with a number from 1")
            extra[key] = number
        elif key not in box_index:
            raise UnknownError(f"{ruleset} has no box {shown(key)}: {suggest(key, box_index)}")
        elif boxes[box_index[key]] is not None:
            raise MalformedError(f"card entry {entry!r}: the box {key} occurs twice")
        else:
            boxes[box_index[key]] = number
    card = ScoreCard(
        ruleset,
        tuple(boxes),
        extra.get("+", 0),
        extra.get("saved", 0),
        won=extra.get("won") == 1,
        elsewhere=extra.get("elsewhere") == 1,
        resigned=resigned,
    )
    _check_points(card)
    _check_extras(card, extra)
    return _with_announced(card, announced) if announced else card


def _with_announced(card: ScoreCard, id: str) -> ScoreCard:
    ruleset = card.ruleset
    if id not in ruleset.box_index:
        raise UnknownError(f"{ruleset} has no box {shown(id)}: {suggest(id, ruleset.box_index)}")
    if ruleset.box_index[id] not in card.announceable():
        ids = [ruleset.boxes[index].id for index in card.announceable()]
        raise IllegalError(
            f"announced={id}: want an open box that can be announced: {', '.join(ids) or 'there is none'}"
        )
    return replace(card, announced=id)


def _check_points(card: ScoreCard) -> None:
    ruleset = card.ruleset
    for index, points in enumerate(card.boxes):
        if points is not None and points not in (attainable := ruleset.attainable_by_box[index]):
            box = ruleset.boxes[index]
            some = sorted(attainable)
            values = ", ".join(map(str, some if len(some) <= 12 else [*some[:4], "…", some[-1]]))
            why = "" if points else ", since every roll scores there"
            raise IllegalError(f"{box.id}={points}: {box.name} can hold {values}{why}")
        if points and card.is_locked(index):
            box = ruleset.boxes[index]
            raise IllegalError(f"{box.id}={points}: {box.name} scores only after {box.category.requires} has points")
    _check_pair(card)
    if card.num_filled > ruleset.rounds:
        raise IllegalError(f"card {card}: {_filled(card)}; {ruleset} fills {ruleset.rounds}")
    for number, column in enumerate(ruleset.columns):
        if column.order == "free":
            continue
        is_open = [p is None for b, p in zip(ruleset.boxes, card.boxes, strict=True) if b.column == number]
        if column.order == "up":
            is_open.reverse()
        if is_open != sorted(is_open):
            raise IllegalError(f"card {card}: the boxes of this column are filled {column.order}")


def _check_pair(card: ScoreCard) -> None:
    """Check that the two boxes of a limited pair can hold their points together."""
    ruleset = card.ruleset
    for index, other in ruleset.partners.items():
        points, beside = card.boxes[index], ruleset.boxes[other]
        name = ruleset.boxes[index].id
        if points and not card.is_within_limit(index, points):
            raise IllegalError(f"{name}={points}: {ruleset} does not allow it beside {beside.id}={card.boxes[other]}")
        if points == 0 and not _can_be_zero(card, index):
            raise IllegalError(f"{name}=0: every roll scores there, unless the points of {beside.id} forbid it")


def _can_be_zero(card: ScoreCard, index: int) -> bool:
    """Whether a box of the limited pair can hold a zero beside the other box of the pair."""
    ruleset = card.ruleset
    if not all(card.is_within_limit(index, n) for n in ruleset.attainable_by_box[index]):
        return True
    scores = (ruleset.face_scores(roll)[index] for roll in rolls(ruleset.dice, ruleset.faces))
    return any(0 in ruleset.writable(points) for points in scores)


def _check_extras(card: ScoreCard, extra: dict[str, int]) -> None:
    ruleset = card.ruleset
    can_be_won = any(box.category.first_roll_wins and points for box, points in card.entries())
    if "won" in extra and (extra["won"] != 1 or not can_be_won):
        raise IllegalError(f"won={extra['won']}: want won=1 beside a box that wins on the first roll")
    if card.won and card.resigned:
        raise IllegalError("won=1,resigned: a game ends when it is won, so no seat can resign after that")
    if card.saved and not ruleset.saved_rolls:
        raise IllegalError(f"saved={card.saved}: {ruleset} carries no rolls forward")
    if card.saved > card.num_filled * (ruleset.rolls - 1):
        most = card.num_filled * (ruleset.rolls - 1)
        raise IllegalError(f"saved={card.saved}: at most {most} while {_filled(card)}")
    if "elsewhere" in extra and not (extra["elsewhere"] == 1 and ruleset.tracks_first and _can_be_elsewhere(card)):
        raise IllegalError(
            f"elsewhere={extra['elsewhere']}: want elsewhere=1 beside a box that equal dice can have filled, where the"
            f" rules ask for it; {ruleset} {'asks' if ruleset.tracks_first else 'does not ask'}"
        )
    if not card.extras:
        return
    if not ruleset.extra_bonus:
        raise IllegalError(f"+{card.extras}: {ruleset} has no extra bonus")
    if not card.pays_extra((1,) * ruleset.dice):
        found = [card.boxes[index] for index in ruleset.joker_boxes]
        if all(found):
            raise IllegalError(f"+{card.extras}: no bonus is earned after the first equal dice were scored elsewhere")
        needs = "is filled" if ruleset.bonus_after_zero else "holds points"
        raise IllegalError(f"+{card.extras}: the bonus is earned only while the {ruleset.joker_category} box {needs}")
    most = ruleset.most_extras * (card.num_filled - len(ruleset.joker_boxes))
    if card.extras > most:
        raise IllegalError(f"+{card.extras}: at most {most} while {_filled(card)}")


def _filled(card: ScoreCard) -> str:
    return f"{card.num_filled} of {len(card.boxes)} boxes are filled"


def _can_be_elsewhere(card: ScoreCard) -> bool:
    """Whether any filled box besides those of the joker category can hold the points of equal dice."""
    ruleset = card.ruleset
    equal = [(face,) * ruleset.dice for face in range(1, ruleset.faces + 1)]
    return any(
        points
        in {0, *(box.category.score(dice) + bonus for dice in equal for bonus in (0, box.category.first_roll_bonus))}
        for box, points in card.entries()
        if box.category.id != ruleset.joker_category
    )


def _check_turns(cards: tuple[ScoreCard, ...], seat: int) -> None:
    """Check that the seats have taken turns in order: those earlier in the round are one turn ahead.

    A seat that resigned may be any number of turns behind.
    """
    if len(cards) > 1 and all(card.resigned for card in cards):
        raise IllegalError("resigned: the last of several seats has won, and cannot resign")
    if cards[seat].resigned and len(cards) > 1:
        raise IllegalError(f"seat {seat} cannot be to move: it has resigned")
    before = ((seat - step) % len(cards) for step in range(1, len(cards) + 1))
    last = next((other for other in before if not cards[other].resigned), seat)
    if any(card.won for card in cards) and [index for index, card in enumerate(cards) if card.won] != [last]:
        raise IllegalError(f"won=1: the seat that won is the last to have moved, seat {last}")
    ahead = [card.num_filled - cards[seat].num_filled for card in cards]
    in_order = [ahead[i] for i in (*range(seat, len(cards)), *range(seat)) if not cards[i].resigned or ahead[i] > 0]
    if in_order != sorted(in_order) or not set(in_order) <= {0, 1}:
        counts = ", ".join(str(card.num_filled) for card in cards)
        raise IllegalError(f"seat {seat} cannot be to move: the cards have {counts} boxes filled")


def _number(text: str, what: str, where: str) -> int:
    # A third of the time of a regular expression; a position has a number in each entry.
    if not (text.isdigit() and text.isascii() and len(text) <= 6 and (text[0] != "0" or text == "0")):
        raise MalformedError(f"{what} {shown(text)} in {shown(where)}: want a whole number without leading zeros")
    return int(text)
