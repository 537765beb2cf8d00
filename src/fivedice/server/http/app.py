"""The Litestar application: endpoints, WebSocket, static files and error responses."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from fivedice.server.config.limits import MAX_BODY_BYTES, MIN_COMPRESSED_BYTES
from fivedice.server.http.api import (
    account,
    clubs,
    daily,
    daily_archive,
    docs,
    duplicates,
    health,
    lessons,
    lobby,
    me,
    odds,
    operator_page,
    positions,
    profile,
    records,
    reminders,
    reports,
    rulesets,
    seat_access,
    solutions,
    table_commands,
    tables,
    tournaments,
    transfer,
)
from fivedice.server.http.api.asked_try import provide_asked_try
from fivedice.server.http.handling.asker import provide_asker
from fivedice.server.http.handling.error_responses import HANDLERS
from fivedice.server.http.handling.params import COMPRESSION_OPTION, DEPENDENCIES
from fivedice.server.http.pages import Page, show_page, show_picture, show_result_picture, show_table_picture
from fivedice.server.http.request import StrictRequest
from fivedice.server.http.websocket import table_socket
from fivedice.server.services import Services

ENDPOINTS = [
    rulesets.list_rulesets,
    rulesets.show_rules,
    rulesets.choose_options,
    rulesets.explain_rules,
    rulesets.show_sample,
    rulesets.list_hands,
    rulesets.check_ruleset,
    rulesets.list_players,
    solutions.show_solution_file,
    solutions.send_solution_file,
    tables.create_table,
    tables.show_table,
    tables.show_table_rules,
    tables.show_events,
    tables.stream_events,
    table_commands.command_table,
    table_commands.keep_dice,
    table_commands.react,
    seat_access.make_link,
    seat_access.claim_seat,
    seat_access.list_devices,
    seat_access.remove_device,
    seat_access.remove_link,
    reports.show_record,
    reports.show_review,
    reports.list_best_turns,
    records.check_points,
    positions.show_position,
    positions.change_position,
    positions.play_steps,
    positions.explain_action,
    odds.show_odds,
    odds.show_chances,
    me.list_games,
    me.show_outcome,
    me.show_figures,
    me.list_people,
    me.choose_own_name,
    lobby.show_lobby,
    lobby.seek_opponent,
    lobby.take_open_seat,
    lobby.leave_open_seat,
    lobby.list_blocked,
    lobby.block_player,
    lobby.unblock_player,
    duplicates.open_duplicate,
    duplicates.list_duplicates,
    duplicates.show_duplicate,
    duplicates.enter_duplicate,
    duplicates.compare_entries,
    reminders.show_reminder_key,
    reminders.add_reminder,
    reminders.remove_reminder,
    lessons.list_table_lessons,
    lessons.list_my_lessons,
    lessons.answer_lesson,
    me.show_dice,
    me.show_my_dice,
    daily.show_daily,
    daily.begin_daily,
    daily.show_try,
    daily.answer_daily,
    daily.end_daily,
    daily.explain_daily,
    daily.show_result,
    daily.compare_games,
    daily_archive.list_days,
    daily_archive.show_archived_ten,
    daily_archive.grade_archived,
    daily_archive.list_proofs,
    clubs.found_club,
    clubs.list_clubs,
    clubs.show_club,
    clubs.command_club,
    tournaments.show_tournament,
    tournaments.command_tournament,
    tournaments.export_standings,
    profile.show_profile,
    account.show_account,
    account.offer_passkey,
    account.add_passkey,
    account.offer_session,
    account.sign_in,
    account.recover,
    account.renew_code,
    account.rename_account,
    account.remove_passkey,
    account.end_session,
    account.delete_everything,
    transfer.export_all,
    transfer.import_all,
    transfer.import_one,
    docs.show_docs,
    operator_page.show_operator_page,
    health.health,
    health.ready,
]


@asynccontextmanager
async def _lifespan(app: Litestar) -> AsyncIterator[None]:
    services: Services = app.state.services
    await services.start()
    try:
        yield
    finally:
        await asyncio.create_task(services.close())  # a task, so that the `ShutdownDeadline` can log where it hangs


def make_app() -> Litestar:
    """The application; it can be served when `give_services` was called."""
    return Litestar(
        [*ENDPOINTS, table_socket, show_page, show_table_picture, show_result_picture, show_picture],
        # A higher level takes longer than the network saves.
        compression_config=CompressionConfig(
            "gzip", minimum_size=MIN_COMPRESSED_BYTES, gzip_compress_level=4, exclude_opt_key=COMPRESSION_OPTION
        ),
        dependencies={**DEPENDENCIES, "asker": Provide(provide_asker), "asked": Provide(provide_asked_try)},
        exception_handlers=HANDLERS,  # type: ignore[arg-type]
        lifespan=[_lifespan],
        logging_config=None,  # `fivedice.server.ops.log` configures it
        openapi_config=OpenAPIConfig(
            title="fivedice",
            version=version("fivedice"),
            description="Tables of Yahtzee and its variants: create, join, play and review them.",
            operation_id_creator=lambda handler, method, path: handler.handler_name,
            use_handler_docstrings=True,
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/")],
        ),
        request_class=StrictRequest,
        request_max_body_size=MAX_BODY_BYTES,
    )


def give_services(app: Litestar, services: Services) -> None:
    """Let an application work with started services, which it closes when it stops."""
    app.state.services, app.state.page = services, Page.read(services.settings.page)
