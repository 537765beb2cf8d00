# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Whole cards: their legal scores with the points, from the same table of offers as the solver's, and filling a box,
with bonuses, lines and the score so far.

`fivedice.game` is the readable version. Functions take the cards and the number of an environment.
"""

from fivedice.solver.kernels.native import inlined
from fivedice.solver.kernels.turn_offers import how_many
from fivedice.solver.tables.extras import (
    ANY,
    ELSEWHERE_BEFORE,
    LOWER,
    LOWER_OPEN,
    MATCHING,
    MATCHING_FILLED,
    MATCHING_OPEN,
    WITH_ZERO,
)


@inlined
def joker_state(tables, cards, env):
    """The state of the joker boxes, as in `Extras`."""
    num_jokers, num_filled, state = 0, 0, 0
    for box in range(tables.extras.is_joker.size):
        if tables.extras.is_joker[box]:
            points = cards.boxes[env, box]
            num_jokers += 1
            num_filled += points >= 0
            if points == 0:
                state = WITH_ZERO
    if cards.card[env, 2] != 0:
        state += ELSEWHERE_BEFORE
    return state + how_many(num_filled, num_jokers)


@inlined
def is_next(tables, cards, env, box):
    """Whether a box is open, and its turn in the order of its column has come."""
    before = tables.before[box]
    return cards.boxes[env, box] < 0 and (before < 0 or cards.boxes[env, before] >= 0)


@inlined
def is_playable(tables, cards, env, box):
    if cards.card[env, 3] > 0:
        return cards.card[env, 3] == box + 1
    return not tables.is_announceable[box] and is_next(tables, cards, env, box)


@inlined
def _ruling(tables, cards, env, face):
    """The ruling on equal dice that are an extra Yahtzee."""
    situation = MATCHING_FILLED
    for box in range(tables.is_lower.size):
        group = tables.extras.group[face, box]
        if group == MATCHING:
            if cards.boxes[env, box] < 0:
                situation &= ~MATCHING_FILLED
            if is_playable(tables, cards, env, box):
                situation |= MATCHING_OPEN
        elif group == LOWER and is_playable(tables, cards, env, box):
            situation |= LOWER_OPEN
    return tables.extras.ruling[face, situation]


@inlined
def points_of(tables, cards, env, box, ruling):
    """The points of the roll in a box that the ruling allows, without those for an early roll."""
    required = tables.requires[box]
    if required >= 0 and cards.boxes[env, required] <= 0:
        return 0
    points = tables.points[ruling, cards.roll[env], box]
    first, second = tables.pair[0], tables.pair[1]
    if points > 0 and first >= 0 and box in (first, second):
        other = cards.boxes[env, second if box == first else first]
        if other > 0:
            more = points - other if box == first else other - points
            if more < 0 or (more == 0 and not tables.pair_or_equal):
                return 0
    return points


@inlined
def early_rolls(tables, cards, env):
    """The number of the roll in its turn, from 0."""
    return tables.turn_rolls + cards.card[env, 1] - cards.rolls_left[env, 0] - 1


@inlined
def is_allowed(tables, cards, env, box, ruling):
    """Whether the roll may fill a box, apart from rolls that must score."""
    return is_playable(tables, cards, env, box) and tables.points[ruling, cards.roll[env], box] >= 0


@inlined
def ruling_on_roll(tables, cards, env):
    face = tables.equal_face[cards.roll[env]]
    if face < 0 or not tables.extras.is_extra[joker_state(tables, cards, env)]:
        return ANY
    return _ruling(tables, cards, env, face)


@inlined
def list_scores(tables, cards, env):
    """Writes which scores and announcements are legal, how many, and whether any keep is."""
    if tables.is_free and cards.roll[env] >= 0 and ruling_on_roll(tables, cards, env) == ANY:
        cards.may_keep[env] = True
        for box in range(tables.is_lower.size):
            cards.legal[env, box] = cards.boxes[env, box] < 0
        cards.num_scores[env] = tables.is_lower.size - cards.num_filled[env]
    else:
        _list_each(tables, cards, env)
        number = 0
        for action in range(tables.first_keep):
            number += cards.legal[env, action]
        cards.num_scores[env] = number


@inlined
def _list_each(tables, cards, env):
    """Writes which scores and announcements are legal, each by its own rules, and whether any keep is."""
    num_boxes = tables.is_lower.size
    for action in range(tables.first_keep):
        cards.legal[env, action] = 0
    cards.may_keep[env] = cards.roll[env] >= 0
    if cards.roll[env] < 0:
        return
    ruling = ruling_on_roll(tables, cards, env)
    if tables.announceable.size > 0 and cards.card[env, 3] == 0:
        must_announce = True
        for box in range(num_boxes):
            must_announce &= not is_playable(tables, cards, env, box)
        cards.may_keep[env] = not must_announce
        if early_rolls(tables, cards, env) == 0:
            for number in range(tables.announceable.size):
                box = tables.announceable[number]
                cards.legal[env, tables.first_announcement + number] = is_next(tables, cards, env, box)
    must_score, has_scratches = False, tables.first_announcement > num_boxes
    for box in range(num_boxes):
        if is_allowed(tables, cards, env, box, ruling):
            cards.legal[env, box] = 1
            if tables.forced_score or has_scratches:
                has_points = points_of(tables, cards, env, box, ruling) > 0
                must_score |= has_points
                if has_scratches:
                    cards.legal[env, num_boxes + box] = has_points
    if tables.forced_score and must_score:
        for box in range(num_boxes):
            if cards.legal[env, box] and points_of(tables, cards, env, box, ruling) <= 0:
                cards.legal[env, box] = 0


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
    face = tables.equal_face[roll]
    if face >= 0:
        state = joker_state(tables, cards, env)
        row = tables.extras.payment[state] * tables.num_faces + face
        extra = tables.extras.bonus[row, box, 1 if points > 0 else 0]
        if extra > 0:
            cards.card[env, 0] += extra // tables.extra_bonus
        if not tables.extras.is_joker[box] and tables.extras.is_elsewhere_after[state]:
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
