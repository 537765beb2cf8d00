"""`/health` and `/ready`: whether the process lives, and whether it can serve."""

from litestar import MediaType, Response, get

from fivedice.server.http.api.params import TheServices
from fivedice.server.ops.readiness import HealthView

_NO_STORE = {"cache-control": "no-store"}


@get("/health", include_in_schema=False, media_type=MediaType.TEXT)
async def health() -> Response[str]:
    """The process lives and answers."""
    return Response("ok\n", media_type=MediaType.TEXT, headers=_NO_STORE)


@get("/ready", include_in_schema=False)
async def ready(services: TheServices) -> Response[HealthView]:
    """200 if the database answers and the server does not stop, else 503."""
    found = await services.readiness.look()
    return Response(found, status_code=200 if found.ready else 503, headers=_NO_STORE)
