"""Chances to win in words: who is ahead."""

from collections.abc import Sequence

from fivedice.analysis.odds.estimated_odds import Odds
from fivedice.cli.language import say
from fivedice.views.review_words import percents


def odds_line(odds: Odds, names: Sequence[str]) -> str:
    """Every seat's chance to win in one line."""
    shown = (f"{name} {percents(chance)}" for name, chance in zip(names, odds.chances, strict=True))
    listed = ", ".join(shown)
    if odds.is_exact:
        return say("Chances to win: {chances}.", chances=listed)
    return say("Chances to win (estimated): {chances}.", chances=listed)
