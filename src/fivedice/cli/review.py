"""`fivedice review`: how well a game was played, and how lucky it was."""

from collections.abc import Iterator
from typing import Any

from fivedice.analysis.review import Review, ReviewedDecision, SeatReview
from fivedice.analysis.review import review as review_of
from fivedice.cli.output import File, Flag, print_json
from fivedice.cli.replay import outcome, read_record
from fivedice.cli.solutions import solution_of
from fivedice.dice import format_dice
from fivedice.game.action import Action, Keep
from fivedice.game.record import Record

NUM_DEAREST = 3
"""Decisions that are shown apart, the dearest first."""


def review(
    file: File,
    /,
    *,
    json: Flag = False,
) -> None:
    """Review a record: the luck of every roll and the loss of every decision, exactly.

    Parameters
    ----------
    file
        A record, finished or not, or - for standard input.
    json
        Print JSON.
    """
    record = read_record(file)
    reviewed = review_of(solution_of(record.ruleset), record)
    if json:
        print_json(review_data(reviewed))
    else:
        print("\n".join(review_lines(reviewed)))


def review_data(reviewed: Review) -> dict[str, Any]:
    """The review as plain data; dice, positions and actions are notation."""
    return {
        "ruleset": str(reviewed.record.ruleset),
        "digest": reviewed.record.ruleset.digest,
        "is_over": reviewed.record.position.is_over,
        "seats": [_seat_data(seat) for seat in reviewed.seats],
    }


def _seat_data(seat: SeatReview) -> dict[str, Any]:
    return {
        "player": seat.name,
        "kind": seat.kind,
        "score": seat.score,
        "start_value": seat.start_value,
        "value": seat.value,
        "luck": seat.luck,
        "loss": seat.loss,
        "dice_neutral": seat.dice_neutral,
        "unforced_decisions": seat.num_unforced,
        "error_rate": seat.error_rate,
        "decisions": [
            {
                "turn": decision.turn,
                "position": str(decision.position),
                "action": str(decision.action),
                "value": decision.value,
                "best": str(decision.best),
                "best_value": decision.best_value,
                "loss": decision.loss,
            }
            for decision in seat.decisions
        ],
        "rolls": [
            {
                "turn": roll.turn,
                "dice": format_dice(roll.dice),
                "before": roll.before,
                "after": roll.after,
                "luck": roll.luck,
            }
            for roll in seat.rolls
        ],
    }


def review_lines(reviewed: Review) -> Iterator[str]:
    """The review for a person: a table a seat, a line a turn, and the dearest decisions."""
    record = reviewed.record
    yield f"{record.ruleset.name} ({record.ruleset}). {outcome(record)}"
    for number, seat in enumerate(reviewed.seats):
        yield ""
        yield from _seat_lines(record, number, seat)
    yield ""
    yield "Luck: value after a roll minus value before. Loss: best value minus the value of what was chosen. Both are"
    yield "exact and add up to the score; they are not independent, because a bad keep changes what a roll can bring."


def _seat_lines(record: Record, number: int, seat: SeatReview) -> Iterator[str]:
    yield seat.name
    yield f"{'':>4}  {'dice and keeps':<34}{'box':<18}{'points':>6}{'luck':>8}{'loss':>7}{'value':>8}"
    turns = [(index, turn) for index, turn in enumerate(record.turns) if turn.seat == number]
    for count, (index, turn) in enumerate(turns, 1):
        rolls = [roll for roll in seat.rolls if roll.turn == index]
        decisions = [decision for decision in seat.decisions if decision.turn == index]
        dice = format_dice(turn.rolls[0]) + "".join(
            f" {f'({format_dice(keep.dice)})' if keep.dice else ''} {format_dice(roll)}".replace("  ", " ")
            for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True)
        )
        box, points = "", ""
        if turn.offer:
            box = record.ruleset.boxes[record.ruleset.box_index[turn.offer.action.box]].name
            points = str(turn.offer.points + turn.offer.bonus)
        value = decisions[-1].value if turn.offer else rolls[-1].after
        luck, loss = sum(roll.luck for roll in rolls), sum(decision.loss for decision in decisions)
        yield f"{count:>4}  {dice:<34}{box:<18}{points:>6}{luck:>+8.1f}{loss:>7.1f}{value:>8.1f}"
    yield f"{'':>4}  {'':<34}{'all turns':<18}{seat.score:>6}{seat.luck:>+8.1f}{seat.loss:>7.1f}{seat.value:>8.1f}"
    yield (
        f"      {seat.start_value:.1f} at the start {_signed(seat.luck)} luck − {seat.loss:.1f} loss"
        f" = {seat.value:.1f}; dice-neutral score {seat.dice_neutral:.1f};"
        f" {seat.error_rate:.2f} lost a decision ({seat.num_unforced} unforced)"
    )
    numbers = {index: count for count, (index, _) in enumerate(turns, 1)}
    for decision in dearest(seat):
        yield f"      turn {numbers[decision.turn]}: {_what_it_cost(decision)}"


def dearest(seat: SeatReview) -> list[ReviewedDecision]:
    """The decisions that cost most, dearest first; none that cost nothing to one decimal."""
    dear = [decision for decision in seat.decisions if decision.loss >= 0.05]
    return sorted(dear, key=lambda decision: -decision.loss)[:NUM_DEAREST]


def _what_it_cost(decision: ReviewedDecision) -> str:
    dice = format_dice(decision.position.dice)
    return f"with {dice}, {describe(decision.action)} cost {decision.loss:.1f}; best was to {decision.best}"


def describe(action: Action) -> str:
    """An action as a thing done: keeping 33, scoring full_house."""
    if isinstance(action, Keep):
        return f"keeping {format_dice(action.dice)}".replace("keeping -", "keeping nothing")
    return f"{'scratching' if action.is_scratch else 'scoring'} {action.box}"


def _signed(number: float) -> str:
    return f"{'−' if number < 0 else '+'} {abs(number):.1f}"
