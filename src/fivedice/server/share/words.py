"""`Words`: the texts of previews in one language. Robots that fetch a preview may say the language of their user."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from fivedice.server.share.preview import Preview, PreviewSeat
from fivedice.server.table.state import PERSON, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Whole sentences; `{name}`, `{game}` and `{n}` are filled in. A pair is for one and for other numbers."""

    locale: str
    kinds: dict[str, str]
    """The names of computer players."""
    both: str
    invites: str
    invited: str
    to_game: str
    free: tuple[str, str]
    full: str
    open_to_play: str
    free_seat: str
    player: str
    """A player whose name has no letter that a picture can show."""
    plays: str
    playing: str
    round: str
    wins: str
    ties: str
    scores: str
    closed: str
    result: tuple[str, str]
    """Loss and luck of a player in whole points: `{n}` and `{luck}`."""
    best_turn: tuple[str, str]
    more: tuple[str, str]
    """Seats for which a picture has no room."""
    site: str
    headline: str

    def title(self, preview: Preview) -> str:
        """The title of a table."""
        names = self._list([self.name(seat) for seat in preview.taken])
        if preview.state is State.OPEN:
            invitation = self.invites if preview.host else self.invited
            return invitation.format(name=isolated(preview.host), game=isolated(preview.game))
        if preview.state is State.OVER:
            return self.outcome(preview)
        sentence = self.plays if len(preview.seats) == 1 else self.playing
        return (self.closed if preview.state is State.CLOSED else sentence).format(
            name=names, game=isolated(preview.game)
        )

    def outcome(self, preview: Preview) -> str:
        """Who won, with the points."""
        names = self._list([self.name(seat) for seat in preview.winners])
        sentence = self.scores if len(preview.seats) == 1 else self.ties if len(preview.winners) > 1 else self.wins
        return sentence.format(name=names, game=isolated(preview.game), n=preview.winners[0].total)

    def description(self, preview: Preview) -> str:
        """One or two sentences below the title."""
        if preview.state is State.OPEN:
            return f"{self.seats_free(preview)} {self.open_to_play}"
        standings = ", ".join(f"{self.name(seat)} {seat.total}" for seat in preview.taken) + "."
        if preview.state is State.PLAYING:
            return f"{self.round.format(n=preview.round, all=preview.rounds)}: {standings}"
        return standings if preview.state is not State.OPENING else self.full

    def seats_free(self, preview: Preview) -> str:
        """How many seats are free."""
        return _plural(self.free, preview.num_free)

    def name(self, seat: PreviewSeat) -> str:
        """The name of a player. A computer player that is named by its kind has the translated name."""
        if not seat.name:
            return self.free_seat
        number = seat.name.removeprefix(seat.kind)
        if seat.kind != PERSON and seat.name.startswith(seat.kind) and (not number or number.strip().isdigit()):
            return self.kinds.get(seat.kind, seat.kind) + number
        return isolated(seat.name)

    def figures(self, seat: PreviewSeat) -> str:
        """Luck and loss of a player; empty without a review."""
        if seat.luck is None or seat.loss is None:
            return ""
        luck = f"{seat.luck:+.0f}".replace("-", "\N{MINUS SIGN}")
        return _plural(self.result, round(seat.loss), luck="0" if luck[1:] == "0" else luck)

    def best(self, points: int) -> str:
        """The caption of the dice of the best turn."""
        return _plural(self.best_turn, points)

    def num_more(self, number: int) -> str:
        """How many more seats there are."""
        return _plural(self.more, number)

    def _list(self, names: Sequence[str]) -> str:
        return " ".join([", ".join(names[:-1]), self.both, names[-1]]) if len(names) > 1 else "".join(names)


def isolated(text: str) -> str:
    """A text that does not change the direction of the sentence around it, if it is written from right to left."""
    is_rtl = any(unicodedata.bidirectional(one) in ("R", "AL") for one in text)
    return f"\u2068{text}\u2069" if is_rtl else text


def _plural(pair: tuple[str, str], number: int, **values: str) -> str:
    return pair[number != 1].format(n=number, **values)


