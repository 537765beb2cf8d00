"""`/health` and `/ready`: what the operator of a server asks."""

from litestar import MediaType, Response

from fivedice.server.ops.readiness import Readiness
from fivedice.server.replies.endpoint import get
from fivedice.views.answers import HealthView

_NO_STORE = {"cache-control": "no-store"}


@get("/health", cost=0, is_described=False)
async def health() -> Response[str]:
    """The process is running."""
    return Response("ok\n", media_type=MediaType.TEXT, headers=_NO_STORE)


@get("/ready", cost=0, is_described=False)
async def ready(readiness: Readiness) -> Response[HealthView]:
    """200 if the database answers and the server is not stopping, else 503."""
    result = await readiness.check()
    return Response(result, status_code=200 if result.ready else 503, headers=_NO_STORE)
