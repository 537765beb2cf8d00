"""The progress of a player as text: what `fivedice me` prints."""

import shlex
from collections.abc import Iterator, Mapping
from math import sqrt

from rich.text import Text

from fivedice.analysis.reviews.player_figures import KINDS, SUBJECTS, ErrorTotals, Example, yahtzee_boxes
from fivedice.analysis.reviews.progress import ScoreBins, Streak, Trend
from fivedice.base.language import marked
from fivedice.cli.language import chosen, numbered, say
from fivedice.cli.text.output import paragraph
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.wording import doing
from fivedice.players import kind_name
from fivedice.players.strength import Strength
from fivedice.rulesets.explanation.boxes import category_name
from fivedice.rulesets.ruleset import Ruleset
from fivedice.views.evaluation import RatingView
from fivedice.views.figures import GameRecordView, MyFiguresView, PlayerFiguresView, RecentView

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
        "A game is rated if it was not created as unrated, one person plays on each device, and there is no advice "
        "before decisions. In a rated game nothing is taken back, a loss by the clock counts, and a game that somebody "
        "never joined does not count."
    ),
)
"""What strength and rating are."""

NUMBERS = 13
"""Characters of a column of numbers."""

BAR = 24
"""Characters of the longest bar."""


def progress_lines(found: MyFiguresView, ruleset: Ruleset, width: int = 80, *, is_full: bool = False) -> Iterator[Text]:
    """The progress of a player under one ruleset as text, at most `width` characters wide."""
    for one in found.figures:
        games = numbered("1 game", "{n} games", one.games)
        yield Text.assemble((one.player, "bold"), f", {games}: {one.ruleset_name}")
        yield from paragraph(_streak(found.streak), width)
        if not one.progress.is_approximate:
            yield from _section(say("Strength"), _strength(one.strength, found.rating), width)
        yield from _section(say("Points lost per decision"), _lost(one), width)
        if not one.progress.is_approximate:
            yield from _section(say("Where you lose"), _where(one, ruleset, is_full=is_full), width)
        yield from _section(say("Scores"), _scores(one), width)
        if one.progress.luck_sums:
            yield from _section(say("Luck"), _luck(one), width)
        yield from _section(say("Records"), _records(one, ruleset, found.streak), width)
    if not found.figures:
        yield from paragraph(_streak(found.streak), width)
        yield Text(say("There are no figures: no complete game was found."))


def other_rules(games: Mapping[str, int], width: int = 80) -> Iterator[Text]:
    """The commands for other rules."""
    lines = (
        f"  fivedice me --rules {shlex.quote(rules)}  ({numbered('1 game', '{n} games', num)})"
        for rules, num in games.items()
    )
    return _section(say("Other rules"), lines, width) if games else iter(())


def _section(title: str, lines: Iterator[str | Text], width: int) -> Iterator[Text]:
    """A title, and lines below it, of which long ones are continued where they begin."""
    yield Text()
    yield Text(title, style="bold")
    for line in lines:
        text = str(line)
        style = str(line.style) if isinstance(line, Text) else ""
        yield from paragraph(text.lstrip(), width, " " * (len(text) - len(text.lstrip())), style)


def _strength(found: Strength | None, rating: RatingView | None) -> Iterator[str | Text]:
    if found:
        lost = say(
            "{lost} ± {width} points lost per decision; of 100 points of the best play, {share} ± {share_width}.",
            lost=_decimal(found.lost, 2),
            width=_decimal(found.half_width, 2),
            share=_decimal(100 * found.share),
            share_width=_decimal(100 * found.share_half_width),
        )
        best = say(
            "{best} of {n} choices were the best or as good.", best=str(found.best), n=str(found.unforced_decisions)
        )
        yield f"{lost} {best} {_provisional(found)}".rstrip()
    if rating:
        points, half = _decimal(rating.points, 0), _decimal(rating.half_width, 0)
        by_results = say("Rating by results: {points} ± {width}.", points=points, width=half)
        yield f"{by_results} {_provisional(rating)}".rstrip()
    if not (found or rating):
        yield say("No strength yet: it shows after a few rated games with these rules.")
    yield Text(" ".join(map(say, STRENGTH_ABOUT)), style="dim")
    if found:
        yield Text(say("The values are those of table {digest}.", digest=found.digest), style="dim")


def _provisional(found: Strength | RatingView) -> str:
    return say("Provisional.") if found.is_provisional else ""


def _lost(figures: PlayerFiguresView) -> Iterator[str]:
    progress = figures.progress
    if progress.is_approximate:
        yield say("The values of these rules are not exact: losses and luck are left out.")
        return
    if figures.recent:
        yield from _recent(figures.recent)
    if not progress.trend:
        yield _missing(figures)
        return
    yield _change(progress.trend)
    most = max(period.lost.mean for period in progress.lost_over_time) or 1.0
    for period in progress.lost_over_time:
        bar = "▇" * round(BAR * period.lost.mean / most)
        interval = f"{_decimal(period.lost.mean, 2)} ± {_decimal(period.lost.half_width or 0.0, 2)}"
        yield f"  {period.first[:10]}  {interval:<13} {bar}"


def _recent(recent: RecentView) -> Iterator[str]:
    if recent.level is None or recent.level_lost is None or recent.half_width is None:
        return
    like = say(
        "In your last {n} games with these rules you lost {lost} points a decision, most nearly as {name} does: "
        "{level}.",
        n=recent.games,
        lost=_decimal(recent.lost, 2),
        name=kind_name(recent.level, chosen()),
        level=_decimal(recent.level_lost, 2),
    )
    low, high = max(0.0, recent.lost - recent.half_width), recent.lost + recent.half_width
    sure = say(
        "It is between {low} and {high}, with a confidence of 95 %.", low=_decimal(low, 2), high=_decimal(high, 2)
    )
    yield f"{like} {sure}"


