"""The progress of a player as text: what `fivedice me` prints."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING

from rich.text import Text

from fivedice.analysis.reviews import progress
from fivedice.analysis.reviews.estimate import LEAST_GAMES, Estimate, estimate
from fivedice.analysis.reviews.player_figures import (
    KINDS,
    SUBJECTS,
    ErrorTotals,
    Example,
    GameFigures,
    PlayerFigures,
    yahtzee_boxes,
)
from fivedice.analysis.streak import Streak
from fivedice.base.language import marked
from fivedice.cli.language import chosen, numbered, say
from fivedice.cli.solutions import part_of, prepare
from fivedice.cli.text.terminal import paragraph
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.wording import doing
from fivedice.players import kind_name
from fivedice.rulesets.explanation.boxes import category_name
from fivedice.simulation.perfect_scores import PERFECT_SCORES
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.tables.states import States
from fivedice.views.figures import figures_view

if TYPE_CHECKING:
    from fivedice.players.rating import Rating
    from fivedice.views.evaluation import StrengthView

NAMES: Mapping[str, str] = {
    "first keep": marked("First keep"),
    "second keep": marked("Second keep"),
    "later keep": marked("Later keeps"),
    "box": marked("Choice of a box"),
    "upper": marked("Upper section"),
    "kinds": marked("Equal dice, full house"),
    "straights": marked("Straights"),
    "bonus": marked("Bonus at stake"),
    "joker": marked("Joker rolls"),
}
"""The kinds and subjects of decisions."""

STRENGTH_ABOUT = (
    marked(
        "Strength is how many points decisions lose against the best play, in the last 50 rated games: neither luck "
        "nor opponents matter."
    ),
    marked(
        "The rating follows from who won, where level 5 of the computer players has 1500; dice decide much, so it "
        "needs more games."
    ),
    marked("A figure is provisional while its interval is wide."),
    marked(
        "A game is rated if it was not casual, with one person at each device, and without advice before decisions. In "
        "a rated game nothing is taken back, a loss by the clock counts, and a game that somebody never joined counts "
        "for nobody."
    ),
)
"""What strength and rating are."""

NUMBERS = 13
"""Characters of a column of numbers."""

BAR = 24
"""Characters of the longest bar."""


def progress_lines(
    name: str,
    figures: Sequence[PlayerFigures],
    days: Streak,
    width: int = 80,
    *,
    is_full: bool = False,
    rating: "Rating | None" = None,
) -> Iterator[Text]:
    """The progress of a player under one ruleset as text, at most `width` characters wide."""
    for one in figures:
        games = numbered("1 game", "{n} games", one.score.num)
        yield Text.assemble((name, "bold"), f", {games}: {one.ruleset.name}")
        yield from paragraph(_streak(days), width)
        yield from _strength(one, rating, width)
        yield from _lost(one, width)
        yield from _where(one, width, is_full=is_full)
        yield from _scores(one, width)
        yield from _luck(one, width)
        yield from _records(one, days)
    if not figures:
        yield from paragraph(_streak(days), width)
        yield Text(say("There are no figures: no complete game was found."))


def _strength(figures: PlayerFigures, rating: "Rating | None", width: int) -> Iterator[Text]:
    if figures.is_approximate:
        return
    yield from _title(say("Strength"))
    if found := figures_view(figures).strength:
        lost = say(
            "{lost} ± {width} points lost a decision; of 100 points of the best play, {share} ± {share_width}.",
            lost=_decimal(found.lost, 2),
            width=_decimal(found.half_width, 2),
            share=_decimal(100 * found.share),
            share_width=_decimal(100 * found.share_half_width),
        )
        best = say(
            "{best} of {n} choices were the best or as good.", best=str(found.best), n=str(found.unforced_decisions)
        )
        yield from paragraph(f"{lost} {best} {_provisional(found)}".rstrip(), width)
    if rating:
        points, half = _decimal(rating.points, 0), _decimal(rating.half_width, 0)
        by_results = say("Rating by results: {points} ± {width}.", points=points, width=half)
        yield from paragraph(f"{by_results} {_provisional(rating)}".rstrip(), width)
    if not (found or rating):
        yield from paragraph(say("No strength yet: it shows after a few rated games with these rules."), width)
    yield from paragraph(" ".join(map(say, STRENGTH_ABOUT)), width, style="dim")
    if found:
        yield from paragraph(say("The values are those of table {digest}.", digest=found.digest), width, style="dim")


def _provisional(found: "StrengthView | Rating") -> str:
    return say("Provisional.") if found.is_provisional else ""


def other_rules(games: Mapping[str, int]) -> Iterator[Text]:
    """The commands for other rules."""
    if games:
        yield from _title(say("Other rules"))
    for rules, num in games.items():
        of_them = numbered("1 game", "{n} games", num)
        yield Text(f"  fivedice me --rules {shlex.quote(rules)}  ({of_them})")


def _lost(figures: PlayerFigures, width: int) -> Iterator[Text]:
    yield from _title(say("Points lost a decision"))
    if figures.is_approximate:
        yield from paragraph(say("The values of these rules are not exact: losses and luck are left out."), width)
        return
    recent = figures_view(figures).recent
    if recent and recent.level and recent.level_lost is not None and recent.half_width is not None:
        to, level = chosen(), recent.level
        like = say(
            "In your last {n} games with these rules you lost {lost} points a decision, most nearly as {name} does: "
            "{level}.",
            n=recent.games,
            lost=_decimal(recent.lost, 2),
            name=kind_name(level, to),
            level=_decimal(recent.level_lost, 2),
        )
        low, high = max(0.0, recent.lost - recent.half_width), recent.lost + recent.half_width
        sure = say(
            "It is between {low} and {high}, with a confidence of 95 %.", low=_decimal(low, 2), high=_decimal(high, 2)
        )
        yield from paragraph(f"{like} {sure}", width)
    periods, change = progress.lost_over_time(figures), progress.trend(figures)
    if not change:
        yield from paragraph(_missing(figures), width)
        return
    yield from paragraph(_change(change), width)
    most = max(period.lost.mean for period in periods) or 1.0
    for period in periods:
        bar = "▇" * round(BAR * period.lost.mean / most)
        yield Text(f"  {period.first[:10]}  {_interval(period.lost, 2):<13} {bar}")


def _change(change: Estimate) -> str:
    """What the halves of the games tell about a change."""
    told, size, width = progress.told_by(change), _decimal(abs(change.mean), 2), _half(change, 2)
    if told == "nothing":
        return say("The first and the second half of your games differ by no more than chance explains.")
    if told == "less":
        return say(
            "In the second half of your games you lost {change} ± {width} points a decision less than in the first.",
            change=size,
            width=width,
        )
    return say(
        "In the second half of your games you lost {change} ± {width} points a decision more than in the first.",
        change=size,
        width=width,
    )


def _where(figures: PlayerFigures, width: int, *, is_full: bool) -> Iterator[Text]:
    if figures.is_approximate:
        return
    yield from _title(say("Where you lose"))
    if costliest := progress.costliest_kind(figures):
        kind, share = costliest
        yield from paragraph(
            say("{kind}: {n} of every 100 points that you lose.", kind=say(NAMES[kind]), n=round(100 * share)), width
        )
    found, widest = progress.examples(figures), max(len(say(name)) for name in NAMES.values())
    number, lost = say("Decisions"), say("Lost each")
    yield Text(f"  {'':<{widest}}  {number:>{NUMBERS}}  {lost}", style="dim")
    for names, errors in ((KINDS, figures.by_kind), (SUBJECTS, figures.by_subject)):
        for name in names:
            if name in errors:
                of_kind = errors[name]
                yield Text(f"  {say(NAMES[name]):<{widest}}  {of_kind.num_unforced:{NUMBERS}}  {_rate(of_kind)}")
                if is_full and name in found:
                    yield from _example(figures, found[name], width)


def _rate(errors: ErrorTotals) -> str:
    if not progress.is_told(errors):
        return say("too few to tell")
    return f"{_decimal(errors.rate, 2)} ± {_decimal(errors.half_width or 0.0, 2)}"


def _example(figures: PlayerFigures, example: Example, width: int) -> Iterator[Text]:
    position = parse_position(example.line, figures.ruleset)
    done = doing(position, parse_action(example.action), chosen())
    lost = say("{done} lost {points} in {position}", done=done, points=_decimal(example.loss), position=example.line)
    yield from paragraph(lost, width, "      ", style="dim")


def _scores(figures: PlayerFigures, width: int) -> Iterator[Text]:
    yield from _title(say("Scores"))
    bins = progress.score_bins(figures, perfect_games(figures))
    if bins is None:
        yield from paragraph(_missing(figures), width)
        return
    average = estimate([game.score for game in figures.complete])
    yield from paragraph(
        say("Your average is {mean} ± {width}.", mean=_decimal(average.mean), width=_half(average)), width
    )
    if bins.perfect and bins.perfect_mean and bins.above is not None:
        yield from paragraph(
            say(
                "Perfect play averages {perfect}, and scores more than your average in {n} of 100 games.",
                perfect=_decimal(bins.perfect_mean),
                n=round(100 * bins.above),
            ),
            width,
        )
    total, perfect = sum(bins.own), bins.perfect or (0.0,) * len(bins.own)
    most = max(*(own / total for own in bins.own), *perfect)
    for place, (own, of_perfect) in enumerate(zip(bins.own, perfect, strict=True)):
        first = bins.first + place * bins.width
        own_bar, perfect_bar = (round(BAR * share / most) for share in (own / total, of_perfect))
        # The own bar, and beyond or within it a mark at the end of that of perfect play.
        bar = ("▇" * own_bar).ljust(perfect_bar)
        bar = f"{bar[: perfect_bar - 1]}│{bar[perfect_bar:]}" if perfect_bar else bar
        yield Text(f"  {f'{first}–{first + bins.width - 1}':>9} {own:5}  {bar.rstrip()}")
    if bins.perfect:
        yield from paragraph(say("▇ your games, │ perfect play"), width, "  ", style="dim")


def _luck(figures: PlayerFigures, width: int) -> Iterator[Text]:
    if sums := progress.luck_sums(figures):
        yield from _title(say("Luck"))
        yield from paragraph(
            say(
                "Your luck adds up to {luck} points in {n} games. The expected sum is 0 for everybody, and chance "
                "alone keeps it within ±{width} in 95 of 100 cases.",
                luck=f"{sums.sums[-1]:+.0f}",
                n=sums.games[-1],
                width=round(sums.width * sqrt(sums.games[-1])),
            ),
            width,
        )


def _records(figures: PlayerFigures, days: Streak) -> Iterator[Text]:
    yield from _title(say("Records"))
    found, boxes = progress.records(figures), yahtzee_boxes(figures.ruleset)
    if found.best:
        yield _record(say("Best score"), str(found.best.score), found.best)
    if found.least_lost:
        yield _record(say("Fewest points lost in a game"), _decimal(found.least_lost.lost), found.least_lost)
    if found.first_yahtzee and boxes:
        box = category_name(figures.ruleset.boxes[boxes[0]].category, figures.ruleset, chosen())
        yield _record(say("First {box}", box=box), "", found.first_yahtzee)
    if days.longest:
        title, longest = say("Longest streak"), numbered("1 day", "{n} days", days.longest)
        yield Text(f"  {title}: {longest}")


def _record(title: str, value: str, game: GameFigures) -> Text:
    return Text(f"  {title}: {', '.join(filter(None, (value, game.date[:10])))}")


def _streak(days: Streak) -> str:
    rule = say("A day counts if you begin a game on it that you finish. One missed day a week does not break a streak.")
    now = say("No streak at the moment: a game today begins one.")
    if days.days:
        now = numbered("Your streak: 1 day.", "Your streak: {n} days.", days.days)
    return f"{now} {rule}"


def _missing(figures: PlayerFigures) -> str:
    return numbered(
        "This shows after 1 more finished game.",
        "This shows after {n} more finished games.",
        LEAST_GAMES - len(figures.complete),
    )


def perfect_games(figures: PlayerFigures) -> Distribution | None:
    """The scores of perfect games, if they are of use and known for such rules."""
    is_wanted = len(figures.complete) >= LEAST_GAMES and States(figures.ruleset).has_kernels
    return part_of(PERFECT_SCORES, prepare(figures.ruleset, PERFECT_SCORES)) if is_wanted else None


def _title(text: str) -> Iterator[Text]:
    yield Text()
    yield Text(text, style="bold")


def _decimal(value: float, digits: int = 1) -> str:
    return chosen().with_point(f"{value:.{digits}f}")


def _interval(estimate: Estimate, digits: int = 1) -> str:
    return f"{_decimal(estimate.mean, digits)} ± {_half(estimate, digits)}"


def _half(estimate: Estimate, digits: int = 1) -> str:
    assert estimate.half_width is not None, "of several games"
    return _decimal(estimate.half_width, digits)
