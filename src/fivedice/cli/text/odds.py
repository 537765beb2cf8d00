"""Chances to win in words: who is ahead, and the turns that changed it."""

from collections.abc import Sequence

from fivedice.analysis.odds.estimated_odds import Odds
from fivedice.analysis.odds.turning_points import OddsOverTime
from fivedice.cli.language import filled_names, numbered, say
from fivedice.game.record import Record


def percents(chance: float, *, is_exact: bool = True) -> str:
    """A chance in whole percents, 0 and 100 only where it is certain; estimated ones are marked.

    >>> percents(0.623), percents(0.999, is_exact=False), percents(1.0)
    ('62 %', '≈ 99 %', '100 %')
    """
    whole = round(100 * chance) if chance in (0.0, 1.0) else min(99, max(1, round(100 * chance)))
    return f"{'' if is_exact else '≈ '}{whole} %"


def odds_line(odds: Odds, names: Sequence[str]) -> str:
    """Every seat's chance to win in one line."""
    shown = (f"{name} {percents(chance)}" for name, chance in zip(names, odds.chances, strict=True))
    listed = ", ".join(shown)
    if odds.is_exact:
        return say("Chances to win: {chances}.", chances=listed)
    return say("Chances to win (estimated): {chances}.", chances=listed)


def all_turning_points(record: Record, over_time: OddsOverTime) -> list[str]:
    """The turning points of a game in sentences, in order: with two seats those of the first, else of every seat."""
    seats = range(len(record.seats) if len(record.seats) > 2 else 1)
    points = [(point, seat) for seat in seats for point in over_time.turning_points(seat)]
    points.sort(key=lambda found: found[0].turn)
    sentences = []
    for point, seat in points:
        turn = record.turns[point.turn]
        assert turn.offer is not None, "a turn that was given up is no turning point"
        number = sum(earlier.seat == turn.seat for earlier in record.turns[: point.turn + 1])
        sentences.append(
            numbered(
                "Turn {turn}: {box} by {by} for 1 point took {name} from {before} to {after}.",
                "Turn {turn}: {box} by {by} for {n} points took {name} from {before} to {after}.",
                turn.offer.points + turn.offer.bonus,
                turn=number,
                box=filled_names(record.ruleset, turn),
                by=record.seats[turn.seat].name,
                name=record.seats[seat].name,
                before=percents(point.before),
                after=percents(point.after),
            )
        )
    return sentences
