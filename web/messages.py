"""Write web/src/messages/shared/, what the page and the program both say, from the catalogues of the program.

boxes.ts has the names of boxes in every language; LANGUAGE.ts, messages that stand in the program's catalogues, so that
no translation stands in both.
"""

import json
from collections.abc import Mapping
from gettext import NullTranslations, translation
from importlib.resources import files
from pathlib import Path

from fivedice.base.language import DOMAIN, LANGUAGES, language
from fivedice.cli.report.player_progress import STRENGTH_ABOUT
from fivedice.game.joker import CLOSED
from fivedice.rulesets.explanation.boxes import BOXES

FOLDER = Path(__file__).resolve().parent / "src" / "messages" / "shared"

MESSAGES: Mapping[str, str | tuple[str, str]] = {
    "winsGame": "wins the game",
    "resigned": ("{names} resigned.", "{names} resigned."),
    "inaccuracy": "inaccuracy",
    "mistake": "mistake",
    "blunder": "blunder",
    "realDice": "Real dice, entered by hand; nothing to verify.",
    "tryTen": "Daily ten",
    "pointsLost": "{points} points lost",
    "noTurningPoint": "No single turn changed the chances by ten percentage points or more.",
    "turningOf": (
        "Turn {turn}: {box} by {by} for 1 point took {name} from {before} to {after}.",
        "Turn {turn}: {box} by {by} for {n} points took {name} from {before} to {after}.",
    ),
    "handFullHouse": "Full House",
    "handTwoPairs": "Two Pairs",
    "handPair": "One Pair",
    "learnAgain": "Again",
    "inviteTitle": "{name} invites you to {game}",
    "inviteTitleOpen": "You are invited to {game}",
    "yourTurn": "Your turn",
    "turnOf": "{name} to move",
    "round": "Round {round} of {rounds}",
    "upper": "Upper section",
    "lower": "Lower section",
    "toGo": "{n} to go",
    "saved": "Saved rolls",
    "isAnnounced": "{box} is announced: this turn ends there.",
    "playsLike": (
        "In your last {n} games with these rules you lost {lost} points a decision, most nearly as {name} does: "
        "{level}."
    ),
    "strengthTitle": "Strength",
    "strengthLost": "{lost} ± {width} points lost a decision; of 100 points of the best play, {share} ± {share_width}.",
    "strengthBest": "{best} of {n} choices were the best or as good.",
    "strengthRating": "Rating by results: {points} ± {width}.",
    "strengthProvisional": "Provisional.",
    "strengthMissing": "No strength yet: it shows after a few rated games with these rules.",
    "strengthTable": "The values are those of table {digest}.",
    "strengthAbout": STRENGTH_ABOUT[0],
    "ratingAbout": STRENGTH_ABOUT[1],
    "provisionalAbout": STRENGTH_ABOUT[2],
    "ratedAbout": STRENGTH_ABOUT[3],
    "lostTitle": "Points lost a decision",
    "lostBetween": "It is between {low} and {high}, with a confidence of 95 %.",
    "toldLess": (
        "In the second half of your games you lost {change} ± {width} points a decision less than in the first."
    ),
    "toldMore": (
        "In the second half of your games you lost {change} ± {width} points a decision more than in the first."
    ),
    "toldNothing": "The first and the second half of your games differ by no more than chance explains.",
    "gamesMissing": ("This shows after 1 more finished game.", "This shows after {n} more finished games."),
    "lossesInexact": "The values of these rules are not exact: losses and luck are left out.",
    "whereTitle": "Where you lose",
    "whereMost": "{kind}: {n} of every 100 points that you lose.",
    "decisionsHead": "Decisions",
    "lostEach": "Lost each",
    "tooFew": "too few to tell",
    "firstKeep": "First keep",
    "secondKeep": "Second keep",
    "laterKeep": "Later keeps",
    "boxChoice": "Choice of a box",
    "equalDice": "Equal dice, full house",
    "straights": "Straights",
    "bonusAtStake": "Bonus at stake",
    "jokerRoll": "Joker rolls",
    "scoresTitle": "Scores",
    "scoresMean": "Your average is {mean} ± {width}.",
    "scoresPerfect": "Perfect play averages {perfect}, and scores more than your average in {n} of 100 games.",
    "luckSum": (
        "Your luck adds up to {luck} points in {n} games. The expected sum is 0 for everybody, and chance alone keeps "
        "it within ±{width} in 95 of 100 cases."
    ),
    "recordsTitle": "Records",
    "recordBest": "Best score",
    "recordLeastLost": "Fewest points lost in a game",
    "recordFirst": "First {box}",
    "recordStreak": "Longest streak",
    "daysCount": ("1 day", "{n} days"),
    "streakNow": ("Your streak: 1 day.", "Your streak: {n} days."),
    "streakNone": "No streak at the moment: a game today begins one.",
    **{f"closed_{rule}": message for rule, message in CLOSED.items()},
}
"""Key on the page → message of the program, in the singular and plural if it depends on a number."""

