"""The sentences of a review in a language.

`views.review` puts them in the JSON of a review, from which its text and its page take them too.
"""

from collections.abc import Mapping

from fivedice.analysis.reviews.marks import BLUNDER, INACCURACY, MISTAKE, Level, LevelName, Mark
from fivedice.analysis.reviews.review import Review
from fivedice.analysis.reviews.seat_review import DecisionReview, SeatReview, TurnReview
from fivedice.base.language import Language, marked
from fivedice.game.record import Record
from fivedice.game.wording import doing, to_do

_LEVELS: Mapping[LevelName, str] = {
    "master": marked("master play"),
    "expert": marked("expert play"),
    "strong": marked("strong play"),
    "solid": marked("solid play"),
    "casual": marked("casual play"),
    "beginner": marked("beginner play"),
}


def level_in_words(level: Level, to: Language) -> str:
    """The name of a level, as in: expert play."""
    return to.say(_LEVELS[level.name])


def marks_in_words(mark: Mark, number: int, to: Language) -> str:
    """How many decisions have a mark, as in: 2 inaccuracies."""
    return {
        Mark.INACCURACY: to.numbered("1 inaccuracy", "{n} inaccuracies", number),
        Mark.MISTAKE: to.numbered("1 mistake", "{n} mistakes", number),
        Mark.BLUNDER: to.numbered("1 blunder", "{n} blunders", number),
    }[mark]


def luck_in_words(percentile: float | None, to: Language) -> str:
    """The percentile of luck among perfect games, in tenths; empty for an unfinished game."""
    if percentile is None:
        return ""
    tenths = round(percentile / 10)
    if tenths == 5:
        return to.say("average luck")
    if tenths in (0, 10):
        most, least = to.say("luckier than 19 of 20 perfect games"), to.say("less lucky than 19 of 20 perfect games")
        return most if tenths else least
    if tenths > 5:
        return to.say("luckier than {count} of 10 perfect games", count=tenths)
    return to.say("less lucky than {count} of 10 perfect games", count=10 - tenths)


def congratulations(record: Record, to: Language) -> str:
    """Congratulations to people who won against a computer player; empty if there are none."""
    seats = record.seats
    winners = [seats[seat] for seat in record.position.winners]
    if not winners or not all(seat.is_person for seat in winners) or all(seat.is_person for seat in seats):
        return ""
    names = to.listed(seat.name for seat in winners)
    if len(winners) == 1:
        return to.say("Well done: {name} beat the computer.", name=names)
    return to.say("Well done: {names} beat the computer.", names=names)


def limits(review: Review, to: Language) -> str:
    """Why only the last turns are reviewed, or by which values; empty if all are reviewed exactly."""
    if least := max((one.least_mistake for seat in review.seats for one in seat.decisions), default=0.0):
        return to.say(
            "{game} cannot be solved as a whole. Values far from the end are learned, and wrong by about "
            "{error} points (≈): a smaller loss than {least} points is not called a mistake.",
            game=review.record.ruleset.name,
            error=to.decimal(max(seat.error for seat in review.seats)),
            least=to.decimal(least),
        )
    if all(seat.first_turn == 1 for seat in review.seats):
        return ""
    return to.say(
        "{game} cannot be solved as a whole. Luck and loss are exact for the last turns of each player: only "
        "these can be solved.",
        game=review.record.ruleset.name,
    )


def result(seat: SeatReview, to: Language) -> list[str]:
    """What decisions cost, how lucky the seat was, and its level."""
    if seat.first_turn > 1 and not seat.rolls:
        return [to.say("no turn is near enough to the end of the game to be solved")]
    sums, about = seat.whole, "≈ " if seat.error else ""
    lost = about + to.numbered("1 point lost in decisions", "{n} points lost in decisions", sums.loss)
    if seat.missing:
        unknown = to.numbered(
            "the first rolls of 1 turn were not entered, so its keeps, and the luck of the game, are not known",
            "the first rolls of {n} turns were not entered, so their keeps, and the luck of the game, are not known",
            seat.missing,
        )
        return [lost, unknown]
    if sums.luck < 0:
        luck = to.numbered("1 point of bad luck", "{n} points of bad luck", -sums.luck)
    else:
        luck = to.numbered("1 point of luck", "{n} points of luck", sums.luck)
    luck = about + luck
    level = level_in_words(seat.level, to) if seat.level else ""
    play = ", ".join(filter(None, (level, luck_in_words(seat.luck_percentile, to))))
    first = to.say("from turn {turn} on", turn=seat.first_turn) if seat.first_turn > 1 else ""
    return [part for part in (first, lost, luck, play) if part]


