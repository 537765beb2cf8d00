"""The `Ending` of a game: who won by how much, how that compares with earlier games, and what can follow."""

from collections.abc import Sequence
from dataclasses import dataclass

from fivedice.cli.files.saved_games import saved_games
from fivedice.cli.game.command_words import AFTER, command_names
from fivedice.cli.game.session import Session
from fivedice.cli.language import chosen, numbered, say
from fivedice.game.record import Record
from fivedice.game.wording import resigned_sentence

_NAMELESS = ("human", "human")
"""A person without a name in older records."""


@dataclass(frozen=True, slots=True)
class Ending:
    """Three sentences on a finished game. `totals` is empty in a game of one seat, `history` if several people play."""

    headline: str
    totals: str
    history: str

    @property
    def sentences(self) -> list[str]:
        return [sentence for sentence in (self.headline, self.totals, self.history) if sentence]


def ending(session: Session) -> Ending:
    """The ending of a finished game; reads the saved games of the only person."""
    record, names, you = session.record, session.names, session.you
    totals = [card.total for card in record.position.cards]
    listed = ", ".join(f"{name} {total}" for name, total in zip(names, totals, strict=True))
    is_complete = you is not None and (record.position.cards[you].is_complete or not record.resignations)
    history = ""
    if you is not None and is_complete:
        history = _history(record.ruleset.name, totals[you], earlier_totals(session, you))
    return Ending(headline(record, names, you), f"{listed}." if len(totals) > 1 else "", history)


def headline(record: Record, names: Sequence[str], you: int | None) -> str:
    """Who won, and by how much: `You won by 12 points.`, `You lost by 76 points.`, `Ann and Ben share the victory.`"""
    cards, winners = record.position.cards, record.position.winners
    totals = [card.total for card in cards]
    gone = [seat for seat, card in enumerate(cards) if card.resigned]
    if you in gone:
        return say("You resigned.")
    if not winners or len(gone) == len(cards) - 1 > 0:
        resigned = resigned_sentence([names[seat] for seat in gone], chosen())
        if not winners:
            return resigned
        won = say("You won.") if winners[0] == you else say("{name} won.", name=names[winners[0]])
        return f"{resigned} {won}"
    best = totals[winners[0]]
    if len(cards) == 1:
        if you is not None:
            return numbered("You scored 1 point.", "You scored {n} points.", best)
        return numbered("{name} scored 1 point.", "{name} scored {n} points.", best, name=names[0])
    if len(winners) > 1:
        others = chosen().listed(names[seat] for seat in winners if seat != you)
        if you in winners:
            return say("You share the victory with {names}.", names=others)
        return say("{names} share the victory.", names=others)
    [winner] = winners
    if cards[winner].won:
        if winner == you:
            return say("You won on a first roll.")
        return say("{name} won on a first roll.", name=names[winner])
    if you is not None and winner != you:
        return numbered("You lost by 1 point.", "You lost by {n} points.", best - totals[you])
    lead = best - max(totals[seat] for seat in record.position.remaining if seat != winner)
    if winner == you:
        return numbered("You won by 1 point.", "You won by {n} points.", lead)
    return numbered("{name} won by 1 point.", "{name} won by {n} points.", lead, name=names[winner])


def earlier_totals(session: Session, seat: int) -> list[int]:
    """The totals of a person in all other finished games of the same rules in the user's folder."""
    person = session.record.seats[seat]
    people = ((person.name, person.kind), _NAMELESS)
    digest = session.record.ruleset.digest
    games = [game for game in saved_games()[0] if game.is_over and not game.is_cut_short and game.digest == digest]
    others = [game for game in games if game.file != str(session.saved.file)]
    return [one.total for game in others for one in game.seats if (one.name, one.kind) in people]


def _history(rules: str, total: int, earlier: Sequence[int]) -> str:
    if not earlier:
        return say("That was your first game of {rules}.", rules=rules)
    games = len(earlier) + 1
    values = {"best": max(earlier), "games": games, "average": f"{(sum(earlier) + total) / games:.0f}"}
    if total > max(earlier):
        return say("Your best yet; your average over {games} games is {average}.", **values)
    return say("Your best is {best}; your average over {games} games is {average}.", **values)


def after_game(session: Session) -> dict[str, str]:
    """What can follow a game, by its key: no review where not even the last turns can be solved."""
    return {key: what for key, what in AFTER.items() if what != "review" or not session.available.review}


def choices_after(session: Session) -> str:
    """A sentence on what to type at the end of a game."""
    abouts = {
        "new game": say("n for a new game"),
        "review": say("v to review this one"),
        "learn": say("l to learn from your games"),
    }
    choices = [abouts[what] for what in after_game(session).values()]
    if session.can_undo:
        choices.append(say("{undo} to take back your last score", undo=command_names("undo")[0]))
    return say("Press Enter to finish, or type {choices}.", choices=chosen().listed_or(choices))
