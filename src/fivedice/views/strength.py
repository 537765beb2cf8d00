"""Strength and rating of players as JSON."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from fivedice.players.rating import Rating
    from fivedice.players.strength import Strength


class StrengthView(Struct, frozen=True):
    """How well somebody decides under one ruleset, from their last rated games: without advice before a decision, and
    without a turn taken back.

    The points `lost` a decision with the 95 % interval lost ± half_width; the same as a `share` of the mean score of
    the best play; how many `unforced_decisions` there were, and how many of them were the `best` or as good. The values
    are those of the table that the `digest` names. It `is_provisional` while the interval is wide.
    """

    ruleset: str
    ruleset_name: str
    digest: str
    games: int
    lost: float
    half_width: float
    share: float
    share_half_width: float
    unforced_decisions: int
    best: int
    is_provisional: bool


class OverallStrengthView(Struct, frozen=True):
    """The points lost over the rated games of all rulesets, as a share of the mean score of their best play."""

    games: int
    share: float
    half_width: float
    is_provisional: bool


class RatingView(Struct, frozen=True):
    """A rating from the results of rated games, in points; the 95 % interval is points ± half_width."""

    points: float
    half_width: float
    games: int
    is_provisional: bool


class ProfileView(Struct, frozen=True):
    """What others at a table can see of a player: the strength under each of the shipped rulesets, most games first,
    and over them, and the rating, from rated games only."""

    name: str
    strengths: list[StrengthView]
    strength: OverallStrengthView | None
    rating: RatingView | None


def strength_view(one: "Strength") -> StrengthView:
    """A strength under one ruleset."""
    return StrengthView(
        ruleset=str(one.ruleset),
        ruleset_name=one.ruleset.name,
        digest=one.ruleset.digest,
        games=one.lost.num,
        lost=one.lost.mean,
        half_width=one.lost.half_width or 0.0,
        share=one.share.mean,
        share_half_width=one.share.half_width or 0.0,
        unforced_decisions=one.num_unforced,
        best=one.num_best,
        is_provisional=one.is_provisional,
    )


def overall_view(found: "Iterable[StrengthView]") -> OverallStrengthView | None:
    """The strength over several rulesets; None without any."""
    from fivedice.analysis.reviews.estimate import Estimate
    from fivedice.players.strength import is_provisional, over_all

    share = over_all(Estimate(one.share, one.share_half_width, one.games) for one in found)
    if share is None:
        return None
    return OverallStrengthView(share.num, share.mean, share.half_width or 0.0, is_provisional(share))


def rating_view(one: "Rating") -> RatingView:
    """A rating."""
    return RatingView(one.points, one.half_width, one.games, one.is_provisional)
