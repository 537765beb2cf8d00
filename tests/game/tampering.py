"""Ways to change the record of a game, as functions from a text to another one, or to the same if they do not apply."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from fivedice.rulesets import load_ruleset

Change = Callable[[str], str]


class Kind(Enum):
    """What a verification must say of a change."""

    NAMED = "that there is one, and where"
    ELSEWHERE = "that there is one, in other lines, which no longer fit"
    NOT_PROVED = "nothing, since nothing proves what was changed, or it means nothing"


@dataclass(frozen=True, slots=True)
class Tampering:
    """A change with its name."""

    name: str
    change: Change
    kind: Kind

    @property
    def is_bad(self) -> bool:
        """Whether a verification must notice it."""
        return self.kind is not Kind.NOT_PROVED

    @property
    def is_named(self) -> bool:
        """Whether it must name a line that was changed."""
        return self.kind is Kind.NAMED


TAMPERINGS: list[Tampering] = []


def change(kind: Kind) -> Callable[[Change], Change]:
    """Add a function to the changes."""

    def add(function: Change) -> Change:
        TAMPERINGS.append(Tampering(function.__name__, function, kind))
        return function

    return add


def changes(kind: Kind, place: Callable[..., str], rows: dict[str, tuple[Any, ...]]) -> None:
    """Add changes by name, each with the arguments of `in_header`, `chunked` or `in_proof` behind the text."""
    for name, row in rows.items():

        def changed(text: str, row: tuple[Any, ...] = row) -> str:
            return place(text, *row)

        TAMPERINGS.append(Tampering(name, changed, kind))


def chunked(text: str, pattern: str, new: str | Callable[[re.Match[str]], str]) -> str:
    """The text with the first match in its turns replaced."""
    head, turns, tail = _parts(text)
    return head + re.sub(pattern, new, turns, count=1, flags=re.MULTILINE) + tail


def in_proof(text: str, pattern: str, new: str | Callable[[re.Match[str]], str]) -> str:
    """The text with the first match in its proof replaced."""
    head, turns, tail = _parts(text)
    proof, rules, own = tail.partition("\nrules:\n")
    return head + turns + re.sub(pattern, new, proof, count=1, flags=re.MULTILINE) + rules + own


def in_header(text: str, key: str, new: Callable[[str], str]) -> str:
    """The text with the value of a key of its header replaced."""
    return re.sub(f"^{key}: (.*)$", lambda found: f"{key}: {new(found[1])}", text, count=1, flags=re.MULTILINE)


def _parts(text: str) -> tuple[str, str, str]:
    head, proof = text.index("\n\n") + 2, text.index("proof:\n")
    return text[:head], text[head:proof], text[proof:]


def other_face(die: str) -> str:
    """Another face that all dice have."""
    return "2" if die == "1" else "1"


def ascending(dice: str) -> str:
    return "".join(sorted(dice))


changes(
    Kind.NAMED,
    in_header,
    {
        "another_digest": ("digest", lambda digest: digest[::-1]),
        "a_seat_that_is_no_player": ("seats", lambda seats: f"{seats},?"),
        "no_date": ("date", lambda _: "yesterday"),
        "a_seat_that_does_not_exist_begins": ("first", lambda _: "12"),
        "a_higher_total": (
            "result",
            lambda result: re.sub("[0-9]+", lambda total: str(int(total[0]) + 200), result, count=1),
        ),
        "another_winner": ("result", lambda result: f"{result.split(',')[0]}, seat 7 wins"),
    },
)

changes(
    Kind.ELSEWHERE,
    in_header,
    {
        "other_options": ("options", lambda options: "rolls=5" if options == "-" else "-"),
        "another_seat_begins": ("first", lambda seat: "1" if seat == "0" else "0"),
    },
)

changes(
    Kind.NOT_PROVED,
    in_header,
    {
        "another_name": ("seats", lambda seats: seats.replace("Ann", "Eve", 1)),
        "another_date": ("date", lambda _: "1999-12-31T23:59:59+00:00"),
    },
)

changes(
    Kind.NAMED,
    chunked,
    {
        "more_points": ("= ([0-9]+)", lambda found: f"= {int(found[1]) + 5}"),
        "a_bonus": (r"= ([0-9]+)$", r"= \1 +100"),
        "no_bonus": (r"(= [0-9]+) \+[0-9]+$", r"\1"),
        "a_box_that_does_not_exist": ("(score|scratch) [a-z0-9_]+", r"\1 nothing"),
        "a_box_that_cannot_be_read": ("score ", "score the "),
        "a_score_without_points": (" = [0-9]+", ""),
        "another_announcement": ("announce [a-z0-9_]+", "announce nothing"),
        "two_announcements": ("(, announce [a-z0-9_]+)", r"\1\1"),
        "an_announcement_put_in": (r"^([0-9]+: [1-9a-k]+)(?!, announce)", r"\1, announce nothing"),
        "a_turn_of_another_seat": ("^([0-9]+):(?! resign)", lambda found: f"{int(found[1]) + 1}:"),
        "a_turn_that_is_no_turn": ("^([0-9]+: )", r"\1, "),
        "dice_that_are_not_ascending": ("^([0-9]+: )([1-9a-k]+)", lambda found: found[1] + "6" + found[2][:-2] + "1"),
        "a_keep_of_nothing_at_all": ("keep [1-9a-k-]+", "keep"),
        "a_face_that_no_die_has": (r"^([0-9]+: [1-9a-k]*)[1-9a-k]\b", r"\1z"),
        "two_turns_the_other_way_round": (r"^([0-9]+: [1-9a-k].+\n)([0-9]+: [1-9a-k].+\n)", r"\2\1"),
        "a_seat_gives_up_at_the_end_of_a_finished_turn": ("(= [0-9]+)$", r"\1, resign"),
        "a_die_of_a_first_roll": (
            r"^([0-9]+: )([1-9a-k]+)",
            lambda found: found[1] + ascending(other_face(found[2][0]) + found[2][1:]),
        ),
        "a_die_more_in_a_turn": (r"^([0-9]+: )([1-9a-k]+)", r"\g<1>1\2"),
        "a_die_less_in_a_turn": (r"^([0-9]+: )[1-9a-k]([1-9a-k]+)", r"\1\2"),
        "another_keep_in_a_turn": ("keep ([1-9a-k]+)", lambda found: f"keep {found[1][1:] or '-'}"),
        "a_roll_less_in_a_turn": (r", keep ([1-9a-k]+|-), [1-9a-k]+", ""),
    },
)

changes(
    Kind.ELSEWHERE,
    chunked,
    {
        "a_turn_without_its_score": (r", (score|scratch) .*$", ""),
        "a_turn_too_many": (r"^([0-9]+: .*\n)", r"\1\1"),
        "a_turn_too_few": (r"^[0-9]+: [1-9a-k].*\n", ""),
    },
)

changes(
    Kind.NAMED,
    in_proof,
    {
        "a_die_in_the_proof": (
            r"(turn [0-9]+: )([1-9a-k]+)",
            lambda found: found[1] + other_face(found[2][0]) + found[2][1:],
        ),
        "two_dice_the_other_way_round_in_the_proof": (
            r"(turn [0-9]+: [1-9a-k]*?)([1-9a-k])((?!\2)[1-9a-k])",
            r"\1\3\2",
        ),
        "another_face_kept_in_the_proof": ("(keep _*)([1-9a-k])", lambda found: found[1] + other_face(found[2])),
        "one_die_less_kept_in_the_proof": ("(keep _*)[1-9a-k]", r"\1_"),
        "a_die_less_in_the_proof": (r"(turn [0-9]+: )[1-9a-k]([1-9a-k])", r"\1\2"),
        "a_mark_less_in_the_proof": ("keep _", "keep "),
        "a_roll_less_in_the_proof": (r", keep [1-9a-k_]+, [1-9a-k]+", ""),
        "a_turn_with_another_number_in_the_proof": ("turn 1: ", "turn 11: "),
        "another_scheme": ("fivedice dice 1", "fivedice dice 2"),
        "a_table_that_is_no_table": ("table: .*", "table: an other"),
        "another_commitment": ("commitment: (.*)", lambda found: f"commitment: {found[1][::-1]}"),
        "another_secret": ("secret: (.*)", lambda found: f"secret: {found[1][::-1]}"),
        "a_short_secret": ("secret: ..", "secret: "),
        "dice_without_faces": ("faces: .*", "faces: 0"),
        "a_nonce_of_a_seat_that_does_not_exist": ("nonce: seat [0-9]+", "nonce: seat 12"),
        "an_opening_that_does_not_exist": ("opening: .*", "opening: oldest"),
        "an_undone_turn_that_does_not_exist": ("undone: turn [0-9]+", "undone: turn 999"),
        "an_undone_turn_that_cannot_be_read": (r"(undone: turn [0-9]+), \w+", r"\1, wrote"),
        "a_help_that_does_not_exist": ("help: .*", "help: everything"),
        "help_for_a_seat_that_does_not_exist": ("(help: .*)", r"\1, seat 12 asked 1 changed 0"),
        "more_decisions_changed_than_questioned": ("(help: [a-z]+).*", r"\1, seat 0 asked 1 changed 2"),
        "a_seat_that_was_asked_nothing": ("(help: [a-z]+).*", r"\1, seat 0 asked 0 changed 0"),
        "asked_seats_the_other_way_round": (
            "(help: [a-z]+).*",
            r"\1, seat 1 asked 1 changed 1, seat 0 asked 1 changed 1",
        ),
    },
)

changes(
    Kind.ELSEWHERE,
    in_proof,
    {
        "no_secret": (r"^  secret: .*\n", ""),
        "another_table": ("table: .*", "table: another"),
        "dice_with_another_number_of_faces": ("faces: ([0-9]+)", lambda found: f"faces: {int(found[1]) + 1}"),
        "one_nonce_less": (r"^  nonce: .*\n", ""),
        "another_nonce": (r"nonce: (.*) [0-9a-f]+", r"nonce: \1 abcdef"),
        "nonces_the_other_way_round": (r"(^  nonce: .*\n)(^  nonce: .*\n)", r"\2\1"),
        "two_lines_about_help": (r"(^  help: .*\n)", r"\1\1"),
        "a_line_after_the_proof": (r"\Z", "  all good\n"),
        "proof_lines_the_other_way_round": (r"(^  table: .*\n)(^  commitment: .*\n)", r"\2\1"),
    },
)

changes(
    Kind.NOT_PROVED,
    in_proof,
    {
        "no_opening": (r"^  opening: .*\n", ""),
        "an_opening_without_dice": ("opening: .*", "opening: first"),
        "no_undone_turns": (r"(^  undone: .*\n)+", ""),
        "no_help": (r"^  help: .*\n", ""),
        "other_help": ("help: .*", "help: always"),
        "fewer_questions": ("seat ([0-9]+) asked .*", r"seat \1 asked 1 changed 0"),
    },
)


@change(Kind.NAMED)
def title_of_another_version(text: str) -> str:
    return text.replace("fivedice record 1", "fivedice record 2", 1)


@change(Kind.NAMED)
def ruleset_that_does_not_exist(text: str) -> str:
    return text if "\nrules:\n" in text else in_header(text, "ruleset", lambda _: "yahtzeee")


@change(Kind.NAMED)
def another_ruleset(text: str) -> str:
    if "\nrules:\n" in text:
        return text
    changed = in_header(text, "ruleset", lambda ref: "yahtzee" if ref != "yahtzee" else "kismet")
    digest = r"^digest: .*$"
    # Which of the three lines was changed cannot be told, and the digest is named.
    return re.sub(digest, "digest: 0123456789abcdef", changed, count=1, flags=re.MULTILINE)


@change(Kind.ELSEWHERE)
def another_ruleset_with_its_digest(text: str) -> str:
    if "\nrules:\n" in text:
        return text
    other = "crag" if "ruleset: crag" not in text else "yahtzee"
    text = in_header(in_header(text, "ruleset", lambda _: other), "options", lambda _: "-")
    return in_header(text, "digest", lambda _: load_ruleset(other).digest)


@change(Kind.NAMED)
def no_digest(text: str) -> str:
    return re.sub("^digest: .*$", "digest:", text, count=1, flags=re.MULTILINE)


@change(Kind.ELSEWHERE)
def one_more_seat(text: str) -> str:
    if text.partition("\n\n")[2].startswith("proof:"):
        return text
    return in_header(text, "seats", lambda seats: f"{seats},greedy")


@change(Kind.NAMED)
def a_line_too_many_in_the_header(text: str) -> str:
    return text.replace("\ndate: ", "\nplace: here\ndate: ", 1)


@change(Kind.NAMED)
def a_die_of_a_second_roll(text: str) -> str:
    def changed(found: re.Match[str]) -> str:
        rolled = list(found[3])
        for die in found[2].replace("-", ""):
            rolled.remove(die)
        kept = found[2].replace("-", "")
        return found[1] + ascending(kept + other_face(rolled[0]) + "".join(rolled[1:])) if rolled else found[0]

    return chunked(text, r"(keep ([1-9a-k]+|-), )([1-9a-k]+)", changed)


@change(Kind.NAMED)
def a_kept_die_of_a_second_roll(text: str) -> str:
    def changed(found: re.Match[str]) -> str:
        die = found[2][0]
        return found[1] + ascending(found[3].replace(die, other_face(die), 1))

    return chunked(text, r"(keep ([1-9a-k]+), )([1-9a-k]+)", changed)


_PLACED_AGAIN = r"(keep ([1-9a-k_]+), )([1-9a-k]+)"


@change(Kind.NAMED)
def a_rerolled_die_in_the_proof(text: str) -> str:
    def changed(found: re.Match[str]) -> str:
        place = found[2].find("_")
        dice = found[3]
        return found[1] + dice[:place] + other_face(dice[place]) + dice[place + 1 :] if place >= 0 else found[0]

    return in_proof(text, _PLACED_AGAIN, changed)


@change(Kind.NAMED)
def a_kept_die_in_the_proof(text: str) -> str:
    def changed(found: re.Match[str]) -> str:
        place = next((place for place, mark in enumerate(found[2]) if mark != "_"), None)
        if place is None:
            return found[0]
        return found[1] + found[3][:place] + other_face(found[3][place]) + found[3][place + 1 :]

    return in_proof(text, _PLACED_AGAIN, changed)


@change(Kind.NAMED)
def a_turn_less_in_the_proof(text: str) -> str:
    head, turns, tail = _parts(text)
    lines = re.findall(r"^  turn [0-9]+: (.*)\n", tail, re.MULTILINE)
    new = "".join(f"  turn {number}: {line}\n" for number, line in enumerate(lines[:1] + lines[2:]))
    return head + turns + re.sub(r"(^  turn .*\n)+", lambda _: new, tail, count=1, flags=re.MULTILINE)


@change(Kind.NAMED)
def a_die_in_both(text: str) -> str:
    head, turns, tail = _parts(text)
    turn = re.search(r"^[0-9]+: ([1-9a-k]+)", turns, re.MULTILINE)
    placed = re.search("turn 0: ([1-9a-k]+)", tail)
    if not turn or not placed:
        return text
    dice = other_face(placed[1][0]) + placed[1][1:]
    turns = turns[: turn.start(1)] + ascending(dice) + turns[turn.end(1) :]
    return head + turns + tail[: placed.start(1)] + dice + tail[placed.end(1) :]


@change(Kind.ELSEWHERE)
def a_turn_less_in_both(text: str) -> str:
    return a_turn_less_in_the_proof(chunked(text, r"^(.+\n)[0-9]+: [1-9a-k].*\n", r"\1"))


@change(Kind.ELSEWHERE)
def no_proof(text: str) -> str:
    head, turns, tail = _parts(text)
    return head + turns + "".join(tail.partition("rules:\n")[1:])


@change(Kind.ELSEWHERE)
def other_rules_of_ones_own(text: str) -> str:
    head, rules, own = text.partition("\nrules:\n")
    return head + rules + own.replace("pays = 30", "pays = 31", 1)


@change(Kind.NOT_PROVED)
def empty_lines_and_blanks(text: str) -> str:
    head, turns, tail = _parts(text)
    return head + turns.replace("\n", " \n\n") + tail.replace("\n  turn 0", "\n\n\t turn 0")


@change(Kind.NOT_PROVED)
def lines_that_end_as_on_windows(text: str) -> str:
    return text.replace("\n", "\r\n")