LABELS: Mapping[str, str | tuple[str, str]] = {
    "placeOf": "Place {place} of {players} today.",
    "bestIs": "Best: {action}.",
    "bestWas": "best",
    "keepNone": "keep nothing",
    "homeNew": "new game",
    "rollsLeft": ("1 roll left", "{n} rolls left"),
    "noRolls": "No rolls are left: choose a box.",
    "endWon": "You won.",
    "tie": "{names} share the victory.",
    "endTieYou": "You share the victory with {names}.",
    "endYouResigned": "You resigned.",
    "endResigned": ("{names} resigned.", "{names} resigned."),
    "endScoredNamed": ("{name} scored 1 point.", "{name} scored {n} points."),
    "endScored": ("You scored 1 point.", "You scored {n} points."),
}
"""As `MESSAGES`; as labels they begin with a capital letter and have no full stop."""

HEAD = "/** What the page and the program both say. `make catalogues` writes this. */\n\n"


def texts() -> dict[str, str]:
    """Return the content of each file by its name."""
    names = {id: {tag: language(tag).say(name) for tag in LANGUAGES} for id, name in BOXES.items()}
    boxes = (
        f"{HEAD}/** The usual names of boxes by category id, as in English, German and Swedish games. */\n"
        'export const BOX_NAMES: Readonly<Record<string, Readonly<Record<"en" | "de" | "sv", string>>>> = '
        f"{{\n{_lines(names)}}};\n"
    )
    folder = str(files("fivedice") / "locale")
    said = {tag: _messages(translation(DOMAIN, folder, [tag], fallback=True)) for tag in LANGUAGES}
    return {
        "boxes.ts": boxes,
        **{f"{tag}.ts": f"{HEAD}export const shared = {{\n{_lines(said[tag])}}} as const;\n" for tag in LANGUAGES},
    }


def _messages(to: NullTranslations) -> dict[str, str | dict[str, str]]:
    said = {key: _forms(to, message) for key, message in MESSAGES.items()}
    for key, message in LABELS.items():
        forms = _forms(to, message)
        said[key] = _label(forms) if isinstance(forms, str) else {n: _label(form) for n, form in forms.items()}
    return said


def _forms(to: NullTranslations, message: str | tuple[str, str]) -> str | dict[str, str]:
    if isinstance(message, str):
        return to.gettext(message)
    return {"one": to.ngettext(*message, 1), "other": to.ngettext(*message, 2)}


def _label(form: str) -> str:
    return form[0].upper() + form[1:].removesuffix(".")


def _lines(said: Mapping[str, object]) -> str:
    return "".join(f"  {key}: {json.dumps(forms, ensure_ascii=False)},\n" for key, forms in said.items())


if __name__ == "__main__":
    for name, text in texts().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
