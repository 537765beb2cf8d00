"""`/health`, `/ready` and `/api/operator`: what the operator of a server looks at.

The page has the solve rates of storms and streaks by rung of the ladder, in English. They are counted from stored
answers, so all processes on a database show the same, also after a restart.
"""

import hmac
import math
from base64 import b64decode
from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import partial
from html import escape

from litestar import MediaType, Response

from fivedice.base.errors import UnknownError
from fivedice.daily.choice import LADDER
from fivedice.daily.days import RULES
from fivedice.rulesets import load_ruleset
from fivedice.server.config.settings import Settings
from fivedice.server.games.drawn_days import DrawnDays
from fivedice.server.http.handling.params import AnyRequest
from fivedice.server.ops.readiness import Readiness
from fivedice.server.replies.endpoint import get
from fivedice.simulation.games.tally import share_interval
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.daily import solve_rates
from fivedice.views.answers import HealthView

OPERATOR_DAYS = 7
"""From which the operator's page has solve rates."""

_NO_STORE = {"cache-control": "no-store"}
_ASK = {"www-authenticate": 'Basic realm="fivedice operator", charset="UTF-8"', **_NO_STORE}


@get("/api/operator", is_described=False)
async def show_operator_page(
    request: AnyRequest, settings: Settings, days: DrawnDays, database: Database
) -> Response[str]:
    """The operator's page, for who knows the secret of the settings; raises `UnknownError` if that has none."""
    secret = settings.operator_secret
    if not secret:
        raise UnknownError("this server has no operator's page: it needs FIVEDICE_OPERATOR_SECRET")
    if not hmac.compare_digest(_password(request.headers.get("authorization", "")), secret.encode()):
        sentence = "This page is the operator's: the password is FIVEDICE_OPERATOR_SECRET.\n"
        return Response(sentence, status_code=401, media_type=MediaType.TEXT, headers=_ASK)
    return Response(await _page(days, database), media_type=MediaType.HTML, headers=_NO_STORE)


def _password(authorization: str) -> bytes:
    """The password in a header of HTTP Basic authentication, for any user name; empty if there is none."""
    scheme, _, encoded = authorization.partition(" ")
    try:
        return b64decode(encoded, validate=True).partition(b":")[2] if scheme.lower() == "basic" else b""
    except ValueError:
        return b""


async def _page(days: DrawnDays, database: Database) -> str:
    today = days.today
    since = today - timedelta(OPERATOR_DAYS - 1)
    lines = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8"><title>fivedice: operator</title>',
        '<meta name="viewport" content="width=device-width"></head><body><main>',
        "<h1>Storms and streaks: solve rates by rung</h1>",
        f"<p>Answers from {since} to {today}, with intervals of 95 %. "
        "The share solved should fall from rung to rung.</p>",
    ]
    for rules in RULES.values():
        lines.append(f"<h2>{escape(load_ruleset(rules).name)}</h2>")
        lines += _table(await database.fetched(partial(solve_rates, rules=rules, since=since.isoformat())))
    return "\n".join([*lines, "</main></body></html>", ""])


def _table(rates: Mapping[int, tuple[int, int]]) -> Iterator[str]:
    yield '<table cellpadding="4"><thead><tr>'
    yield from (f'<th scope="col">{name}</th>' for name in ("rung", "the obvious choice", "answers", "solved", "95 %"))
    yield "</tr></thead><tbody>"
    for rung, bounds in enumerate(LADDER):
        answered, solved = rates.get(rung, (0, 0))
        low, high = share_interval(solved, answered)
        share = f"{solved / answered:.1%}" if answered else "–"
        interval = f"{low:.1%} to {high:.1%}" if answered else "–"
        yield f'<tr><th scope="row">{rung}</th><td>{_in_words(*bounds)}</td><td>{answered}</td>'
        yield f"<td>{share}</td><td>{interval}</td></tr>"
    yield "</tbody></table>"


def _in_words(low: float, high: float) -> str:
    """What the obvious choice of a rung loses, or by how much it is best."""
    if high <= 0:
        least, most = abs(high), abs(low)
        return f"is best by more than {least:g}" if math.isinf(most) else f"is best by {least:g} to {most:g}"
    return f"loses {low:g} or more" if math.isinf(high) else f"loses {low:g} to {high:g}"


@get("/health", cost=0, is_described=False)
async def health() -> Response[str]:
    """The process is running."""
    return Response("ok\n", media_type=MediaType.TEXT, headers=_NO_STORE)


@get("/ready", cost=0, is_described=False)
async def ready(readiness: Readiness) -> Response[HealthView]:
    """200 if the database answers and the server is not stopping, else 503."""
    result = await readiness.check()
    return Response(result, status_code=200 if result.ready else 503, headers=_NO_STORE)
