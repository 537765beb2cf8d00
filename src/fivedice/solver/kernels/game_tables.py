"""`GameTables` and `Cards`: a ruleset and many whole cards as flat arrays, for kernels that play box by box.

R rolls in the order of `fivedice.dice.rolls`, K keeps in that of `fivedice.dice.keeps` (so that rolls come last), F
faces, B boxes, C columns. Unlike the solver's tables they tell every card apart, because an observation shows it.
"""

from typing import Any, NamedTuple


class GameTables(NamedTuple):
    """Everything that legal actions and scores depend on."""

    num_dice: int
    num_faces: int
    num_rolls: int
    num_small: int
    """Keeps of fewer dice than all."""
    first_announcement: int
    """The number of the first action that is an announcement, after the scores and scratches of all boxes …"""
    first_keep: int
    """… and of the first that is a keep."""
    num_actions: int
    counts: Any
    """int8[R + 1, F]: the dice that show each face; the last row has none."""
    pitch_bits: int
    """2**pitch_bits, at least F, is the *pitch* of `after_die`."""
    after_die: Any
    """int32[K · pitch]: by keep and face, the number times the pitch of the keep with that die; a roll stays."""
    keep_begin: Any
    """int32[R + 1]: where the keeps of each roll begin in `keep_list`."""
    keep_list: Any
    """int32[…]: keeps, roll by roll, in the order of `sub_keeps`."""
    keep_mask: Any
    """int8[R + 1, K]: whether each keep is one of each roll; the last row has none."""
    equal_face: Any
    """int32[R]: the face of a roll of equal dice, from 0; -1 for any other roll."""
    points: Any
    """int32[NUM_RULINGS, R, B]: the table of offers, as `offer_points` lists it."""
    matching: Any
    """bool[F, B]: whether a box is an upper box that collects the face."""
    is_lower: Any
    """bool[B]."""
    is_joker: Any
    """bool[B]: whether it is of the joker category."""
    before: Any
    """int32[B]: the box that must be filled first; -1 if there is none."""
    requires: Any
    """int32[B]: the box that must hold points for this one to score; -1 if there is none."""
    early_bonus: Any
    """int32[rolls, B]: points added on each of the first rolls of a turn, as far as they differ from later ones."""
    first_wins: Any
    """bool[B]: whether points on the first roll of a turn win at once."""
    bonus_points: Any
    """int32[B]: the points of an extra bonus earned with a score in each box."""
    column: Any
    """int32[B]."""
    is_counted: Any
    """bool[B]: whether its points count in the sum, and not only in a line."""
    is_upper: Any
    """bool[B]: whether its points count towards the upper total."""
    announceable: Any
    """int32[A]: the boxes of the announcements, in the order of their actions."""
    is_announced: Any
    """bool[B]: whether it is among `announceable`."""
    lines: Any
    """int32[…, 4]: the boxes that each line adds, subtracts and multiplies, and its column's multiplier."""
    pair: Any
    """int32[2]: the boxes of which the first must hold more points than the second; -1 if there are none."""
    pair_or_equal: bool
    multiplier: Any
    """int32[C]."""
    tiers: Any
    """int32[…, 2]: upper total and points of each tier of the upper bonus."""
    award_boxes: Any
    """bool[awards, B]: the boxes of each award of the conversion."""
    award_kind: Any
    """int32[awards]: 0 if the award counts boxes with points, 1 if it adds the points of boxes, 2 for the sum."""
    award_tiers: Any
    """int32[…, 3]: award, figure to reach and points of every tier."""
    outright: Any
    """int32[rounds + 1]: what an outright win counts beside the score, by turns left."""
    joker: int
    """Index in `rule_tables.JOKERS`."""
    has_joker_boxes: bool
    extra_bonus: int
    first_in_box: bool
    wild_while_open: bool
    tracks_first: bool
    bonus_needs_points: bool
    forced_score: bool
    is_free: bool
    """Whether every open box may be filled with any roll that is no extra Yahtzee, and only with its points."""
    saved_rolls: bool
    turn_rolls: int
    rounds: int


class Cards(NamedTuple):
    """The state of N environments. B boxes, S score actions."""

    boxes: Any
    """int32[N, B]: points, -1 while open."""
    upper: Any
    """int32[N, C]: the upper total of each column."""
    card: Any
    """int32[N, 5]: extra bonuses, saved rolls, whether the first equal dice went elsewhere, the box of the last
    announcement, counted from 1, or 0, and the score so far."""
    roll: Any
    """int32[N]: the roll, -1 at the end of an episode."""
    rolls_left: Any
    """int32[N, 1]."""
    sum: Any
    """int32[N]: the points on the card, before any conversion."""
    num_filled: Any
    """int32[N]."""
    won: Any
    """bool[N]: whether the episode ended with an outright win."""
    legal: Any
    """int8[N, S]: which scores and announcements are legal."""
    num_scores: Any
    """int32[N]: how many of them."""
    may_keep: Any
    """bool[N]: whether any keep is legal."""


class Observed(NamedTuple):
    """What is shown of N environments. A actions."""

    dice: Any
    """int8[N, F]: the dice that show each face."""
    rolls_left: Any
    """int32[N, 1] …"""
    boxes: Any
    """int32[N, B] …"""
    upper: Any
    """int32[N, C] …"""
    card: Any
    """int32[N, 5]: as in `Cards`."""
    action_mask: Any
    """int8[N, A]: 1 for each legal action."""


class Lanes(NamedTuple):
    """The working arrays of one thread for eight environments."""

    number: Any
    """int64[BLOCK]: 0, 1, 2 and so on."""
    node: Any
    """int64[BLOCK]: the keep, or the roll as a keep of all dice, that dice are added to."""
    is_new: Any
    """bool[BLOCK]: whether the legal scores must be listed again."""
    faces: Any
    """int64[…]: dice, as `roll_faces` writes them."""
