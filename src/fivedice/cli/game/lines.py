"""Lines of text about a position, a turn and the end of a game, and the question before a zero."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fivedice.analysis.advice import Advice
from fivedice.cli.files.saved_games import saved_games
from fivedice.cli.game.command_words import AFTER, command_names
from fivedice.cli.game.session import Session
from fivedice.cli.language import box_name, chosen, numbered, say
from fivedice.cli.text.advice import error_lines
from fivedice.game.action import Action, Announce, Keep, Offer, Score
from fivedice.game.joker import rule_on
from fivedice.game.position import Position
from fivedice.game.record import Record
from fivedice.game.turn import Turn
from fivedice.game.wording import filled_names, resigned_sentence, to_do
from fivedice.rulesets.dice import format_dice
from fivedice.rulesets.explanation.dice import dice_text
from fivedice.rulesets.ruleset import Ruleset
from fivedice.views.odds import percents

if TYPE_CHECKING:
    from fivedice.analysis.estimated_odds import Odds  # it loads NumPy


NO_LOSS = 1e-9
"""Losses up to this are errors of rounding."""


def capitalised(text: str) -> str:
    """A sentence with a capital first letter."""
    return f"{text[:1].upper()}{text[1:]}"


def dice_line(position: Position) -> str:
    """The dice, and the rolls left."""
    ruleset = position.ruleset
    is_plain = not (ruleset.colours or ruleset.face_names)
    dice = " ".join(format_dice(position.dice)) if is_plain else dice_text(ruleset, position.dice)
    if not position.rolls_left:
        return say("Dice: {dice}; no rolls left, score a box.", dice=dice)
    return numbered("Dice: {dice}; 1 roll left.", "Dice: {dice}; {n} rolls left.", position.rolls_left, dice=dice)


def forced_lines(position: Position) -> list[str]:
    """A sentence on why the joker rule closes some open boxes to this roll; none if it does not."""
    reason = rule_on(position.card, position.dice).reason
    return [f"{capitalised(reason.in_words(position.card, chosen()))}."] if reason else []


def announced_lines(position: Position) -> list[str]:
    """A sentence on the box that was announced; none if none was."""
    if not position.card.announced:
        return []
    return [say("{box} is announced: this turn ends there.", box=box_name(position.ruleset, position.card.announced))]


def announcing_lines(position: Position) -> list[str]:
    """A sentence on what was announced, or what can be; none under rules without announcements."""
    if lines := announced_lines(position):
        return lines
    names = [box_name(position.ruleset, action.box) for action in position.announcements()]
    if not names:
        return []
    listed = chosen().listed_or(names)
    if position.card.must_announce:
        return [say("You must announce {boxes}.", boxes=listed)]
    return [say("You may announce {boxes}.", boxes=listed)]


def announcement_step(ruleset: Ruleset, turn: Turn, *, is_over: bool) -> list[str]:
    """The announcement as a step of a turn that is told."""
    if not turn.announced:
        return []
    box = box_name(ruleset, turn.announced.box)
    return [say("announced {box}", box=box) if is_over else say("announces {box}", box=box)]


def typed(action: Action, ruleset: Ruleset) -> str:
    """An action that need not be legal, as it is typed."""
    if isinstance(action, Keep):
        return say("keep {dice}", dice=dice_text(ruleset, action.dice))
    box = box_name(ruleset, action.box)
    if isinstance(action, Announce):
        return say("announce {box}", box=box)
    return say("scratch {box}", box=box) if action.is_scratch else say("score {box}", box=box)


def offer_lines(position: Position) -> list[str]:
    """A sentence on what each box would score now; none if nothing can be scored."""
    boxes = []
    for offer in position.offers():
        if not offer.action.is_scratch:
            more = ", ".join(offer_notes(offer))
            points = f"{box_name(position.ruleset, offer.action.box)} {offer.points}"
            boxes.append(f"{points} ({more})" if more else points)
    return [say("Boxes: {boxes}.", boxes=", ".join(boxes))] if boxes else []


def offer_notes(offer: Offer) -> list[str]:
    """What an offer brings beside its points."""
    notes = [say("as a joker")] if offer.is_joker else []
    if offer.bonus:
        notes.append(say("{bonus} bonus", bonus=offer.bonus))
    return [*notes, say("wins the game")] if offer.wins else notes


def average_line(advice: Advice) -> str:
    """The advice before a roll."""
    return say("On average, you will end with about {points} points.", points=f"{advice.value:.0f}")


def hint_lines(advice: Advice) -> list[str]:
    """The three best actions: what each costs, and the average final score after it."""
    if not advice.actions:
        return [average_line(advice)]
    found, to = [], chosen()
    about = "≈ " if advice.error else ""
    for advised in advice.actions[:3]:
        values: dict[str, object] = {
            "action": to_do(advice.position, advised.action, to),
            "value": about + to.decimal(advised.value),
            "loss": to.decimal(advised.loss),
        }
        if advised.wins:
            found.append(say("{action}: wins the game", **values))
        elif advice.best.wins:
            found.append(say("{action}: gives up the win, average final score {value}", **values))
        elif advised.loss <= NO_LOSS:
            found.append(say("{action}: best, average final score {value}", **values))
        else:
            found.append(say("{action}: costs {loss}, average final score {value}", **values))
    return [*found, *error_lines(advice)]


def odds_line(odds: "Odds", names: Sequence[str]) -> str:
    """Every seat's chance to win in one line."""
    listed = ", ".join(f"{name} {percents(chance)}" for name, chance in zip(names, odds.chances, strict=True))
    if odds.is_exact:
        return say("Chances to win: {chances}.", chances=listed)
    return say("Chances to win (estimated): {chances}.", chances=listed)


