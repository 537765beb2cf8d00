"""`fivedice chances` and `fivedice odds`: how likely every final score is, and to win."""

from collections.abc import Iterator
from itertools import chain, count, pairwise
from textwrap import wrap

import numpy as np

from fivedice.analysis.chances import Chances
from fivedice.analysis.chances import chances as chances_of
from fivedice.analysis.odds import Odds, require_opponents
from fivedice.analysis.odds import odds as find_odds
from fivedice.analysis.simulated_chances import GAMES, simulated_chances, simulated_odds
from fivedice.analysis.targets import target_curve
from fivedice.base.errors import IllegalError
from fivedice.base.language import marked
from fivedice.cli.language import box_name, chosen
from fivedice.cli.options import Flag, Json, PositionText, Rest, Simulated
from fivedice.cli.progress import shown_progress, shown_step
from fivedice.cli.solutions import solution_or_approximation
from fivedice.cli.text.advice import chance_text, target_lines
from fivedice.cli.text.output import prints, show, table, terminal_width
from fivedice.cli.text.read_position import told_position
from fivedice.rulesets.explanation.page import prose
from fivedice.solver.approximate_solution import ApproximateSolution
from fivedice.solver.play.distribution import Distribution
from fivedice.views.odds import ChancesView, PositionOddsView, chances_view, position_odds_view

MEMORY_LIMIT = 2**31
"""Bytes: enough for a new game with five dice. Six dice need more from a new game, and are refused within seconds."""


@prints(ChancesView)
def chances(
    position: PositionText, /, *rest: Rest, targets: Flag = False, games: Simulated = None, json: Json = False
) -> None:
    """Show how likely every final score is from a position, for a player who plays for the highest expected score.

    With several cards, the chances are those of the seat to move.

    Parameters
    ----------
    targets
        Show the best chance of reaching every score as well, each with the play that suits it best. That takes a
        minute from a new game.
    """
    parsed = told_position((position, *rest), json=json)
    curve = None
    with shown_progress():  # of all steps in one line
        solution = solution_or_approximation(parsed, games)
        if isinstance(solution, ApproximateSolution):
            if targets:
                raise IllegalError(f"--targets needs exact values: {parsed.ruleset} is too large to solve")
            with shown_step(f"Playing {parsed.ruleset.name} by learned values") as progress:
                found = simulated_chances(solution, parsed, games or GAMES, progress=progress)
        else:
            with shown_step(f"Following the best play in {parsed.ruleset.name}") as progress:
                found = chances_of(solution, parsed, memory_limit=MEMORY_LIMIT, progress=progress)
            if targets:
                with shown_step("Finding the best chance of every score") as progress:
                    curve = target_curve(solution, parsed, progress=progress)
    lines = chances_lines(found, terminal_width())
    pairs = None
    if curve:
        pairs = list(zip(*(numbers.tolist() for numbers in curve), strict=True))
        heading = chosen().say("Best chance of each score, with the play that suits it best:")
        lines = chain(lines, ["", heading, ""], target_lines(*curve))
    show(chances_view(found, pairs), lines, json=json)


RARE = 0.0005
"""The chance of scores at either end that the histogram puts into its first and last line."""

MOST_BINS = 15
"""Lines of the histogram, so that a terminal of 24 lines shows all of it."""


_EIGHTHS = " ▏▎▍▌▋▊▉"


