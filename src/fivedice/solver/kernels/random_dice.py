# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Random dice, of eight games or environments at once, from the words of Philox.

A die is word · faces / 2³², rounded down; the rest of that division serves as the word of the next die. So the chances
of two dice differ from equal ones by less than faces² / 2³² of them, a hundred millionth for six faces.
"""

from fivedice.solver.kernels.integers import broadcast_integer, high_half, multiply_low, store_integers
from fivedice.solver.kernels.jit import helper
from fivedice.solver.kernels.philox import philox
from fivedice.solver.tables.states import BLOCK

DICE_PER_WORD = 2
DICE_PER_CALL = 4 * DICE_PER_WORD
"""Dice of one call of the generator."""


def faces_size(num_dice: int) -> int:
    """The size of the array that `roll_faces` writes for so many dice."""
    return -(-num_dice // DICE_PER_CALL) * DICE_PER_CALL * BLOCK


@helper
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


@helper
def _split_word(word, sides, place, out_faces):
    """Writes the dice of a word, of eight streams."""
    for _ in range(DICE_PER_WORD):
        word = multiply_low(word, sides)
        store_integers(out_faces, place, high_half(word))
        place += BLOCK
