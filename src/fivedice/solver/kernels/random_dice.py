# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Philox4x32-10, random numbers as a function of a counter and a key; and random dice from its words.

They are those of eight games or environments at once.

A die is word · faces / 2³², rounded down; the rest of that division serves as the word of the next die. So the chances
of two dice differ from equal ones by less than faces² / 2³² of them, a hundred millionth for six faces.

No two games use the same counters, so the dice of a game do not depend on which process plays it, or when.

Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC '11,
https://doi.org/10.1145/2063384.2063405.
"""

from fivedice.solver.arrays import Integers
from fivedice.solver.kernels.native import compiled
from fivedice.solver.kernels.simd import (
    broadcast_integer,
    exclusive_or,
    high_half,
    load_integers,
    low_half,
    multiply_low,
    store_integers,
)
from fivedice.solver.tables.states import BLOCK

ROUNDS = 10
MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
KEY_STEPS = 0x9E3779B9, 0xBB67AE85
_FIRST, _SECOND = MULTIPLIERS
_FIRST_STEP, _SECOND_STEP = KEY_STEPS
_LOW = 2**32 - 1


def philox(a, b, c, d, key, other_key):
    """Four vectors of random words, from four vectors of counters and two words of the key; all have 32 bits."""
    first, second = broadcast_integer(_FIRST), broadcast_integer(_SECOND)
    for _ in range(ROUNDS):
        low, high = multiply_low(first, a), multiply_low(second, c)
        a, c = (
            exclusive_or(exclusive_or(high_half(high), b), broadcast_integer(key)),
            exclusive_or(exclusive_or(high_half(low), d), broadcast_integer(other_key)),
        )
        b, d = low_half(high), low_half(low)
        key = (key + _FIRST_STEP) & _LOW
        other_key = (other_key + _SECOND_STEP) & _LOW
    return a, b, c, d


@compiled(Integers, int, int, Integers)
def random_words(counters, key, other_key, out_words):
    """The words of eight counters. `counters` and `out_words` are int64[4 · 8]: four words of 32 bits, by lane."""
    a, b, c, d = philox(
        load_integers(counters, 0),
        load_integers(counters, BLOCK),
        load_integers(counters, 2 * BLOCK),
        load_integers(counters, 3 * BLOCK),
        key,
        other_key,
    )
    store_integers(out_words, 0, a)
    store_integers(out_words, BLOCK, b)
    store_integers(out_words, 2 * BLOCK, c)
    store_integers(out_words, 3 * BLOCK, d)


DICE_PER_WORD = 2
DICE_PER_CALL = 4 * DICE_PER_WORD
"""Dice of one call of the generator."""


def faces_size(num_dice: int) -> int:
    """The size of the array that `roll_faces` writes for so many dice."""
    return -(-num_dice // DICE_PER_CALL) * DICE_PER_CALL * BLOCK


def roll_faces(seed, a, b, c, d, num_dice, num_faces, out_faces):
    """Writes so many dice of eight streams: faces from 0, int64[faces_size], by die and stream.

    `seed` is int64[2] with 32 bits each. The counters are `a` and `b`, vectors that differ by stream, `d`, and `c`,
    which counts on with every call of the generator.
    """
    sides = broadcast_integer(num_faces)
    for call in range((num_dice + DICE_PER_CALL - 1) // DICE_PER_CALL):
        first, second, third, fourth = philox(a, b, broadcast_integer(c + call), broadcast_integer(d), seed[0], seed[1])
        place = call * DICE_PER_CALL * BLOCK
        _split_word(first, sides, place, out_faces)
        _split_word(second, sides, place + DICE_PER_WORD * BLOCK, out_faces)
        _split_word(third, sides, place + 2 * DICE_PER_WORD * BLOCK, out_faces)
        _split_word(fourth, sides, place + 3 * DICE_PER_WORD * BLOCK, out_faces)


def _split_word(word, sides, place, out_faces):
    """Writes the dice of a word, of eight streams."""
    for _ in range(DICE_PER_WORD):
        word = multiply_low(word, sides)
        store_integers(out_faces, place, high_half(word))
        place += BLOCK