def _change(change: Trend) -> str:
    """What the halves of the games tell about a change."""
    size, width = _decimal(abs(change.mean), 2), _decimal(change.half_width, 2)
    if change.told == "nothing":
        return say("The first and the second half of your games differ by no more than chance explains.")
    if change.told == "less":
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


def _where(figures: PlayerFiguresView, ruleset: Ruleset, *, is_full: bool) -> Iterator[str | Text]:
    progress = figures.progress
    if costliest := progress.costliest:
        share = round(100 * costliest.share)
        yield say("{kind}: {n} of every 100 points that you lose.", kind=say(NAMES[costliest.kind]), n=share)
    widest = max(len(say(name)) for name in NAMES.values())
    number, lost = say("Decisions"), say("Lost each")
    yield Text(f"  {'':<{widest}}  {number:>{NUMBERS}}  {lost}", style="dim")
    errors = {**figures.by_kind, **progress.by_subject}
    for name in (*KINDS, *SUBJECTS):
        if name in errors:
            one = errors[name]
            yield f"  {say(NAMES[name]):<{widest}}  {one.unforced_decisions:{NUMBERS}}  {_rate(one)}"
            if is_full and name in progress.examples:
                yield Text(_example(progress.examples[name], ruleset), style="dim")


def _rate(errors: ErrorTotals) -> str:
    if not errors.is_told:
        return say("too few to tell")
    return f"{_decimal(errors.error_rate, 2)} ± {_decimal(errors.half_width or 0.0, 2)}"


def _example(example: Example, ruleset: Ruleset) -> str:
    done = doing(parse_position(example.line, ruleset), parse_action(example.action), chosen())
    lost = say("{done} lost {points} in {position}", done=done, points=_decimal(example.loss), position=example.line)
    return f"      {lost}"


def _scores(figures: PlayerFiguresView) -> Iterator[str | Text]:
    bins = figures.progress.scores
    if bins is None:
        yield _missing(figures)
        return
    average = figures.score
    yield say(
        "Your average is {mean} ± {width}.", mean=_decimal(average.mean), width=_decimal(average.half_width or 0.0)
    )
    if bins.perfect and bins.perfect_mean and bins.above is not None:
        yield say(
            "Perfect play averages {perfect}, and scores more than your average in {n} of 100 games.",
            perfect=_decimal(bins.perfect_mean),
            n=round(100 * bins.above),
        )
    yield from _histogram(bins)
    if bins.perfect:
        legend = say("▇ your games, │ perfect play")
        yield Text(f"  {legend}", style="dim")


def _histogram(bins: ScoreBins) -> Iterator[str]:
    total, perfect = sum(bins.own), bins.perfect or (0.0,) * len(bins.own)
    most = max(*(own / total for own in bins.own), *perfect)
    for place, (own, of_perfect) in enumerate(zip(bins.own, perfect, strict=True)):
        first = bins.first + place * bins.width
        own_bar, perfect_bar = (round(BAR * share / most) for share in (own / total, of_perfect))
        # The own bar, and beyond or within it a mark at the end of that of perfect play.
        bar = ("▇" * own_bar).ljust(perfect_bar)
        bar = f"{bar[: perfect_bar - 1]}│{bar[perfect_bar:]}" if perfect_bar else bar
        yield f"  {f'{first}–{first + bins.width - 1}':>9} {own:5}  {bar.rstrip()}"


def _luck(figures: PlayerFiguresView) -> Iterator[str]:
    if sums := figures.progress.luck_sums:
        yield say(
            "Your luck adds up to {luck} points in {n} games. The expected sum is 0 for everybody, and chance "
            "alone keeps it within ±{width} in 95 of 100 cases.",
            luck=f"{sums.sums[-1]:+.0f}".replace("-", "−"),
            n=sums.games[-1],
            width=round(sums.width * sqrt(sums.games[-1])),
        )


def _records(figures: PlayerFiguresView, ruleset: Ruleset, days: Streak) -> Iterator[str]:
    progress = figures.progress
    if progress.best:
        yield _record(say("Best score"), str(progress.best.score), progress.best)
    if progress.least_lost:
        yield _record(say("Fewest points lost in a game"), _decimal(progress.least_lost.lost), progress.least_lost)
    if progress.first_yahtzee and (boxes := yahtzee_boxes(ruleset)):
        box = category_name(ruleset.boxes[boxes[0]].category, ruleset, chosen())
        yield _record(say("First {box}", box=box), "", progress.first_yahtzee)
    if days.longest:
        title, longest = say("Longest streak"), numbered("1 day", "{n} days", days.longest)
        yield f"  {title}: {longest}"


def _record(title: str, value: str, game: GameRecordView) -> str:
    return f"  {title}: {', '.join(filter(None, (value, game.date[:10])))}"


def _streak(days: Streak) -> str:
    rule = say("A day counts if you begin a game on it that you finish. One missed day a week does not break a streak.")
    now = say("No streak at the moment: a game today begins one.")
    if days.days:
        now = numbered("Your streak: 1 day.", "Your streak: {n} days.", days.days)
    return f"{now} {rule}"


def _missing(figures: PlayerFiguresView) -> str:
    return numbered(
        "This shows after 1 more finished game.",
        "This shows after {n} more finished games.",
        figures.progress.least_games - (figures.games - figures.cut_short),
    )


def _decimal(value: float, digits: int = 1) -> str:
    return chosen().with_point(f"{value:.{digits}f}")
