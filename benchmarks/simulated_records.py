"""`records_of`: converts simulated games to records by playing them again in the engine."""

from collections.abc import Iterator

from fivedice.analysis.reviews.solo_games import Games
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat
from fivedice.rulesets.dice import beside, sub_keeps
from fivedice.solver.tables.dice_tables import ordered


def records_of(games: Games, seat: Seat, date: str) -> Iterator[Record]:
    """Every game as a one-seat record with this date; the engine checks that each action is legal."""
    ruleset = games.ruleset
    all_rolls = ordered(ruleset.dice, ruleset.faces)
    steps = zip(games.game.tolist(), games.rolls.tolist(), games.choices.tolist(), strict=True)
    record, number, keep = Record.start(ruleset, (seat,), date), 0, None
    for game, roll, choice in steps:
        if game != number:
            yield record
            record, number = Record.start(ruleset, (seat,), date), game
        dice = all_rolls[roll]
        if keep is None:
            record = record.roll(dice)
        else:
            record = record.play(keep, beside(keep.dice, dice))
        action = _action(record.position, choice)
        keep = action if isinstance(action, Keep) else None
        if keep is None:
            record = record.play(action)
    yield record


def _action(position: Position, choice: int) -> Action:
    """The option with this index in `options_of`."""
    boxes = position.ruleset.boxes
    kind, box = divmod(choice, len(boxes))
    if kind > 1:
        return Keep(list(sub_keeps(position.dice))[choice - 2 * len(boxes)])
    for offer in position.offers():
        if offer.action.box == boxes[box].id and (offer.points == 0) == (kind == 1):
            return offer.action
    raise IllegalError(f"{position} offers no score for the simulated choice {choice}")
