"""`Preview`: what the link to a table shows before it is opened: nothing that a watcher of the table cannot see."""

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.base.language import language, marked
from fivedice.players import kind_name
from fivedice.rulesets.dice import Dice
from fivedice.server.table.event import Help
from fivedice.server.table.state import PERSON, State, Table
from fivedice.views.games import PlayedSeatView

if TYPE_CHECKING:
    from fivedice.game.record import Record


MAX_GAME_CHARACTERS = 60
"""Characters of the name of the rules: that of custom rules may be much longer."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A table: the name of its rules, its stage and its seats; the name of a free one is empty.

    `side` is the seat that shares its result; None to tell it from the winner's side. `help` is what everybody is shown
    of the exact values during the game.
    """

    game: str
    state: State
    seats: tuple[PlayedSeatView, ...]
    round: int
    rounds: int
    side: int | None = None
    help: Help = "none"

    @property
    def num_free(self) -> int:
        """The number of free seats."""
        return len(self.seats) - len(self.taken)

    @property
    def taken(self) -> list[PlayedSeatView]:
        """The seats with a player."""
        return [seat for seat in self.seats if seat.name]

    @property
    def host(self) -> str:
        """The first person at the table; empty if there is none yet."""
        return next((seat.name for seat in self.taken if seat.kind == PERSON), "")

    @property
    def winners(self) -> list[PlayedSeatView]:
        """The seats that won; none before the end, and in a game that was given up."""
        return [seat for seat in self.seats if seat.rank == 1]


def preview_of(table: Table, side: int | None = None) -> Preview:
    """The preview of a table. `side` is the seat whose result it tells."""
    position, ruleset = table.position, table.ruleset
    seats = tuple(
        PlayedSeatView(seat.name, seat.kind, card.total, rank, card.resigned)
        for seat, card, rank in zip(table.seats, position.cards, position.ranks, strict=True)
    )
    return Preview(
        game=_shortened(ruleset.name),
        state=table.state,
        seats=seats,
        round=min(position.round, ruleset.rounds),
        rounds=ruleset.rounds,
        side=side if side is not None and side < len(seats) else None,
        help=table.help,
    )


@dataclass(frozen=True, slots=True)
class BestTurn:
    """The turn of a seat that scored most: its last dice, and its points with any bonus."""

    dice: Dice
    points: int


def best_turn(record: "Record", seat: int) -> BestTurn | None:
    """The best turn of a seat, the first of several; None before its first score."""
    scored = [
        BestTurn(turn.rolls[-1], turn.offer.points + turn.offer.bonus)
        for turn in record.turns
        if turn.offer and turn.seat == seat
    ]
    return max(scored, key=lambda turn: turn.points, default=None)


def _shortened(name: str) -> str:
    return name if len(name) <= MAX_GAME_CHARACTERS else name[: MAX_GAME_CHARACTERS - 1].rstrip() + "…"


_HELP: dict[Help, str] = {
    "none": marked("No help is shown during the game."),
    "after": marked("Everyone is shown what each decision cost."),
    "tutor": marked("A tutor asks before costly decisions."),
    "always": marked("Everyone is shown the best choice."),
}


class Words:
    """Sentences about tables, their players and the site, in the language with this tag."""

    def __init__(self, tag: str) -> None:
        self._to = language(tag)

    def title(self, preview: Preview) -> str:
        """The title of a table."""
        to, game = self._to, isolated(preview.game)
        if preview.state is State.OPEN:
            if preview.host:
                return to.say("{name} invites you to {game}", name=isolated(preview.host), game=game)
            return to.say("You are invited to {game}", game=game)
        if preview.state is State.OVER:
            return self.outcome(preview)
        names = [self.name(seat) for seat in preview.taken]
        if not names:
            return game
        if preview.state is State.CLOSED:
            return to.say("{names}: {game}, closed early", names=to.listed(names), game=game)
        if len(preview.seats) == 1:
            return to.say("{name} plays {game}", name=names[0], game=game)
        return to.say("{names} play {game}", names=to.listed(names), game=game)

    def outcome(self, preview: Preview) -> str:
        """Who won, with the points; from the side of a seat that did not win, and in a game alone, what it scored."""
        to, game, winners = self._to, isolated(preview.game), preview.winners
        own = preview.seats[preview.side or 0]
        if len(preview.seats) == 1 or (preview.side is not None and own.rank != 1):
            return to.say("{name} scores {total} in {game}", name=self.name(own), game=game, total=own.total)
        if len(winners) == 1:
            total = winners[0].total
            return to.say("{name} wins {game} with {total}", name=self.name(winners[0]), game=game, total=total)
        return to.say("{names} play {game}", names=to.listed([self.name(seat) for seat in preview.taken]), game=game)

    def description(self, preview: Preview) -> str:
        """One or two sentences below the title."""
        to = self._to
        if preview.state is State.OPEN:
            free = to.count(
                "{seats} seat is free.", "{seats} seats are free.", preview.num_free, seats=preview.num_free
            )
            return " ".join([free, to.say(_HELP[preview.help]), to.say("Open the link to play.")])
        if preview.state is State.OPENING:
            return to.say("All seats are taken.")
        standings = ", ".join(f"{self.name(seat)} {seat.total}" for seat in preview.taken) + "."
        if preview.state is not State.PLAYING:
            return standings
        return f"{to.say('Round {round} of {rounds}', round=preview.round, rounds=preview.rounds)}: {standings}"

    def name(self, seat: PlayedSeatView) -> str:
        """The name of a player. A computer player that is named by its kind has the translated name."""
        if not seat.name:
            return self._to.say("free seat")
        number = seat.name.removeprefix(seat.kind)
        if seat.kind != PERSON and seat.name.startswith(seat.kind) and (not number or number.strip().isdigit()):
            return kind_name(seat.kind, self._to) + number
        return isolated(seat.name)

    def site(self) -> str:
        """The description of the site."""
        return self._to.say("Play Yahtzee and its relatives with friends by link, with exact advice and reviews.")

    def play_today(self) -> str:
        """The invitation below the result of a daily."""
        return self._to.say("Play today's ten: ten positions, no account.")


def isolated(text: str) -> str:
    """A text that does not change the direction of the sentence around it, if it is written from right to left."""
    is_rtl = any(unicodedata.bidirectional(one) in ("R", "AL") for one in text)
    return f"\u2068{text}\u2069" if is_rtl else text
