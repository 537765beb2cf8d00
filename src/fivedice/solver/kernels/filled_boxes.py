# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Filling a box of a whole card: its points, bonuses, lines and the score so far, by `GameTables`."""

from fivedice.solver.kernels.jit import inlined
from fivedice.solver.kernels.legal_scores import early_rolls, points_of, ruling_on_roll, status


@inlined
def _bonus_for(tables, upper):
    """The upper bonus for a total."""
    bonus = 0
    for tier in range(tables.tiers.shape[0]):
        if upper >= tables.tiers[tier, 0]:
            bonus = max(bonus, tables.tiers[tier, 1])
    return bonus


@inlined
def _line(tables, cards, env, line):
    """The points of a line, 0 until its boxes are filled."""
    plus, minus = cards.boxes[env, tables.lines[line, 0]], cards.boxes[env, tables.lines[line, 1]]
    times = cards.boxes[env, tables.lines[line, 2]]
    if plus < 0 or minus < 0 or times < 0:
        return 0
    return (plus - minus) * times * tables.lines[line, 3]


@inlined
def _converted(tables, cards, env):
    """The score for the sum of a card. The tiers of an award ascend, and the last one reached counts."""
    if tables.award_kind.size == 0:
        return cards.sum[env]
    total, award, points, reached = 0, -1, 0, 0
    for tier in range(tables.award_tiers.shape[0]):
        if tables.award_tiers[tier, 0] != award:
            total, points = total + points, 0
            award = tables.award_tiers[tier, 0]
            reached = cards.sum[env] if tables.award_kind[award] == 2 else 0
            for box in range(tables.is_lower.size if tables.award_kind[award] < 2 else 0):
                if tables.award_boxes[award, box]:
                    value = max(0, cards.boxes[env, box])
                    reached += value if tables.award_kind[award] == 1 else value > 0
        if reached >= tables.award_tiers[tier, 1]:
            points = tables.award_tiers[tier, 2]
    return total + points


@inlined
def clear(tables, cards, env):
    """Empties a card, and leaves a roll to be made."""
    for box in range(tables.is_lower.size):
        cards.boxes[env, box] = -1
    for field in range(4):
        cards.card[env, field] = 0
    for column in range(tables.multiplier.size):
        cards.upper[env, column] = 0
    cards.num_filled[env] = 0
    cards.won[env] = False
    cards.sum[env] = 0
    cards.card[env, 4] = _converted(tables, cards, env)
    cards.rolls_left[env, 0] = tables.turn_rolls - 1
    cards.roll[env] = 0


@inlined
def fill(tables, cards, env, action):
    """Writes a legal score, and leaves a roll to be made or ends the episode. Returns what it adds to the result."""
    num_boxes = tables.is_lower.size
    box = action % num_boxes
    roll = cards.roll[env]
    early = early_rolls(tables, cards, env)
    points, extra = 0, 0
    if action < num_boxes:
        points = points_of(tables, cards, env, box, ruling_on_roll(tables, cards, env))
    wins = early == 0 and tables.first_wins[box] and points > 0
    if points > 0 and early < tables.early_bonus.shape[0]:
        points += tables.early_bonus[early, box]
    if tables.equal_face[roll] >= 0:
        is_extra, is_begun, is_good = status(tables, cards, env)
        if is_extra and is_good and (points > 0 or not tables.bonus_needs_points):
            extra = tables.bonus_points[box]
            cards.card[env, 0] += extra // tables.extra_bonus
        if tables.tracks_first and not tables.is_joker[box] and not is_begun:
            cards.card[env, 2] = 1
    cards.boxes[env, box] = points
    cards.num_filled[env] += 1
    cards.card[env, 1] = cards.rolls_left[env, 0] if tables.saved_rolls else 0
    cards.card[env, 3] = 0
    before = cards.card[env, 4] if cards.num_filled[env] > 1 else 0
    column = tables.column[box]
    gained, upper = points if tables.is_counted[box] else 0, cards.upper[env, column]
    if tables.is_upper[box]:
        cards.upper[env, column] = upper + points
        gained += _bonus_for(tables, upper + points) - _bonus_for(tables, upper)
    cards.sum[env] += tables.multiplier[column] * gained + extra
    for line in range(tables.lines.shape[0]):
        if tables.lines[line, 0] == box or tables.lines[line, 1] == box or tables.lines[line, 2] == box:
            cards.sum[env] += _line(tables, cards, env, line)
    cards.card[env, 4] = _converted(tables, cards, env)
    added = cards.card[env, 4] - before
    if wins:
        cards.won[env] = True
        added += tables.outright[tables.rounds - cards.num_filled[env]]
    if wins or cards.num_filled[env] == tables.rounds:
        cards.roll[env] = -1
        cards.rolls_left[env, 0] = tables.turn_rolls + cards.card[env, 1]
    else:
        cards.rolls_left[env, 0] = tables.turn_rolls + cards.card[env, 1] - 1
    return added