def chances_lines(chances: Chances, width: int) -> Iterator[str]:
    """The chances of a position for a terminal of `width` columns."""
    to, position, found = chosen(), chances.position, chances.distribution
    if found.chances.size == 1:
        yield to.say("The final score is {score}: no choice and no roll can change it.", score=found.first)
        return
    low, lower, median, upper, high = map(found.percentile, (0.05, 0.25, 0.5, 0.75, 0.95))
    game = prose(position.ruleset, position.ruleset.name, to).text
    if chances.games:
        says = to.say(
            "{game}: the final score in {games} simulated games by learned values. The mean is right to about {error} "
            "points, a chance to about {points} %.",
            game=game,
            games=chances.games,
            error=to.decimal(2 * chances.standard_error),
            points=to.decimal(100 / chances.games**0.5),
        )
        yield from wrap(f"≈ {says}", width)
    else:
        yield to.say("{game}: the final score with best play", game=game)
    summary = to.say(
        "On average {mean} points (standard deviation {deviation}), half of all games {median} or more, half between "
        "{lower} and {upper}, 9 of 10 between {low} and {high}.",
        mean=to.decimal(found.mean),
        deviation=to.decimal(found.standard_deviation),
        median=median,
        lower=lower,
        upper=upper,
        low=low,
        high=high,
    )
    yield from wrap(summary, width)
    yield ""
    yield from histogram(found, width)
    yield ""
    yield from _paragraph(_bonuses(chances), width)
    boxes = (box.id for box, points in zip(position.ruleset.boxes, position.card.boxes, strict=True) if points is None)
    still_open = ", ".join(f"{box_name(position.ruleset, id)} {chance_text(chances.boxes[id])}" for id in boxes)
    yield from _paragraph(to.say("More than zero: {boxes}.", boxes=still_open), width)
    if position.ruleset.can_be_won_outright:
        yield to.say("The chance to win outright is {chance}.", chance=chance_text(chances.outright))


def _paragraph(text: str, width: int) -> Iterator[str]:
    """The lines of a paragraph, none of which ends within a chance such as > 99.9 %."""
    unbroken = text.replace(" %", "\u00a0%").replace("> ", ">\u00a0").replace("< ", "<\u00a0")
    return (line.replace("\u00a0", " ") for line in wrap(unbroken, width))


def histogram(distribution: Distribution, width: int) -> Iterator[str]:
    """One line for each range of scores: its chance, that of its lowest score or more, and a bar.

    >>> from fivedice.solver.play.distribution import Distribution
    >>> for line in histogram(Distribution(98, np.array([0.125, 0.25, 0.5, 0.0, 0.125])), width=45):
    ...     print(line)
     points    chance   or more
         98    12.5 %   100.0 %  ████
         99    25.0 %    87.5 %  ████████
        100    50.0 %    62.5 %  ████████████████
        101     0.0 %    12.5 %
        102    12.5 %    12.5 %  ████
    """
    to, (step, ranges) = chosen(), _ranges(distribution)
    labels = [f"{low}" if step == 1 else f"{low}–{low + step - 1}" for low in ranges]
    if distribution.first < ranges[0]:
        labels[0] = to.say("under {n}", n=ranges[0] + step)
    if distribution.scores[-1] >= ranges[-1] + step:
        labels[-1] = to.say("{n} up", n=ranges[-1])
    edges = [-np.inf, *ranges[1:], np.inf]
    scores, chances = distribution.scores, distribution.chances
    shares = [float(chances[(scores >= a) & (scores < b)].sum()) for a, b in pairwise(edges)]
    headings = to.say("points"), to.say("chance").rjust(8), to.say("or more").rjust(8)
    widths = [max(len(headings[0]), *map(len, labels)), *map(len, headings[1:])]
    room = max(1, width - sum(widths) - 7)
    yield f" {headings[0]:>{widths[0]}}  {headings[1]}  {headings[2]}"
    for label, low, share in zip(labels, [scores[0], *ranges[1:]], shares, strict=True):
        eighths = round(8 * room * share / max(shares))
        bar = "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
        or_more = distribution.at_least(int(low))
        figures = f"{chance_text(share):>{widths[1]}}  {chance_text(or_more):>{widths[2]}}"
        yield f" {label:>{widths[0]}}  {figures}  {bar}".rstrip()


