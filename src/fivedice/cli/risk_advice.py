"""Advice to a player who avoids or seeks risk, as text or JSON: the certainty equivalent of every action."""

from collections.abc import Iterator

from fivedice.analysis.advice import Advice, advise
from fivedice.cli.language import chosen
from fivedice.cli.risk_tables import risk_table_of
from fivedice.cli.text.advice import advice_lines
from fivedice.cli.text.output import print_json
from fivedice.errors import MalformedError, shown
from fivedice.game.position import Position
from fivedice.game.wording import to_do
from fivedice.language import marked
from fivedice.solver.risk import BOLD, CAUTIOUS
from fivedice.views.advice import risk_advice_view

_SEEKS = marked("To a player who seeks risk ({risk} per point), this position is as good as a sure {value}.")
_AVOIDS = marked("To a player who avoids risk ({risk} per point), this position is as good as a sure {value}.")
_NEUTRAL = marked(
    "To a player who plays for the expected score ({risk} per point), this position is as good as a sure {value}."
)


def print_risk_advice(position: Position, risk: str, top: int | None, *, json: bool) -> None:
    """Print advice on a position with a risk parameter as typed; raises `MalformedError`."""
    parameter = parse_risk(risk)
    advice = advise(risk_table_of(position.ruleset, parameter), position)
    if json:
        print_json(risk_advice_view(advice, parameter, top))
    else:
        print("\n".join(risk_advice_lines(advice, parameter, top)))


def parse_risk(text: str) -> float:
    """A risk parameter: `cautious`, `bold`, or a number per point; raises `MalformedError`."""
    words = {"cautious": CAUTIOUS, "bold": BOLD}
    try:
        return words[text] if text in words else float(text)
    except ValueError:
        raise MalformedError(
            f"--risk {shown(text)}: want cautious, bold, or a number per point such as -0.01 or 0.02"
        ) from None


def risk_advice_lines(advice: Advice, risk: float, top: int | None = None) -> Iterator[str]:
    """The certainty equivalent and the best action in words, then the `top` best actions."""
    if advice.position.is_over:
        yield from advice_lines(advice)
        return
    to = chosen()
    sentence = _SEEKS if risk > 0 else _AVOIDS if risk < 0 else _NEUTRAL
    yield to.say(sentence, risk=to.with_point(f"{risk:+g}"), value=to.decimal(advice.value))
    if advice.actions:
        yield to.say("Best is to {action}.", action=to_do(advice.position, advice.best.action, to))
        yield ""
        yield from advice_lines(advice, top)
