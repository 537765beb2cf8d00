"""A reader of records made from the grammar and the sentences in docs/record-format.md, and from nothing else."""

import re
from functools import cache
from itertools import pairwise

from tests.repository import ROOT

PAGE = ROOT / "docs" / "record-format.md"
MAX_NONCES = 64


@cache
def _blocks() -> list[str]:
    section = PAGE.read_text(encoding="utf-8").split("## Grammar")[1].split("## How")[0]
    return re.findall(r"```\n(.*?)```", section, re.DOTALL)


@cache
def _named() -> dict[str, str]:
    return dict(line.split(None, 1) for line in _blocks()[0].splitlines())


def _expanded(pattern: str) -> str:
    while found := re.search("<([A-Z]+)>", pattern):
        pattern = pattern.replace(found[0], f"(?:{_named()[found[1]]})")
    return pattern


@cache
def lines_in_order() -> list[tuple[str, str, re.Pattern[str]]]:
    """How often each line occurs (" ", "?" or "*"), what it begins with, and its pattern."""
    rows = [(line[0], line[2:]) for line in _blocks()[1].splitlines()]
    return [(times, pattern, re.compile(_expanded(_grouped(pattern)))) for times, pattern in rows]


def _grouped(pattern: str) -> str:
    key, colon, rest = pattern.partition(": ")
    return f"{key}: (?:{rest})" if colon else pattern


def first_bad_line(text: str) -> int | None:
    """The number of the first line that is not of the documented form, from 1; None if all are."""
    lines = [line.strip(" \t") for line in text.replace("\r\n", "\n").removesuffix("\n").split("\n")]
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line or number <= 8]
    seen: dict[str, list[str]] = {}
    at = 0

    def is_next(pattern: re.Pattern[str]) -> bool:
        return at < len(numbered) and bool(pattern.fullmatch(numbered[at][1]))

    for times, written, pattern in lines_in_order():
        if written == "rules:" and is_next(pattern):
            return None
        if written == "scheme: fivedice dice 1" and "proof:" not in seen:
            break
        while is_next(pattern):
            key, _, value = numbered[at][1].partition(": ")
            if not _holds(written, key, value, seen):
                return numbered[at][0]
            seen.setdefault(written, []).append(value)
            at += 1
            if times != "*":
                break
        if times == " " and written not in seen:
            return numbered[at][0] if at < len(numbered) else len(lines) + 1
    if at < len(numbered) and numbered[at][1] != "rules:":
        return numbered[at][0]
    return None


def _holds(written: str, key: str, value: str, seen: dict[str, list[str]]) -> bool:
    """What the page says of a line in words."""
    num_seats = len(_seats(seen["seats: <TEXT>"][0])) if "seats: <TEXT>" in seen else 0
    turns = [turn for turn in seen.get("<SEAT>: (<TURN>|resign)", []) if turn != "resign"]
    if written == "first: <SEAT>":
        return int(value) < num_seats
    if written.startswith("<SEAT>: "):
        rolled = [step.removeprefix("keep ") for step in value.split(", ")]
        dice = [step for step in rolled if re.fullmatch("[1-9a-k]+", step)]
        return all(left <= right for roll in dice for left, right in pairwise(roll))
    if written == "nonce: <NONCE>":
        who, number, _ = value.split()
        return len(seen.get(written, [])) < MAX_NONCES and (who == "watcher" or int(number) < num_seats)
    if written == "undone: <UNDONE>":
        turn = int(value.split()[1].rstrip(","))
        seats = [int(seat) for seat in re.findall(r"seat ([0-9]+)", value)]
        is_ascending = all(left < right for left, right in pairwise(seats))
        return turn < len(turns) and is_ascending and max(seats, default=0) < num_seats
    if written == "help: <HELP>":
        asked = [[int(number) for number in re.findall("[0-9]+", part)] for part in value.split(", ")[1:]]
        is_ascending = all(left[0] < right[0] for left, right in pairwise(asked))
        return is_ascending and all(seat < num_seats and changed <= asked for seat, asked, changed in asked)
    if written == "turn <NUMBER>: <PLACED>":
        return key == f"turn {len(seen.get(written, []))}"
    return True


def _seats(text: str) -> list[str]:
    return (re.sub(r'"(?:[^"\\]|\\["\\])*"', "", text) if ":" in text else text).split(",")
