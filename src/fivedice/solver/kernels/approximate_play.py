# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Kernels that play games by approximate values of cards, and that fit such values to cards of these games."""

from fivedice.solver.arrays import Floats, Floats2, Integers
from fivedice.solver.kernels.card_features import learned_beyond, list_all, weighted
from fivedice.solver.kernels.game_tables import Cards
from fivedice.solver.kernels.native import compiled
from fivedice.solver.kernels.random_dice import roll_faces
from fivedice.solver.kernels.simd import add_integers, broadcast_integer, load_integers
from fivedice.solver.kernels.whole_cards import fill
from fivedice.solver.kernels.whole_turns import (
    AVOIDED,
    CLOSED,
    EQUAL,
    Turns,
    WholeGame,
    announce,
    score_value,
    solve_turn,
)
from fivedice.solver.slips import Slips
from fivedice.solver.tables.states import BLOCK


@compiled(WholeGame, Floats2, Slips, Cards, Integers, int, int, int, int, int, Turns, Floats)
def play_turns(game, weights, slips, cards, seed, first_game, turn, explored, begin, end, turns, out_points):
    """Plays one turn of the games from `begin` to `end`, multiples of BLOCK, the best by these weights, but for slips.

    The dice depend on the seed, int64[2], on the number of the game and on the turn. In `explored` of 65,536 turns, a
    player tries one box, drawn from those that are open, instead. `out_points`, float64[N]: what the turn adds.
    """
    tables, outcomes = game.tables, game.outcomes
    num_boxes, none = tables.is_lower.size, broadcast_integer(0)
    for env in range(begin, end, BLOCK):
        games = add_integers(broadcast_integer(first_game + env), load_integers(turns.lane, 0))
        roll_faces(seed, games, none, turn << 8, 1, 2, 1 << 16, turns.faces)
        for lane in range(BLOCK):
            turns.only[lane] = -1
            if turns.faces[lane] < explored:
                _explore(tables, cards, env + lane, turns.faces[BLOCK + lane], lane, turns)
        num_dice = outcomes.most_rolls * tables.num_dice
        roll_faces(seed, games, none, turn << 8, 0, num_dice, tables.num_faces, turns.faces)
        for lane in range(BLOCK):
            cards.roll[env + lane] = _thrown(tables, lane, 0, 0, turns)
        announce(game, weights, slips, cards, env, turns)
        changes = solve_turn(game, weights, slips, cards, env, 0, num_boxes, turns, turns.first)
        has_called = False
        for lane in range(BLOCK):
            place = outcomes.row[cards.roll[env + lane]] * BLOCK + lane
            if turns.called[lane] >= 0 and turns.of_called[place] > turns.first[place] + EQUAL:
                cards.card[env + lane, 3] = turns.called[lane] + 1
                has_called = True
        if has_called:
            changes = solve_turn(game, weights, slips, cards, env, 0, num_boxes, turns, turns.first)
        for lane in range(BLOCK):
            if cards.won[env + lane] or cards.num_filled[env + lane] == tables.rounds:
                cards.roll[env + lane] = -1
                continue
            _follow(game, cards, env + lane, changes, lane, turns)
            action, most = 0, 2 * CLOSED
            for other in range(tables.first_announcement):
                value = score_value(game, weights, slips, cards, env + lane, other, turns)
                only = turns.only[lane]
                if only >= 0 and outcomes.group[only] != outcomes.group[other % num_boxes]:
                    value -= AVOIDED
                if value > most:
                    action, most = other, value
            out_points[env + lane] += fill(tables, cards, env + lane, action)


def _explore(tables, cards, env, word, lane, turns):
    """Draws an open box that a player tries."""
    number = 0
    for box in range(tables.is_lower.size):
        number += cards.boxes[env, box] < 0
    if number == 0:
        return
    wanted = word % number
    for box in range(tables.is_lower.size):
        if cards.boxes[env, box] < 0:
            if wanted == 0 and tables.is_announceable[box]:
                cards.card[env, 3] = box + 1
            elif wanted == 0:
                turns.only[lane] = box
            wanted -= 1


def _thrown(tables, lane, first, keep, turns):
    """The roll after a keep, with the dice of a lane from the one numbered `first` on."""
    node = keep
    for die in range(first, first + tables.num_dice):  # a roll stays one
        node = tables.after_die[(node << tables.pitch_bits) + turns.faces[die * BLOCK + lane]] >> tables.pitch_bits
    return node - tables.num_small


def _follow(game, cards, env, changes, lane, turns):
    """Keeps and rolls dice as long as that is best, and writes the last roll and the rolls left."""
    dice, tables, outcomes = game.dice, game.tables, game.outcomes
    size = (dice.num_small + dice.num_rolls) * BLOCK
    first = tables.turn_rolls + cards.card[env, 1] - 1
    left = first
    while left > 0:
        roll = cards.roll[env]
        row = outcomes.row[roll]
        most = turns.best[((left if changes else 0) * dice.num_rolls + row) * BLOCK + lane] + EQUAL
        keep = -1
        for listed in range(tables.keep_begin[roll], tables.keep_begin[roll + 1]):
            other = outcomes.keep_row[tables.keep_list[listed]]
            value = turns.keeps[(left if other < dice.num_small else left - 1) * size + other * BLOCK + lane]
            if value > most and (other < dice.num_small or changes):
                keep, most = tables.keep_list[listed], value
        if keep < 0:
            break
        left -= 1
        cards.roll[env] = _thrown(tables, lane, (first - left) * tables.num_dice, keep, turns)
    cards.rolls_left[env, 0] = left


@compiled(WholeGame, Cards, Floats, int, int, Turns, Floats2, Floats)
def add_moments(game, cards, values, begin, end, turns, out_gram, out_moments):
    """Adds the products of all features, float64[F, F], of which the lower half counts, and of the features with
    values, float64[N], over the cards from `begin` to `end`."""
    sparse = turns.sparse
    for env in range(begin, end):
        count = list_all(game.tables, game.plan, cards, env, sparse)
        for one in range(count):
            place, number = sparse.place[one], sparse.number[one]
            out_moments[place] += number * values[env]
            for other in range(one + 1):
                first, second = max(place, sparse.place[other]), min(place, sparse.place[other])
                is_twice = first == second and other < one  # columns alike have the same features
                out_gram[first, second] += (2.0 if is_twice else 1.0) * number * sparse.number[other]


@compiled(WholeGame, Floats2, Cards, int, int, Turns, Floats)
def card_values(game, weights, cards, begin, end, turns, out_values):
    """Writes the approximate points to come, float64[N], of the cards from `begin` to `end`."""
    for env in range(begin, end):
        out_values[env] = 0.0
        if cards.num_filled[env] < game.tables.rounds and not cards.won[env]:
            count = list_all(game.tables, game.plan, cards, env, turns.sparse)
            found = weighted(weights, cards.num_filled[env], turns.sparse, count)
            out_values[env] = found - learned_beyond(game.tables, cards, env)