def describe_turn(ruleset: Ruleset, turn: Turn) -> str:
    """The rolls and keeps of a turn."""
    steps = [say("rolls {dice}", dice=dice_text(ruleset, turn.rolls[0]))]
    steps += announcement_step(ruleset, turn, is_over=False)
    for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True):
        dice = dice_text(ruleset, roll)
        if keep.dice:
            steps.append(say("keeps {kept} and rolls {dice}", kept=dice_text(ruleset, keep.dice), dice=dice))
        else:
            steps.append(say("rolls again {dice}", dice=dice))
    return ", ".join(steps)


def score_line(record: Record, seat: int, you: int | None) -> str:
    """What the last turn of a game scored, and the total after it; `you` is the seat of its only person."""
    turn = record.turns[-1]
    assert turn.offer, "a score ends its turn"
    values: dict[str, object] = {
        "name": record.seats[seat].name,
        "box": filled_names(record.ruleset, turn, chosen()),
        "points": turn.offer.points,
        "bonus": turn.offer.bonus,
        "total": record.position.cards[seat].total,
    }
    if seat == you:
        if turn.offer.bonus:
            return say("You score {points} in {box} and a bonus of {bonus}. Your total is {total}.", **values)
        return say("You score {points} in {box}. Your total is {total}.", **values)
    if turn.offer.bonus:
        return say("{name} scores {points} in {box} and a bonus of {bonus}. Total {total}.", **values)
    return say("{name} scores {points} in {box}. Total {total}.", **values)


def game_and_round(position: Position) -> str:
    """The game and its round, as a heading."""
    ruleset = position.ruleset
    return say("{game}, round {round} of {rounds}", game=ruleset.name, round=position.round, rounds=ruleset.rounds)


def turn_line(position: Position, name: str, *, is_you: bool) -> str:
    """Whose turn it is, in which round, and with how many rolls if none is made."""
    mover = [say("Your turn") if is_you else say("{name} to move", name=name)]
    if not position.dice:
        mover.append(numbered("1 roll", "{n} rolls", position.rolls_left))
    where = say("Round {round} of {rounds}", round=position.round, rounds=position.ruleset.rounds)
    return f"{where}. {', '.join(mover)}."


def zero_question(position: Position, action: Score) -> str:
    """What to ask before a legal score; empty unless it writes a zero while a box would score or a roll is left."""
    if position.offer_for(action).points:
        return ""
    ruleset = position.ruleset
    best = max(position.offers(), key=lambda offer: offer.points)
    reasons = []
    if best.points:
        name = box_name(ruleset, best.action.box)
        reasons.append(numbered("{box} would score 1 point.", "{box} would score {n} points.", best.points, box=name))
    if position.rolls_left:
        reasons.append(numbered("There is 1 roll left.", "There are {n} rolls left.", position.rolls_left))
    if not reasons:
        return ""
    return " ".join([say("Write 0 in {box}?", box=box_name(ruleset, action.box)), *reasons])


def ending(session: Session) -> list[str]:
    """Sentences on a finished game: its `headline`, the totals of several seats, and, for the only person, how that
    compares with the saved games."""
    record, names, you = session.record, session.names, session.you
    totals = [card.total for card in record.position.cards]
    found = [headline(record, names, you)]
    if len(totals) > 1:
        found.append(f"{', '.join(f'{name} {total}' for name, total in zip(names, totals, strict=True))}.")
    if you is not None and (record.position.cards[you].is_complete or not record.resignations):
        found.append(_history(session, you))
    return found


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


def _history(session: Session, seat: int) -> str:
    """How a total compares with those of the person in all other finished games of the same rules in their folder."""
    record, file = session.record, str(session.saved.file)
    person, total, rules = record.seats[seat], record.position.cards[seat].total, record.ruleset
    games = [game for game in saved_games()[0] if game.is_over and not game.is_cut_short and game.file != file]
    seats = [one for game in games if game.digest == rules.digest for one in game.seats]
    earlier = [one.total for one in seats if (one.name, one.kind) == (person.name, person.kind)]
    if not earlier:
        return say("That was your first game of {rules}.", rules=rules.name)
    num = len(earlier) + 1
    values = {"best": max(earlier), "games": num, "average": f"{(sum(earlier) + total) / num:.0f}"}
    if total > max(earlier):
        return say("Your best yet; your average over {games} games is {average}.", **values)
    return say("Your best is {best}; your average over {games} games is {average}.", **values)


def after_game(session: Session) -> dict[str, str]:
    """What can follow a game, by its key: no review where not even the last turns can be solved."""
    return {key: what for key, what in AFTER.items() if what != "review" or not session.available.review}


def choices_after(session: Session) -> str:
    """A sentence on what to type at the end of a game."""
    abouts = {"n": say("n for a new game"), "v": say("v to review this one"), "l": say("l to learn from your games")}
    choices = [abouts[key] for key in after_game(session)]
    if session.can_undo:
        choices.append(say("{undo} to take back your last score", undo=command_names("undo")[0]))
    return say("Press Enter to finish, or type {choices}.", choices=chosen().listed_or(choices))
