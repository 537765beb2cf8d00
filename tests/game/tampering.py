"""Ways to change the record of a game: functions from a text to another one, or to the same one if they do not apply.

A change is *bad* if a verification must notice it, and *named* if it must name a line that was changed. The others are
changes of what nothing proves.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from fivedice.rulesets import load_ruleset

Change = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Tampering:
    """A change with its name."""

    name: str
    change: Change
    is_bad: bool
    is_named: bool


TAMPERINGS: list[Tampering] = []


def bad(change: Change) -> Change:
    """A change that is noticed, and its line named."""
    TAMPERINGS.append(Tampering(change.__name__, change, is_bad=True, is_named=True))
    return change


def bad_elsewhere(change: Change) -> Change:
    """A change that is noticed in other lines, which no longer fit."""
    TAMPERINGS.append(Tampering(change.__name__, change, is_bad=True, is_named=False))
    return change


def not_proved(change: Change) -> Change:
    """A change of what nothing proves, or of what means nothing."""
    TAMPERINGS.append(Tampering(change.__name__, change, is_bad=False, is_named=False))
    return change


def in_turns(text: str, pattern: str, new: str | Callable[[re.Match[str]], str]) -> str:
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


# The header.


@bad
def title_of_another_version(text: str) -> str:
    return text.replace("fivedice record 1", "fivedice record 2", 1)


@bad
def ruleset_that_does_not_exist(text: str) -> str:
    return text if "\nrules:\n" in text else in_header(text, "ruleset", lambda _: "yahtzeee")


@bad
def another_ruleset(text: str) -> str:
    if "\nrules:\n" in text:
        return text
    changed = in_header(text, "ruleset", lambda ref: "yahtzee" if ref != "yahtzee" else "kismet")
    digest = r"^digest: .*$"
    # Which of the three lines was changed cannot be told, and the digest is named.
    return re.sub(digest, "digest: 0123456789abcdef", changed, count=1, flags=re.MULTILINE)


@bad_elsewhere
def another_ruleset_with_its_digest(text: str) -> str:
    if "\nrules:\n" in text:
        return text
    other = "crag" if "ruleset: crag" not in text else "yahtzee"
    text = in_header(in_header(text, "ruleset", lambda _: other), "options", lambda _: "-")
    return in_header(text, "digest", lambda _: load_ruleset(other).digest)


@bad_elsewhere
def other_options(text: str) -> str:
    return in_header(text, "options", lambda options: "rolls=5" if options == "-" else "-")


@bad
def another_digest(text: str) -> str:
    return in_header(text, "digest", lambda digest: digest[::-1])


@bad
def no_digest(text: str) -> str:
    return re.sub("^digest: .*$", "digest:", text, count=1, flags=re.MULTILINE)


@bad
def a_seat_that_is_no_player(text: str) -> str:
    return in_header(text, "seats", lambda seats: f"{seats},?")


@not_proved
def another_name(text: str) -> str:
    return in_header(text, "seats", lambda seats: seats.replace("Ann", "Eve", 1))


@bad_elsewhere
def one_more_seat(text: str) -> str:
    if text.partition("\n\n")[2].startswith("proof:"):
        return text
    return in_header(text, "seats", lambda seats: f"{seats},greedy")


@not_proved
def another_date(text: str) -> str:
    return in_header(text, "date", lambda _: "1999-12-31T23:59:59+00:00")


@bad
def no_date(text: str) -> str:
    return in_header(text, "date", lambda _: "yesterday")


@bad_elsewhere
def another_seat_begins(text: str) -> str:
    return in_header(text, "first", lambda seat: "1" if seat == "0" else "0")


@bad
def a_seat_that_does_not_exist_begins(text: str) -> str:
    return in_header(text, "first", lambda _: "12")


@bad
def a_higher_total(text: str) -> str:
    return in_header(
        text, "result", lambda result: re.sub("[0-9]+", lambda total: str(int(total[0]) + 200), result, count=1)
    )


@bad
def another_winner(text: str) -> str:
    return in_header(text, "result", lambda result: f"{result.split(',')[0]}, seat 7 wins")


@bad
def a_line_too_many_in_the_header(text: str) -> str:
    return text.replace("\ndate: ", "\nplace: here\ndate: ", 1)


# The turns.


@bad
def more_points(text: str) -> str:
    return in_turns(text, "= ([0-9]+)", lambda found: f"= {int(found[1]) + 5}")


@bad
def a_bonus(text: str) -> str:
    return in_turns(text, r"= ([0-9]+)$", r"= \1 +100")


@bad
def no_bonus(text: str) -> str:
    return in_turns(text, r"(= [0-9]+) \+[0-9]+$", r"\1")


@bad
def a_box_that_does_not_exist(text: str) -> str:
    return in_turns(text, "(score|scratch) [a-z0-9_]+", r"\1 nothing")


@bad
def a_box_that_cannot_be_read(text: str) -> str:
    return in_turns(text, "score ", "score the ")


@bad
def a_score_without_points(text: str) -> str:
    return in_turns(text, " = [0-9]+", "")


@bad_elsewhere
def a_turn_without_its_score(text: str) -> str:
    return in_turns(text, r", (score|scratch) .*$", "")


@bad
def another_announcement(text: str) -> str:
    return in_turns(text, "announce [a-z0-9_]+", "announce nothing")


@bad
def two_announcements(text: str) -> str:
    return in_turns(text, "(, announce [a-z0-9_]+)", r"\1\1")


@bad
def an_announcement_taken_out(text: str) -> str:
    # Of two boxes a turn, the announced one is needed; of one, the announced box may also be scored without.
    return in_turns(text, ", announce [a-z0-9_]+", "") if "double_cameroon" in text else text


@bad
def an_announcement_put_in(text: str) -> str:
    return in_turns(text, r"^([0-9]+: [1-9a-k]+)(?!, announce)", r"\1, announce nothing")


@bad
def a_turn_of_another_seat(text: str) -> str:
    return in_turns(text, "^([0-9]+):(?! resign)", lambda found: f"{int(found[1]) + 1}:")


@bad
def a_turn_that_is_no_turn(text: str) -> str:
    return in_turns(text, "^([0-9]+: )", r"\1, ")


@bad
def dice_that_are_not_ascending(text: str) -> str:
    return in_turns(text, "^([0-9]+: )([1-9a-k]+)", lambda found: found[1] + "6" + found[2][:-2] + "1")


@bad
def a_keep_of_nothing_at_all(text: str) -> str:
    return in_turns(text, "keep [1-9a-k-]+", "keep")


@bad
def a_face_that_no_die_has(text: str) -> str:
    return in_turns(text, r"^([0-9]+: [1-9a-k]*)[1-9a-k]\b", r"\1z")


@bad_elsewhere
def a_turn_too_many(text: str) -> str:
    return in_turns(text, r"^([0-9]+: .*\n)", r"\1\1")


@bad_elsewhere
def a_turn_too_few(text: str) -> str:
    return in_turns(text, r"^[0-9]+: [1-9a-k].*\n", "")


@bad
def two_turns_the_other_way_round(text: str) -> str:
    return in_turns(text, r"^([0-9]+: [1-9a-k].+\n)([0-9]+: [1-9a-k].+\n)", r"\2\1")


@bad
def a_seat_gives_up_at_the_end_of_a_finished_turn(text: str) -> str:
    return in_turns(text, "(= [0-9]+)$", r"\1, resign")


# Dice in the turns, in the proof, and in both.

_FIRST_ROLL = r"^([0-9]+: )([1-9a-k]+)"
_SECOND_ROLL = r"(keep ([1-9a-k]+|-), )([1-9a-k]+)"


@bad
def a_die_of_a_first_roll(text: str) -> str:
    return in_turns(text, _FIRST_ROLL, lambda found: found[1] + ascending(other_face(found[2][0]) + found[2][1:]))


@bad
def a_die_of_a_second_roll(text: str) -> str:
    def changed(found: re.Match[str]) -> str:
        rolled = list(found[3])
        for die in found[2].replace("-", ""):
            rolled.remove(die)
        kept = found[2].replace("-", "")
        return found[1] + ascending(kept + other_face(rolled[0]) + "".join(rolled[1:])) if rolled else found[0]

    return in_turns(text, _SECOND_ROLL, changed)


@bad
def a_kept_die_of_a_second_roll(text: str) -> str:
    def changed(found: re.Match[str]) -> str:
        die = found[2][0]
        return found[1] + ascending(found[3].replace(die, other_face(die), 1))

    return in_turns(text, r"(keep ([1-9a-k]+), )([1-9a-k]+)", changed)


@bad
def a_die_more_in_a_turn(text: str) -> str:
    return in_turns(text, _FIRST_ROLL, r"\g<1>1\2")


@bad
def a_die_less_in_a_turn(text: str) -> str:
    return in_turns(text, r"^([0-9]+: )[1-9a-k]([1-9a-k]+)", r"\1\2")


@bad
def another_keep_in_a_turn(text: str) -> str:
    return in_turns(text, "keep ([1-9a-k]+)", lambda found: f"keep {found[1][1:] or '-'}")


@bad
def a_roll_less_in_a_turn(text: str) -> str:
    return in_turns(text, r", keep ([1-9a-k]+|-), [1-9a-k]+", "")


_PLACED = r"(turn [0-9]+: )([1-9a-k]+)"
_PLACED_AGAIN = r"(keep ([1-9a-k_]+), )([1-9a-k]+)"


@bad
def a_die_in_the_proof(text: str) -> str:
    return in_proof(text, _PLACED, lambda found: found[1] + other_face(found[2][0]) + found[2][1:])


@bad
def two_dice_the_other_way_round_in_the_proof(text: str) -> str:
    return in_proof(text, r"(turn [0-9]+: [1-9a-k]*?)([1-9a-k])((?!\2)[1-9a-k])", r"\1\3\2")


@bad
def a_rerolled_die_in_the_proof(text: str) -> str:
    def changed(found: re.Match[str]) -> str:
        place = found[2].find("_")
        dice = found[3]
        return found[1] + dice[:place] + other_face(dice[place]) + dice[place + 1 :] if place >= 0 else found[0]

    return in_proof(text, _PLACED_AGAIN, changed)


@bad
def a_kept_die_in_the_proof(text: str) -> str:
    def changed(found: re.Match[str]) -> str:
        place = next((place for place, mark in enumerate(found[2]) if mark != "_"), None)
        if place is None:
            return found[0]
        return found[1] + found[3][:place] + other_face(found[3][place]) + found[3][place + 1 :]

    return in_proof(text, _PLACED_AGAIN, changed)


@bad
def another_face_kept_in_the_proof(text: str) -> str:
    return in_proof(text, "(keep _*)([1-9a-k])", lambda found: found[1] + other_face(found[2]))


@bad
def one_die_less_kept_in_the_proof(text: str) -> str:
    return in_proof(text, "(keep _*)[1-9a-k]", r"\1_")


@bad
def a_die_less_in_the_proof(text: str) -> str:
    return in_proof(text, r"(turn [0-9]+: )[1-9a-k]([1-9a-k])", r"\1\2")


@bad
def a_mark_less_in_the_proof(text: str) -> str:
    return in_proof(text, "keep _", "keep ")


@bad
def a_roll_less_in_the_proof(text: str) -> str:
    return in_proof(text, r", keep [1-9a-k_]+, [1-9a-k]+", "")


@bad
def a_turn_less_in_the_proof(text: str) -> str:
    head, turns, tail = _parts(text)
    lines = re.findall(r"^  turn [0-9]+: (.*)\n", tail, re.MULTILINE)
    new = "".join(f"  turn {number}: {line}\n" for number, line in enumerate(lines[:1] + lines[2:]))
    return head + turns + re.sub(r"(^  turn .*\n)+", lambda _: new, tail, count=1, flags=re.MULTILINE)


@bad
def a_turn_with_another_number_in_the_proof(text: str) -> str:
    return in_proof(text, "turn 1: ", "turn 11: ")


@bad
def a_die_in_both(text: str) -> str:
    head, turns, tail = _parts(text)
    turn = re.search(r"^[0-9]+: ([1-9a-k]+)", turns, re.MULTILINE)
    placed = re.search("turn 0: ([1-9a-k]+)", tail)
    if not turn or not placed:
        return text
    dice = other_face(placed[1][0]) + placed[1][1:]
    turns = turns[: turn.start(1)] + ascending(dice) + turns[turn.end(1) :]
    return head + turns + tail[: placed.start(1)] + dice + tail[placed.end(1) :]


@bad_elsewhere
def a_turn_less_in_both(text: str) -> str:
    return a_turn_less_in_the_proof(in_turns(text, r"^(.+\n)[0-9]+: [1-9a-k].*\n", r"\1"))


# The proof.


@bad_elsewhere
def no_proof(text: str) -> str:
    head, turns, tail = _parts(text)
    return head + turns + "".join(tail.partition("rules:\n")[1:])


@bad_elsewhere
def no_secret(text: str) -> str:
    return in_proof(text, r"^  secret: .*\n", "")


@bad
def another_scheme(text: str) -> str:
    return in_proof(text, "fivedice dice 1", "fivedice dice 2")


@bad_elsewhere
def another_table(text: str) -> str:
    return in_proof(text, "table: .*", "table: another")


@bad
def a_table_that_is_no_table(text: str) -> str:
    return in_proof(text, "table: .*", "table: an other")


@bad
def another_commitment(text: str) -> str:
    return in_proof(text, "commitment: (.*)", lambda found: f"commitment: {found[1][::-1]}")


@bad
def another_secret(text: str) -> str:
    return in_proof(text, "secret: (.*)", lambda found: f"secret: {found[1][::-1]}")


@bad
def a_short_secret(text: str) -> str:
    return in_proof(text, "secret: ..", "secret: ")


@bad
def dice_without_faces(text: str) -> str:
    return in_proof(text, "faces: .*", "faces: 0")


@bad_elsewhere
def dice_with_another_number_of_faces(text: str) -> str:
    return in_proof(text, "faces: ([0-9]+)", lambda found: f"faces: {int(found[1]) + 1}")


@bad_elsewhere
def one_nonce_less(text: str) -> str:
    return in_proof(text, r"^  nonce: .*\n", "")


@bad_elsewhere
def another_nonce(text: str) -> str:
    return in_proof(text, r"nonce: (.*) [0-9a-f]+", r"nonce: \1 abcdef")


@bad_elsewhere
def nonces_the_other_way_round(text: str) -> str:
    return in_proof(text, r"(^  nonce: .*\n)(^  nonce: .*\n)", r"\2\1")


@bad
def a_nonce_of_a_seat_that_does_not_exist(text: str) -> str:
    return in_proof(text, "nonce: seat [0-9]+", "nonce: seat 12")


@not_proved
def no_opening(text: str) -> str:
    return in_proof(text, r"^  opening: .*\n", "")


@not_proved
def an_opening_without_dice(text: str) -> str:
    return in_proof(text, "opening: .*", "opening: first")


@bad
def an_opening_that_does_not_exist(text: str) -> str:
    return in_proof(text, "opening: .*", "opening: oldest")


@not_proved
def no_undone_turns(text: str) -> str:
    return in_proof(text, r"(^  undone: .*\n)+", "")


@bad
def an_undone_turn_that_does_not_exist(text: str) -> str:
    return in_proof(text, "undone: turn [0-9]+", "undone: turn 999")


@bad
def an_undone_turn_that_cannot_be_read(text: str) -> str:
    return in_proof(text, r"(undone: turn [0-9]+), \w+", r"\1, wrote")


@not_proved
def no_help(text: str) -> str:
    return in_proof(text, r"^  help: .*\n", "")


@not_proved
def other_help(text: str) -> str:
    return in_proof(text, "help: .*", "help: always")


@not_proved
def fewer_questions(text: str) -> str:
    return in_proof(text, "seat ([0-9]+) asked .*", r"seat \1 asked 1 changed 0")


@bad
def a_help_that_does_not_exist(text: str) -> str:
    return in_proof(text, "help: .*", "help: everything")


@bad
def help_for_a_seat_that_does_not_exist(text: str) -> str:
    return in_proof(text, "(help: .*)", r"\1, seat 12 asked 1 changed 0")


@bad
def more_decisions_changed_than_questioned(text: str) -> str:
    return in_proof(text, "(help: [a-z]+).*", r"\1, seat 0 asked 1 changed 2")


@bad
def a_seat_that_was_asked_nothing(text: str) -> str:
    return in_proof(text, "(help: [a-z]+).*", r"\1, seat 0 asked 0 changed 0")


@bad
def asked_seats_the_other_way_round(text: str) -> str:
    return in_proof(text, "(help: [a-z]+).*", r"\1, seat 1 asked 1 changed 1, seat 0 asked 1 changed 1")


@bad_elsewhere
def two_lines_about_help(text: str) -> str:
    return in_proof(text, r"(^  help: .*\n)", r"\1\1")


@bad_elsewhere
def a_line_after_the_proof(text: str) -> str:
    return in_proof(text, r"\Z", "  all good\n")


@bad_elsewhere
def proof_lines_the_other_way_round(text: str) -> str:
    return in_proof(text, r"(^  table: .*\n)(^  commitment: .*\n)", r"\2\1")


@bad_elsewhere
def other_rules_of_ones_own(text: str) -> str:
    head, rules, own = text.partition("\nrules:\n")
    return head + rules + own.replace("pays = 30", "pays = 31", 1)


@not_proved
def empty_lines_and_blanks(text: str) -> str:
    head, turns, tail = _parts(text)
    return head + turns.replace("\n", " \n\n") + tail.replace("\n  turn 0", "\n\n\t turn 0")


@not_proved
def lines_that_end_as_on_windows(text: str) -> str:
    return text.replace("\n", "\r\n")
