"""Drives the terminal game in tests, by keys and clicks, and reads its hints."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from fivedice.cli.files.record_file import Saved
from fivedice.cli.game.session import Session
from fivedice.cli.terminal.app import TerminalGame
from fivedice.cli.terminal.dice_widget import DiceRow
from fivedice.cli.terminal.hint import TITLE, Solve, values_for
from fivedice.cli.terminal.palette import TERMINAL, Palette
from fivedice.cli.terminal.screens import Review
from fivedice.cli.terminal.status import Messages
from fivedice.game.action import Action, Score
from fivedice.game.position import Position
from fivedice.game.proof import TableDice
from fivedice.game.record import Record
from fivedice.game.seats import parse_seat
from fivedice.players import Player, make_player
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.dice import Dice

DATE = "2026-11-21T10:00:00+00:00"


class Scripted:
    """Rolls the dice of a script, then the highest faces, and each roll but once."""

    commitment = ""

    def __init__(self, script: str) -> None:
        self.script = [int(die) for die in script if die != " "]
        self.rolled: dict[tuple[int, int], Dice] = {}

    def dice(self, turn: int, roll: int, num_dice: int, faces: int) -> Dice:
        if (turn, roll) not in self.rolled:
            new = [self.script.pop(0) if self.script else faces for _ in range(num_dice)]
            self.rolled[turn, roll] = tuple(new)
        return self.rolled[turn, roll]


def new_session(rules: str = "yahtzee", seats: str = "Ann=human", dice: str | None = None) -> Session:
    source = TableDice(b"4" * 32, "terminal") if dice is None else Scripted(dice)
    parsed = tuple(parse_seat(seat) for seat in seats.split(","))
    players = [make_player(seat.kind, random.Random(4), lambda: pytest.fail("it is not needed")) for seat in parsed]
    return Session(Record.start(load_ruleset(rules), parsed, DATE), players, source)


def with_turns(session: Session, *turns: tuple[str, str]) -> Session:
    """The session after turns of one roll, such as `("44444", "yahtzee")`."""
    record = session.record
    for dice, box in turns:
        record = record.roll(tuple(int(die) for die in dice)).play(Score(box))
    return Session(record, session.players, session._dice)


class Hasty:
    """Scores its first roll in the first box that takes it, and is done with a long game at once."""

    def choose(self, position: Position) -> Action:
        return next(offer.action for offer in position.offers()) if position.offers() else position.announcements()[0]


def nearly_over(session: Session, rounds_left: int = 2, player: Player = Hasty()) -> Session:  # noqa: B008
    """Let a computer player play all but the last rounds at every seat."""
    people, session.players = session.players, (player,) * len(session.players)
    while session.position.card.num_filled < session.record.ruleset.rounds - rounds_left:
        session.step()
    session.players = people
    return session


class Played:
    """A game under test: the session, the saved records, and the contents of the screen."""

    def __init__(self, session: Session, pace: float, solve: Solve, palette: Palette, review: Review | None) -> None:
        self.session = session
        self.records: list[str] = []
        session._write = self.save
        self.app = TerminalGame(session, pace, palette=palette, solve=solve, review=review)
        self.pilot: Pilot[str]

    def save(self, record: Record) -> Saved:
        self.records.append(str(record))
        return Saved("/a-game.txt")

    @property
    def screen(self) -> list[str]:
        # Only the compositor has the final contents of the screen.
        return [strip.text.rstrip() for strip in self.app.screen._compositor.render_strips()]

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.screen).split())

    def line(self, label: str) -> str:
        return next(line for line in self.screen if line.strip().startswith(label))

    @property
    def words(self) -> str:
        return " ".join(paragraph.plain for paragraph in self.app.query_one(Messages).paragraphs)

    @property
    def chosen(self) -> str:
        return next(line for line in self.screen if "▸ " in line).partition("▸")[0].strip().split("  ")[0]

    @property
    def dice(self) -> DiceRow:
        return self.app.query_one(DiceRow)

    @property
    def kept(self) -> str:
        """The places of the kept dice, from 1."""
        return "".join(str(place) for place, is_kept in enumerate(self.dice.kept, start=1) if is_kept)

    async def click(self, label: str, text: str) -> None:
        """Click on a text in the line with this label."""
        row = next(y for y, line in enumerate(self.screen) if line.strip().startswith(label))
        await self.pilot.click(offset=(self.screen[row].index(text) + 1, row))
        await self.settle()

    async def press(self, keys: str) -> None:
        """Press keys. Unlike Pilot.press, this does not wait for an idle machine."""
        for key in keys.split():
            self.app.simulate_key(key)
            await self.settle()

    async def settle(self) -> None:
        """Wait until every message is processed: by the app, by the screen, and by the widgets."""
        for _ in range(3):
            await self.pilot.pause(0)


@asynccontextmanager
async def playing(
    session: Session,
    *,
    size: tuple[int, int] = (80, 24),
    pace: float = 0,
    solve: Solve = values_for,
    palette: Palette = TERMINAL,
    review: Review | None = None,
) -> AsyncIterator[Played]:
    game = Played(session, pace, solve, palette, review)
    async with game.app.run_test(size=size) as game.pilot:
        await game.settle()
        yield game


async def play_on(game: Played) -> None:
    """Play to the end by keys: roll, keep a die, roll, and score in the selected box."""
    for _ in range(60 * len(game.session.players)):
        if game.session.position.is_over:
            return
        filled = sum(card.num_filled for card in game.session.position.cards)
        await game.press("r 1 r enter")
        if sum(card.num_filled for card in game.session.position.cards) == filled:
            await game.press("enter")
    raise AssertionError("the game does not end")


async def solved(game: Played) -> None:
    """Wait for the thread that obtains the solution, and for the screen."""
    await asyncio.to_thread(game.app._hint.join)
    await game.settle()


def hinted(game: Played) -> list[str]:
    """The lines of the hint's table with single spaces."""
    _, title, *lines = game.app.query_one(Messages).paragraphs[-1].plain.splitlines()
    assert title == TITLE
    return [" ".join(line.split()) for line in lines]
