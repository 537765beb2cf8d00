"""`/health` and `/ready`: whether the process runs, and whether it can serve."""

from litestar import MediaType, Response, get

from fivedice.server.http.handling.params import TheServices
from fivedice.views.answers import HealthView

_NO_STORE = {"cache-control": "no-store"}


@get("/health", include_in_schema=False, media_type=MediaType.TEXT)
async def health() -> Response[str]:
    """The process is running."""
    return Response("ok\n", media_type=MediaType.TEXT, headers=_NO_STORE)


@get("/ready", include_in_schema=False)
async def ready(services: TheServices) -> Response[HealthView]:
    """200 if the database answers and the server is not stopping, else 503."""
    result = await services.readiness.check()
    return Response(result, status_code=200 if result.ready else 503, headers=_NO_STORE)
