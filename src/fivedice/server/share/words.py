"""`Words`: the texts of previews in one language. Robots that fetch a preview may say the language of their user."""

import unicodedata

from fivedice.base.language import language, marked
from fivedice.players import kind_name
from fivedice.server.share.preview import Preview, PreviewSeat
from fivedice.server.table.event import Help
from fivedice.server.table.state import PERSON, State

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
        """Who won, with the points or by the resignation of the others, or who gave up.

        From the side of a seat that did not win, it tells only of that seat.
        """
        to, game = self._to, isolated(preview.game)
        names = [self.name(seat) for seat in preview.winners]
        gone = [self.name(seat) for seat in preview.resigned]
        if preview.side is not None and (own := preview.seats[preview.side]).rank != 1:
            if not own.resigned:
                return to.say("{name} scores {total} in {game}", name=self.name(own), game=game, total=own.total)
            names, gone = [], [self.name(own)]
        if not names:
            return to.count(
                "{names} gave up {game}", "{names} gave up {game}", len(gone), names=to.listed(gone), game=game
            )
        if gone and len(gone) == len(preview.seats) - 1:
            return to.count(
                "{name} wins {game}: {names} gave up",
                "{name} wins {game}: {names} gave up",
                len(gone),
                name=names[0],
                names=to.listed(gone),
                game=game,
            )
        total = preview.winners[0].total
        if len(preview.seats) == 1:
            return to.say("{name} scores {total} in {game}", name=names[0], game=game, total=total)
        if len(names) == 1:
            return to.say("{name} wins {game} with {total}", name=names[0], game=game, total=total)
        return to.say("{names} share the win in {game} with {total}", names=to.listed(names), game=game, total=total)

    def description(self, preview: Preview) -> str:
        """One or two sentences below the title."""
        to = self._to
        if preview.state is State.OPEN:
            return " ".join([self.seats_free(preview), to.say(_HELP[preview.help]), to.say("Open the link to play.")])
        if preview.state is State.OPENING:
            return to.say("All seats are taken.")
        standings = ", ".join(f"{self.name(seat)} {seat.total}" for seat in preview.taken) + "."
        return f"{self.round(preview)}: {standings}" if preview.state is State.PLAYING else standings

    def round(self, preview: Preview) -> str:
        """The round being played."""
        return self._to.say("Round {round} of {rounds}", round=preview.round, rounds=preview.rounds)

    def seats_free(self, preview: Preview) -> str:
        """How many seats are free."""
        seats = preview.num_free
        return self._to.count("{seats} seat is free.", "{seats} seats are free.", seats, seats=seats)

    def free_seat(self) -> str:
        """A seat without a player."""
        return self._to.say("free seat")

    def name(self, seat: PreviewSeat) -> str:
        """The name of a player. A computer player that is named by its kind has the translated name."""
        if not seat.name:
            return self.free_seat()
        number = seat.name.removeprefix(seat.kind)
        if seat.kind != PERSON and seat.name.startswith(seat.kind) and (not number or number.strip().isdigit()):
            return kind_name(seat.kind, self._to) + number
        return isolated(seat.name)

    def site(self) -> str:
        """The description of the site."""
        return self._to.say("Play Yahtzee and its relatives with friends by link, with exact advice and reviews.")

    def play_today(self) -> str:
        """What the link to a result of the daily invites to."""
        return self._to.say("Play today's ten: ten positions, no account.")


def isolated(text: str) -> str:
    """A text that does not change the direction of the sentence around it, if it is written from right to left."""
    is_rtl = any(unicodedata.bidirectional(one) in ("R", "AL") for one in text)
    return f"\u2068{text}\u2069" if is_rtl else text
