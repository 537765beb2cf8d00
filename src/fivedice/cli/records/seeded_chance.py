"""`SeededChance`: repeatable randomness that can go on where an earlier process stopped.

>>> chance = SeededChance(7)
>>> plain = random.Random(7)
>>> [chance.randint(1, 6) for _ in range(9)] == [plain.randint(1, 6) for _ in range(9)]
True
>>> again = SeededChance(7, chance.num_words)
>>> [chance.randint(1, 6) for _ in range(9)] == [again.randint(1, 6) for _ in range(9)]
True
"""

import random


class SeededChance(random.Random):
    """`random.Random(seed)` after it has drawn `num_words` words of 32 bits, which it counts."""

    def __init__(self, seed: int, num_words: int = 0) -> None:
        super().__init__(seed)
        self.first_seed = seed
        self.num_words = 0
        for _ in range(num_words):
            self.getrandbits(32)

    def random(self) -> float:
        """A number from 0 to 1, made of two words."""
        self.num_words += 2
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        """`k` random bits."""
        self.num_words += -(-k // 32)
        return super().getrandbits(k)
