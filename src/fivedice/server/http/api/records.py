"""`/api/records/check`: the points and the result of any record, replayed by its rules."""

from litestar import post
from litestar.params import JSONBody

from fivedice.server.config.limits import MAX_RECORD_BODY_BYTES
from fivedice.server.games.replayed import check_record
from fivedice.server.http.handling.asker import TheAsker
from fivedice.server.http.handling.costs import rate_limit_upload
from fivedice.server.http.handling.error_responses import documented
from fivedice.server.http.handling.params import TheServices
from fivedice.views.record_check import RecordCheckView, RecordText


@post(
    "/api/records/check",
    guards=[rate_limit_upload],
    status_code=200,
    request_max_body_size=MAX_RECORD_BODY_BYTES,
    responses=documented(400, 413, 503),
)
async def check_points(data: JSONBody[RecordText], services: TheServices, asker: TheAsker) -> RecordCheckView:
    """Replay a record by its rules, and check its points and its result. Nothing is stored, and no value is computed.

    The proof of its dice is not read: anyone can check that without a server.
    """
    if "rules:" in data.text:
        services.rate_limiter.require("all_rules", "")
    return await asker.one_game("points", lambda: services.pool.run(check_record, data.text), data.text)
