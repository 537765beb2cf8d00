"""`counted`: a number with its noun, in the singular or the plural.

>>> counted(1, "point"), counted(0, "hard decision")
('1 point', '0 hard decisions')
"""


def counted(number: int, noun: str) -> str:
    """The number and the noun, whose plural ends in s."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