def _ranges(distribution: Distribution) -> tuple[int, list[int]]:
    """A round width of ranges, and the lowest score of each; the first and last also take all rarer scores."""
    low, high = distribution.percentile(RARE), distribution.percentile(1 - RARE)
    steps = (digit * 10**power for power in count() for digit in (1, 2, 5))
    step = next(step for step in steps if (high - low // step * step) // step < MOST_BINS)
    return step, list(range(low // step * step, high + 1, step))


def _bonuses(chances: Chances) -> str:
    """The chances of the upper bonus and of extra bonuses; empty if the rules have none."""
    to, parts, ruleset = chosen(), [], chances.position.ruleset
    if ruleset.upper_bonus:
        bonus = chances.upper_bonus
        pairs = zip(bonus.scores.tolist(), bonus.chances.tolist(), strict=True)
        amounts = [
            to.say("{chance} for {amount} points", chance=chance_text(chance), amount=amount)
            for amount, chance in pairs
            if amount and chance
        ]
        if amounts:
            parts.append(to.say("Upper bonus: {amounts}.", amounts=", ".join(amounts)))
        else:
            parts.append(to.say("Upper bonus: out of reach."))
    if ruleset.extra_bonus:
        extras, earned = chances.num_extras, chances.position.card.extras
        values = {"points": ruleset.extra_bonus, "chance": chance_text(extras.at_least(earned + 1))}
        if earned:
            parts.append(to.say("Extra bonus of {points}: {chance} for another.", **values))
        else:
            parts.append(to.say("Extra bonus of {points}: {chance} for one or more.", **values))
    return " ".join(parts)


_SENTENCES = {
    "exact": marked("Exact: only seat {seat} has choices left, and it plays to win."),
    "endgame": marked("Exact: both seats play their last turns to win, without a mistake."),
    "independent": marked("Each seat is assumed to play for the highest expected score, whatever the others have."),
    "simulated": marked(
        "≈ From {games} simulated games of each seat by learned values, whatever the others have. A chance is right to "
        "about {error} %."
    ),
}


@prints(PositionOddsView)
def odds(position: PositionText, /, *rest: Rest, games: Simulated = None, json: Json = False) -> None:
    """Show every seat's chance to win and to tie for the first place, in a position with two or more cards."""
    parsed = told_position((position, *rest), json=json)
    require_opponents(parsed)
    solution = solution_or_approximation(parsed, games, all_seats=True)
    with shown_step(f"Weighing final scores in {parsed.ruleset.name}") as progress:
        if isinstance(solution, ApproximateSolution):
            found = simulated_odds(solution, parsed, games or GAMES, progress=progress)
        else:
            found = find_odds(solution, parsed, progress=progress)
    show(position_odds_view(found), odds_lines(found), json=json)


def odds_lines(odds: Odds) -> Iterator[str]:
    """A line for each seat, and what the odds assume."""
    to, position = chosen(), odds.position
    rows = [("", to.say("wins"), to.say("ties"), to.say("expected score"))]
    for seat, each in enumerate(odds.seats):
        mark = "▸" if seat == position.seat and not position.is_over else " "
        spread = each.standard_deviation
        score = f"{to.decimal(each.mean)} ± {to.decimal(spread)}" if spread else f"{each.mean:.0f}"
        label = to.say("seat {n}", n=seat)
        rows.append((f"{mark}{label}", f"{to.decimal(100 * each.win)} %", f"{to.decimal(100 * each.tie)} %", score))
    yield from table(rows, least=8)
    yield ""
    if position.is_over:
        yield to.say("The game is over.")
        return
    error = to.decimal(100 / odds.games**0.5) if odds.games else ""
    yield to.say(_SENTENCES[odds.method], seat=position.seat, games=odds.games, error=error)
    if odds.method == "independent" and any(c.first_roll_wins for c in position.ruleset.categories):
        yield to.say("A first roll that wins at once counts, but not that it takes the last turns from others.")
    if odds.method in ("exact", "endgame"):
        yield to.say("The expected scores are those of playing for points.")