def done_well(num_hard: int, best: TurnReview | None, to: Language) -> list[str]:
    """What a seat did well: hard decisions, and its best turn."""
    found = []
    if num_hard:
        found.append(
            to.numbered("the best choice in 1 hard decision", "the best choice in {n} hard decisions", num_hard)
        )
    if best and best.points is not None:
        found.append(
            to.numbered(
                "best turn {turn}: {box}, 1 point",
                "best turn {turn}: {box}, {n} points",
                best.points,
                turn=best.number,
                box=best.box,
            )
        )
    return found


def sums_in_words(seat: SeatReview, to: Language) -> str:
    """How luck and loss add up to the points, in whole numbers; empty if no turn is reviewed, or rolls are missing."""
    if seat.missing or (seat.first_turn > 1 and not seat.rolls):
        return ""
    sums = seat.whole
    if sums.luck < 0:
        luck = to.say("− {luck} bad luck", luck=-sums.luck)
    else:
        luck = to.say("+ {luck} luck", luck=sums.luck)
    if seat.first_turn > 1:
        start = to.say("{start} expected before turn {turn}", start=sums.start, turn=seat.first_turn)
    else:
        start = to.say("{start} expected at the start", start=sums.start)
    start = f"≈ {start}" if seat.error else start
    lost = to.say("− {loss} lost", loss=sums.loss)
    if seat.outright_points:
        end = to.say(
            "= {value} points: {score} on the card, and {extra} that the outright win counts",
            value=sums.value,
            score=seat.score,
            extra=seat.outright_points,
        )
    elif abs(seat.value - seat.score) < 0.5:
        end = to.numbered("= 1 point", "= {n} points", sums.value)
    else:
        end = to.say("= {value} expected now", value=sums.value)
    return " ".join([start, luck, lost, end])


def exact_sums(seat: SeatReview, to: Language) -> str:
    """How luck and loss add up, with decimals, and what the decisions are worth apart from luck; empty if rolls are
    missing."""
    if seat.missing:
        return ""
    values: dict[str, object] = {
        "start": to.decimal(seat.start_value),
        "luck": f"{'−' if seat.luck < 0 else '+'} {to.decimal(abs(seat.luck))}",
        "loss": to.decimal(seat.loss),
        "value": to.decimal(seat.value),
    }
    if seat.error:
        return to.say("With decimals: ≈ {start} at the start {luck} luck − {loss} lost = {value}.", **values)
    return to.say(
        "Exactly: {start} at the start {luck} luck − {loss} lost = {value}; with average luck, these decisions score "
        "{neutral}. {rate} points lost in each of {decisions} decisions with a choice.",
        **values,
        neutral=to.decimal(seat.dice_neutral),
        rate=to.with_point(f"{seat.error_rate:.2f}"),
        decisions=seat.num_unforced,
    )


def what_it_cost(decision: DecisionReview, to: Language) -> str:
    """What a decision that was not the best lost, and what was best."""
    done, whole = doing(decision.position, decision.action, to), round(decision.loss)
    lost = to.numbered("1 point", "{n} points", whole) if whole else to.say("less than a point")
    return to.say(
        "{done} lost {points}. Best was to {best}.",
        done=f"{done[0].upper()}{done[1:]}",
        points=f"≈ {lost}" if decision.least_mistake else lost,
        best=to_do(decision.position, decision.best, to),
    )


def note(to: Language, *, is_exact: bool = True) -> str:
    """What luck, loss, marks and levels are."""
    limits: dict[str, object] = {
        "inaccuracy": to.with_point(f"{INACCURACY:g}"),
        "mistake": f"{MISTAKE:g}",
        "blunder": f"{BLUNDER:g}",
    }
    if not is_exact:
        return to.say(
            "Luck: value after a roll minus value before. Loss: best value minus value of the choice. They add up to "
            "the score exactly, but values marked with ≈ are learned, so each of them is only about right. An "
            "inaccuracy loses {inaccuracy} points or more, a mistake {mistake}, a blunder {blunder}.",
            **limits,
        )
    return to.say(
        "Luck: value after a roll minus value before. Loss: best value minus value of the choice. Both are exact, and "
        "they add up to the score. They are not independent, because a bad keep changes what a roll can bring: for a "
        "player who makes one choice in ten at random, luck and loss of a game of Yahtzee have a correlation of +0.15. "
        "An inaccuracy loses {inaccuracy} points or more, a mistake {mistake}, a blunder {blunder}. These limits and "
        "the levels are calibrated on known kinds of players in simulated games of Yahtzee. Luck is compared with that "
        "of perfectly played games.",
        **limits,
    )
