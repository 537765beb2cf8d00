"""The database tables in SQLAlchemy's terms; `migrations/` creates them, and a test compares the two."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
    true,
)
from sqlalchemy.dialects import postgresql, sqlite

metadata = MetaData()

rulesets = Table(
    "rulesets",
    metadata,
    # The text of custom rules, once for all tables and records that use it.
    Column("hash", LargeBinary, primary_key=True),  # its SHA-256
    Column("toml", Text, nullable=False),
)

streams = Table(
    "streams",
    metadata,
    # What several people share, each a log of events: tables, clubs, tournaments and games on the same dice.
    Column("id", String(64), primary_key=True),
    Column("kind", String(12), nullable=False),  # "table", "club", "tournament" or "duplicate"
    # The club of a tournament, the tournament of a table or a game on the same dice, and that game of a table. Not a
    # foreign key: a backup has rows in the order of ids.
    Column("parent", String(64)),
    Column("awaited", Boolean, nullable=False, server_default=false()),  # whether its parent waits for its result
    Column("secret", LargeBinary, nullable=False),  # of dice, or of a tournament's seeds; empty for a club
    Column("created", Float, nullable=False),
    Column("active", Float, nullable=False),  # when a table was last played, to an hour
    Column("due", Float),  # when the clock of the seat to move runs out, or a game on the same dice closes
    # Of tables alone:
    Column("ruleset", LargeBinary, ForeignKey("rulesets.hash")),  # its custom rules; null for shipped ones
    Column("ended", Boolean, nullable=False, server_default=false()),  # set with the event that ends it
    Column("has_advice", Boolean, nullable=False, server_default=true()),  # whether it names the best action before
    Column("is_rated", Boolean, nullable=False, server_default=false()),  # whether ratings have counted its result
    Column("ungraded", Integer),  # its version, if it has ended, or gone on after that, since it was read for `grades`
    Index("streams_by_activity", "kind", "ended", "active"),
    Index("streams_by_parent", "parent"),
)
_has_ruleset = streams.c.ruleset.is_not(None)
Index("streams_by_ruleset", streams.c.ruleset, sqlite_where=_has_ruleset, postgresql_where=_has_ruleset)
_is_awaited = streams.c.awaited.is_(True)
Index("streams_awaited", streams.c.parent, sqlite_where=_is_awaited, postgresql_where=_is_awaited)
_is_ungraded = streams.c.ungraded.is_not(None)
Index("streams_ungraded", streams.c.id, sqlite_where=_is_ungraded, postgresql_where=_is_ungraded)
_is_due = streams.c.due.is_not(None)
Index("streams_by_due", streams.c.kind, streams.c.due, sqlite_where=_is_due, postgresql_where=_is_due)

events = Table(
    "events",
    metadata,
    Column("stream", String(64), ForeignKey("streams.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("command", String(80), nullable=False),  # its sender and the id of the command that caused this event
    Column("at", Float, nullable=False),
    Column("body", Text, nullable=False),
    # No two writers can both append the same version, nor the same command twice.
    PrimaryKeyConstraint("stream", "version", name="events_pkey"),
    UniqueConstraint("stream", "command", name="events_once"),
    sqlite_with_rowid=False,
)

holders = Table(
    "holders",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", Float, nullable=False),
    Column("seen", Float, nullable=False),  # the last visit, which is stored after some hours only
    # Of an account:
    Column("name", String(640)),
    Column("skeleton", String(640)),  # the same for all names that look alike
    Column("code", LargeBinary),  # SHA-256 of the printed code
    # The rating by results, in units of its model; null without a rated game:
    Column("mean", Float),
    Column("deviation", Float),
    Column("games", Integer),
    UniqueConstraint("skeleton", name="holders_by_skeleton"),
    UniqueConstraint("code", name="holders_by_code"),
    Index("holders_by_seen", "seen"),
)

keys = Table(
    "keys",
    metadata,
    Column("hash", LargeBinary, primary_key=True),  # SHA-256 of the 256-bit key in the browser
    Column("holder", String(32), ForeignKey("holders.id"), nullable=False),
    Column("created", Float, nullable=False),
    Column("agent", String(40)),  # the browser that signed in to an account with it; empty for others
    Index("keys_by_holder", "holder"),
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", LargeBinary, primary_key=True),
    Column("holder", String(32), ForeignKey("holders.id", ondelete="CASCADE"), nullable=False),
    Column("public", LargeBinary, nullable=False),
    Column("signs", BigInteger, nullable=False),  # the authenticator's counter, 0 if it has none
    Column("created", Float, nullable=False),
    Column("used", Float),
    Column("agent", String(40), nullable=False),  # the browser that created it
    Column("copied", Float),  # when its counter last did not grow
    Index("passkeys_by_holder", "holder"),
)

seat_holders = Table(
    "seat_holders",
    metadata,
    # Which browser has which seat of a table, or is which member of a club.
    Column("stream", String(64), ForeignKey("streams.id"), nullable=False),
    Column("seat", Integer, nullable=False),  # of a club the number of the member
    Column("holder", String(32), ForeignKey("holders.id"), nullable=False),
    Column("since", Float, nullable=False),
    Column("seen", Float),  # when the holder was last connected, to an hour; empty if never since taking the seat
    PrimaryKeyConstraint("stream", "seat", "holder", name="seat_holders_pkey"),
    Index("seat_holders_by_holder", "holder", "since"),
)

one_time_secrets = Table(
    "one_time_secrets",
    metadata,
    # What works once: links to seats, keys in exported files, and what passkeys are to sign.
    Column("hash", LargeBinary, primary_key=True),  # SHA-256
    Column("kind", String(9), nullable=False),  # "link", "export" or "challenge"
    Column("created", Float, nullable=False),
    Column("expires", Float, nullable=False),
    Column("used", Float),  # when it was used; a challenge is deleted then
    Column("maker", String(32), ForeignKey("holders.id", ondelete="CASCADE")),  # the holder who created it
    # Of a link:
    Column("table_id", String(64), ForeignKey("streams.id")),
    Column("seat", Integer),
    # Of a challenge:
    Column("browser", LargeBinary),  # the hash of the key of the browser that asked
    Column("name", String(640)),  # of a new account
    Index("one_time_secrets_by_table", "table_id", "seat"),
    Index("one_time_secrets_by_expiry", "expires"),
    Index("one_time_secrets_by_maker", "maker"),
)

records = Table(
    "records",
    metadata,
    Column("holder", String(32), ForeignKey("holders.id"), nullable=False),
    Column("hash", LargeBinary, nullable=False),  # SHA-256 of the whole text, so that a second import adds nothing
    Column("text", Text, nullable=False),  # without the rules if `ruleset` is set
    Column("seat", Integer),  # the holder's own; null if unknown, -1 if they played none
    Column("imported", Float, nullable=False),
    Column("ruleset", LargeBinary, ForeignKey("rulesets.hash")),
    # What a `game.record_lines.RecordOutline` says of the text.
    Column("game", LargeBinary, nullable=False),
    Column("table_id", String(64)),  # of the proof; the table need not be in this database
    Column("played", Float, nullable=False),
    Column("people", Text, nullable=False),  # as JSON, seat → name
    Column("is_graded", Boolean, nullable=False, server_default=false()),  # whether it was read for `grades`
    PrimaryKeyConstraint("holder", "hash", name="records_pkey"),
    Index("records_by_game", "holder", "game", unique=True),
    Index("records_by_hash", "hash"),
)
_has_ruleset = records.c.ruleset.is_not(None)
Index("records_by_ruleset", records.c.ruleset, sqlite_where=_has_ruleset, postgresql_where=_has_ruleset)
_is_ungraded = records.c.is_graded.is_(False)
Index("records_ungraded", records.c.hash, sqlite_where=_is_ungraded, postgresql_where=_is_ungraded)

grades = Table(
    "grades",
    metadata,
    # The seats of games that have ended, and what their decisions lost: made of the events or the record, at any time.
    Column("game", String(64), nullable=False),  # the table, or the hash of an imported record in hexadecimal
    Column("seat", Integer, nullable=False),
    Column("table_id", String(64), ForeignKey("streams.id", ondelete="CASCADE")),
    Column("hash", LargeBinary),  # of a record that any holders have imported
    Column("version", Integer, nullable=False),  # of the table; 0 of a record
    Column("digest", String(16), nullable=False),  # of the rules
    Column("rules", Text, nullable=False),  # their reference
    Column("ruleset", LargeBinary, ForeignKey("rulesets.hash")),  # their text if they are custom
    Column("date", Text, nullable=False),  # when the game began, as its record has it
    Column("ended", Float, nullable=False),  # of a table its newest event; of a record when the game began
    Column("is_over", Boolean, nullable=False),  # else it was closed, or broken off
    Column("dice", String(8), nullable=False),  # "real" if they were entered by hand, else "program"
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),  # of the player, as in a record
    Column("seats", Integer, nullable=False),  # of the game
    Column("total", Integer, nullable=False),
    Column("rank", Integer),  # null in a game without a winner
    Column("resigned", Boolean, nullable=False),
    Column("has_won", Boolean, nullable=False),  # alone, against others
    Column("is_cut_short", Boolean, nullable=False),  # a resignation left the card incomplete
    Column("is_rated", Boolean, nullable=False),  # whether a person decided everything alone
    # All are null while there are no values of the rules.
    Column("start_value", Float),
    Column("loss", Float),
    Column("luck", Float),
    Column("error", Float),  # of approximate values; 0 if they are exact
    Column("first_turn", Integer),  # the first of the seat's own turns that is graded, from 1
    Column("num_hard", Integer),
    # Of a game that counts in figures, as `rows.stored_figures` has them.
    Column("figures", LargeBinary),
    Column("examples", Text),
    Column("rolled", Text, nullable=False),  # the counts of the seat's dice, as `rows.server` has them
    PrimaryKeyConstraint("game", "seat", name="grades_pkey"),
    Index("grades_by_hash", "hash", "seat"),
    Index("grades_by_table", "table_id"),
    Index("grades_by_ruleset", "ruleset"),
)
Index("grades_waiting", grades.c.digest, sqlite_where=grades.c.loss.is_(None), postgresql_where=grades.c.loss.is_(None))

decisions = Table(
    "decisions",
    metadata,
    # Every decision of a graded game, and the rolls at its end that nothing was decided about.
    Column("game", String(64), nullable=False),
    Column("number", Integer, nullable=False),  # in the order of the game
    Column("seat", Integer, nullable=False),
    Column("turn", Integer, nullable=False),  # of the game, from 0
    Column("kind", String(12), nullable=False),  # as in figures; empty for a roll alone, as `chosen` and `best`
    Column("position", Text, nullable=False),  # as that of a game of one seat, in notation
    Column("chosen", String(100), nullable=False),
    Column("best", String(100), nullable=False),
    Column("before", Float),  # the value before the roll; null if nothing was rolled
    Column("value", Float, nullable=False),  # of what was chosen
    Column("best_value", Float, nullable=False),
    Column("is_unforced", Boolean, nullable=False),
    Column("least_mistake", Float, nullable=False),  # a smaller loss may be an error of approximate values
    Column("lesson", LargeBinary),  # as `lessons.hash`; null if it is none
    PrimaryKeyConstraint("game", "number", name="decisions_pkey"),
    ForeignKeyConstraint(["game", "seat"], ["grades.game", "grades.seat"], ondelete="CASCADE"),
    sqlite_with_rowid=False,
)
_is_lesson = decisions.c.lesson.is_not(None)
Index("decisions_of_lessons", decisions.c.game, decisions.c.seat, sqlite_where=_is_lesson, postgresql_where=_is_lesson)

lessons = Table(
    "lessons",
    metadata,
    # The scheduler's state for each lesson that a holder has answered.
    Column("holder", String(32), ForeignKey("holders.id"), nullable=False),
    Column("hash", LargeBinary, nullable=False),  # SHA-256 of the rules' digest and the position
    Column("stability", Float, nullable=False),
    Column("difficulty", Float, nullable=False),
    Column("answered", String(10), nullable=False),  # days in ISO 8601
    Column("due", String(10), nullable=False),
    PrimaryKeyConstraint("holder", "hash", name="lessons_pkey"),
)

server = Table(
    "server",
    metadata,
    # One row of what all processes share; what is null has not been needed yet.
    Column("id", Integer, primary_key=True, autoincrement=False),
    # As `rows.server` has them, in seconds since 1970:
    Column("seen", Float),  # the last sign of life, by the clock of a process
    Column("back", Float),  # when one ran again after none had
    Column("lived", Float),  # by which things are deleted
    Column("grace", Float),  # seconds in which servers run before that follows the clock again
    # Secrets, each made once:
    Column("daily", LargeBinary),  # from which those of all days follow
    Column("since", String(10)),  # its first day, in ISO 8601
    Column("push", LargeBinary),  # the private key by which push services know the server
    Column("dice", Text),  # the counts of all dice, as `rows.server` has them
    Column("lobby", Integer),  # how often the open seats have changed
)

drawn_days = Table(
    "drawn_days",
    metadata,
    # What was drawn for a day: a later version may draw otherwise.
    Column("day", String(10), nullable=False),
    Column("kind", String(8), nullable=False),  # "ten", "ladder" or "game"
    Column("rules", String(40), nullable=False),
    Column("puzzles", Text, nullable=False),  # as `rows.daily` has them; of a game those of perfect play
    PrimaryKeyConstraint("day", "kind", "rules", name="drawn_days_pkey"),
)

open_seats = Table(
    "open_seats",
    metadata,
    # Who looks for an opponent, and whom they found: see `server.matchmaking`.
    Column("id", String(32), primary_key=True),
    Column("holder", String(32), ForeignKey("holders.id", ondelete="CASCADE"), nullable=False),
    Column("name", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("seconds", Integer, nullable=False),  # for each turn
    Column("level", Integer),  # that plays most nearly as the holder; null if unknown
    Column("near", Boolean, nullable=False),  # whether only somebody of about that level fits
    Column("since", Float, nullable=False),  # when it was opened, or when its game began
    Column("seen", Float, nullable=False),  # when the page of the holder last asked
    Column("table_id", String(64), ForeignKey("streams.id", ondelete="CASCADE")),  # of the game, once there is one
    Column("opponent", Text),  # the name of whom they found
    Column("casual", Boolean, nullable=False, server_default=false()),  # whether the game counts for no rating
    Index("open_seats_by_holder", "holder"),
    Index("open_seats_by_since", "since"),
)

blocks = Table(
    "blocks",
    metadata,
    # Holders who meet no more: `other` is not told.
    Column("holder", String(32), ForeignKey("holders.id", ondelete="CASCADE"), nullable=False),
    Column("other", String(32), ForeignKey("holders.id", ondelete="CASCADE"), nullable=False),
    Column("name", Text, nullable=False),  # of the other, as the holder knew it
    Column("since", Float, nullable=False),
    PrimaryKeyConstraint("holder", "other", name="blocks_pkey"),
    Index("blocks_by_other", "other"),
)

tries = Table(
    "tries",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("day", String(10), nullable=False),
    Column("kind", String(8), nullable=False),  # a `daily.results.Kind`
    Column("rules", String(40), nullable=False),
    Column("run", Integer, nullable=False),
    Column("holder", String(32), ForeignKey("holders.id", ondelete="CASCADE"), nullable=False),
    Column("began", Float, nullable=False),
    Column("ended", Float),  # null while it goes on; a day and a storm may be over without it
    Column("standing", BigInteger),  # of `daily.results.Tally`, from the answers; null without a rank
    Column("answers", Text, nullable=False),  # JSON of `rows.daily.StoredAnswer`, each graded when it is stored
    UniqueConstraint("day", "kind", "rules", "run", "holder", name="tries_once"),
    Index("tries_by_standing", "kind", "rules", "day", "standing"),
    Index("tries_by_holder", "holder", "day"),
)

reminders = Table(
    "reminders",
    metadata,
    # The browsers that asked for reminders, and how their push services reach them.
    Column("hash", LargeBinary, primary_key=True),  # SHA-256 of the address
    Column("holder", String(32), ForeignKey("holders.id", ondelete="CASCADE"), nullable=False),
    Column("address", Text, nullable=False),
    Column("key", String(100), nullable=False),  # with `auth`, what encrypts a message for the browser
    Column("auth", String(40), nullable=False),
    Column("lang", String(2), nullable=False),
    Column("site", String(300), nullable=False),  # the origin of this server, as the browser knows it
    Column("since", Float, nullable=False),
    Column("turns", Boolean, nullable=False),  # whether it wants to be told of turns and rematches
    Column("hour", Integer),  # from which it is told of the daily ten, 0 to 23; null if it is not
    Column("zone", String(64), nullable=False),  # the time zone of that hour, such as Europe/Berlin
    Column("told", String(10)),  # the last day there that needs no further reminder, in ISO 8601
    Column("refused", Float),  # since when its push service has refused every message; null if it has not
    Index("reminders_by_holder", "holder", "since"),
    Index("reminders_by_zone", "zone", "hour"),
)


MIGRATING = 0x66_69_76_65
"""Held while one of several starting processes migrates the schema ("five")."""

SERVING = 0x66_69_76_66
"""Shared by every serving process, so that a restore cannot replace what they serve."""

LOBBY = 0x6C_6F_62_62
"""The lock of whoever changes the open seats."""

PRUNING = 0x70_72_75_6E
"""Held by the process that deletes old tables ("prun")."""


def is_alone(connection: Connection, lock: int) -> bool:
    """Whether no other transaction holds a lock; if so, this one does until its end. Always true for SQLite."""
    if connection.dialect.name != "postgresql":
        return True
    return bool(connection.execute(text("SELECT pg_try_advisory_xact_lock(:lock)"), {"lock": lock}).scalar())


def insert_into(connection: Connection, table: Table) -> Any:
    """An INSERT with `on_conflict_do_update` and `on_conflict_do_nothing`, which both dialects have."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table)
