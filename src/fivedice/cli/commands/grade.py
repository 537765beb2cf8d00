"""`fivedice grade`: grades all finished games in a server's database again."""

from fivedice.cli.commands.backup import why_unavailable
from fivedice.cli.text.output import Flag, fail, print_json, prints
from fivedice.views.printed import GradedView


@prints(GradedView)
def grade(*, database_url: str | None = None, json: Flag = False) -> None:
    """Grade all finished games and imported records in a server's database again, by the values that are saved here.

    A server grades each game as soon as it is over; this makes the same grades from nothing, for reviews, figures,
    lessons and results. Stop a server of a SQLite file first.

    Parameters
    ----------
    database_url
        The database, as for `fivedice serve`.
    json
        Print JSON.
    """
    # Imported here: the base install has no database.
    from fivedice.server.games.grading import grade_again
    from fivedice.storage.engine.database import Database, UnavailableError, default_url
    from fivedice.storage.engine.sqlite_files import ServedError

    url = database_url or default_url()
    try:
        Database(url, changes=False).close()  # neither creates nor migrates one
        database = Database(url, serves=True)
        try:
            num = grade_again(database)
        finally:
            database.close()
    except UnavailableError as error:
        fail(why_unavailable(error, url))
    except ServedError:
        fail("a server uses this SQLite file: stop it first")
    if json:
        print_json(GradedView(num))
    else:
        print(f"{num:,} game{'s'[: num != 1]} graded")