WORDS = {
    "en": Words(
        locale="en_GB",
        kinds={"greedy": "Greedy", "optimal": "Optimal", "random": "Random"},
        both="and",
        invites="{name} invites you to {game}",
        invited="You are invited to {game}",
        to_game="{name} invites you to",
        free=("{n} seat is free.", "{n} seats are free."),
        full="All seats are taken.",
        open_to_play="Open the link to play.",
        free_seat="free seat",
        player="Player {n}",
        plays="{name} plays {game}",
        playing="{name} play {game}",
        round="Round {n} of {all}",
        wins="{name} wins {game} with {n}",
        ties="{name} share the win in {game} with {n}",
        scores="{name} scores {n} in {game}",
        closed="{name}: {game}, closed early",
        result=("{n} point lost · luck {luck}", "{n} points lost · luck {luck}"),
        best_turn=("Best turn: {n} point", "Best turn: {n} points"),
        more=("and {n} more", "and {n} more"),
        site="Play Yahtzee and its relatives with friends by link, with exact advice and reviews.",
        headline="Play Yahtzee. See what every choice is worth.",
    ),
    "de": Words(
        locale="de_DE",
        kinds={"greedy": "Punktejäger", "optimal": "Perfektionist", "random": "Zufall"},
        both="und",
        invites="{name} lädt dich zu {game} ein",
        invited="Du bist zu {game} eingeladen",
        to_game="{name} lädt dich ein zu",
        free=("{n} Platz ist frei.", "{n} Plätze sind frei."),
        full="Alle Plätze sind besetzt.",
        open_to_play="Öffne den Link und spiel mit.",
        free_seat="freier Platz",
        player="Spieler {n}",
        plays="{name} spielt {game}",
        playing="{name} spielen {game}",
        round="Runde {n} von {all}",
        wins="{name} gewinnt {game} mit {n}",
        ties="{name} teilen sich den Sieg in {game} mit {n}",
        scores="{name} schafft {n} in {game}",
        closed="{name}: {game}, vorzeitig beendet",
        result=("{n} Punkt verloren · Glück {luck}", "{n} Punkte verloren · Glück {luck}"),
        best_turn=("Beste Runde: {n} Punkt", "Beste Runde: {n} Punkte"),
        more=("und {n} weiterer", "und {n} weitere"),
        site="Spiel Kniffel und seine Verwandten mit Freunden über einen Link, mit exakten Tipps und Analysen.",
        headline="Spiel Kniffel. Sieh, was jeder Zug wert ist.",
    ),
    "sv": Words(
        locale="sv_SE",
        kinds={"greedy": "Poängjägaren", "optimal": "Perfektionisten", "random": "Slumpen"},
        both="och",
        invites="{name} bjuder in dig till {game}",
        invited="Du är inbjuden till {game}",
        to_game="{name} bjuder in dig till",
        free=("{n} plats är ledig.", "{n} platser är lediga."),
        full="Alla platser är tagna.",
        open_to_play="Öppna länken för att spela.",
        free_seat="ledig plats",
        player="Spelare {n}",
        plays="{name} spelar {game}",
        playing="{name} spelar {game}",
        round="Omgång {n} av {all}",
        wins="{name} vinner {game} med {n}",
        ties="{name} delar segern i {game} med {n}",
        scores="{name} får {n} i {game}",
        closed="{name}: {game}, avslutat i förtid",
        result=("{n} poäng förlorad · tur {luck}", "{n} poäng förlorade · tur {luck}"),
        best_turn=("Bästa omgång: {n} poäng", "Bästa omgång: {n} poäng"),
        more=("och {n} till", "och {n} till"),
        site="Spela Yatzy och dess släktingar med vänner via en länk, med exakta råd och analyser.",
        headline="Spela Yatzy. Se vad varje val är värt.",
    ),
}
"""The languages of the page."""


def language_of(accepted: str) -> str:
    """The first language of an `Accept-Language` header that there are words for; English if there is none."""
    weighted: list[tuple[float, str]] = []
    for item in accepted[:200].split(","):
        tag, _, weight = item.strip().partition(";q=")
        try:
            weighted.append((-float(weight or 1), tag.lower().split("-")[0]))
        except ValueError:
            continue
    return next((tag for _, tag in sorted(weighted, key=lambda found: found[0]) if tag in WORDS), "en")
