"""`/api/positions/chances` and `/api/tables/…/odds`: the chances of final scores, and to win."""

from fivedice.base.errors import IllegalError
from fivedice.server.games import computed
from fivedice.server.http.handling.asker import Asker
from fivedice.server.http.handling.error_responses import NoAdviceError
from fivedice.server.replies.asking import TableId, TableParameter
from fivedice.server.replies.endpoint import get
from fivedice.server.replies.errors import StaleError
from fivedice.server.replies.positions import Line, position_of
from fivedice.server.solving import solved
from fivedice.server.solving.searches import FIND_SECONDS, MAX_BREAKDOWN_BYTES
from fivedice.server.table.state import State
from fivedice.solver.tables.states import TooLargeError
from fivedice.views.chances import ScoreChancesView
from fivedice.views.odds import OddsView


@get("/api/positions/chances", 404)
async def show_chances(asker: Asker, line: Line, table: TableParameter = "") -> ScoreChancesView:
    """The exact chance of every final score from a position, if all further decisions are the best on average."""
    position = await position_of(asker, line, table)
    ruleset = position.ruleset
    if refusal := asker.available(ruleset).chances:
        raise IllegalError(refusal)
    quick = await asker.from_solution(ruleset, computed.quick_chances, position)
    if quick is not None:
        return quick
    try:
        return await asker.from_solution(
            ruleset, solved.chances, position, MAX_BREAKDOWN_BYTES, FIND_SECONDS, is_slow=True
        )
    except TooLargeError:
        raise IllegalError(f"{ruleset.name} has too many scores for the memory of this server") from None


@get("/api/tables/{table}/odds", 403, 404, 409)
async def show_odds(asker: Asker, table: TableId) -> OddsView:
    """Every seat's chance to win before the present turn, at a table of several seats that always gives advice."""
    now = (await asker.table(table)).table
    if now.help != "always":
        raise NoAdviceError("this table gives no advice during the game, so it shows no odds")
    if now.state is not State.PLAYING:
        raise StaleError("the game is not being played: there are no odds")
    if len(now.seats) == 1:
        raise IllegalError("a game of one seat has no odds")
    odds = await asker.from_solution(now.ruleset, computed.odds, now.position, now.turn.number, part="moments")
    if odds is None:
        raise IllegalError(f"the odds of {now.ruleset.name} cannot be estimated")
    return odds
