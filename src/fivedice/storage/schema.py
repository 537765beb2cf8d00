"""The database's tables as SQLAlchemy knows them; `migrations/` makes them, and a test holds the two together."""

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("secret", LargeBinary, nullable=False),  # what the dice are made of
    Column("created", Float, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("table_id", String(64), ForeignKey("tables.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("command", String(64), nullable=False),  # the id of the command that this event answers
    Column("at", Float, nullable=False),
    Column("body", Text, nullable=False),
    # Two writers can never both write the next version, nor one command twice.
    PrimaryKeyConstraint("table_id", "version", name="events_pkey"),
    UniqueConstraint("table_id", "command", name="events_table_id_command_key"),
    sqlite_with_rowid=False,
)

holders = Table(
    "holders",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", Float, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("hash", LargeBinary, primary_key=True),  # SHA-256 of the 256 bits that the browser keeps
    Column("holder", String(32), ForeignKey("holders.id"), nullable=False),
    Column("created", Float, nullable=False),
)

seat_holders = Table(
    "seat_holders",
    metadata,
    Column("table_id", String(64), ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("holder", String(32), ForeignKey("holders.id"), nullable=False),
    Column("since", Float, nullable=False),
    PrimaryKeyConstraint("table_id", "seat", "holder", name="seat_holders_pkey"),
    Index("seat_holders_by_holder", "holder", "since"),
)

seat_secrets = Table(
    "seat_secrets",
    metadata,
    Column("hash", LargeBinary, primary_key=True),  # SHA-256 of the 256 bits of a recovery link
    Column("table_id", String(64), ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("created", Float, nullable=False),
)

records = Table(
    "records",
    metadata,
    Column("holder", String(32), ForeignKey("holders.id"), nullable=False),
    Column("hash", LargeBinary, nullable=False),  # SHA-256 of the text: importing it twice keeps one
    Column("text", Text, nullable=False),
    Column("seat", Integer),  # the holder's own, where that is known
    Column("imported", Float, nullable=False),
    PrimaryKeyConstraint("holder", "hash", name="records_pkey"),
)

dice_cursors = Table(
    "dice_cursors",
    metadata,
    # How far the rolls of each table are counted, and what counting on from there needs.
    Column("table_id", String(64), ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, nullable=False),  # events up to this one are in `dice_counts`
    Column("open_boxes", Integer, nullable=False),  # of all seats; 0 when no more is rolled
    Column("faces", Integer, nullable=False),
    Column("dice", Text, nullable=False),  # the last roll in places, as digits; empty before it
    Column("last", Integer, nullable=False),  # the die rolled last; 0 before it
)
Index(
    "dice_cursors_open",
    dice_cursors.c.table_id,
    sqlite_where=dice_cursors.c.open_boxes > 0,
    postgresql_where=dice_cursors.c.open_boxes > 0,
)

dice_counts = Table(
    "dice_counts",
    metadata,
    Column("kind", String(16), nullable=False),
    Column("faces", Integer, nullable=False),
    Column("row", String(32), nullable=False),
    Column("column", String(16), nullable=False),
    Column("num", BigInteger, nullable=False),
    PrimaryKeyConstraint("kind", "faces", "row", "column", name="dice_counts_pkey"),
)

lessons = Table(
    "lessons",
    metadata,
    # What a holder knows of a position that was answered before: a row each, as the scheduler wants it.
    Column("holder", String(32), ForeignKey("holders.id"), nullable=False),
    Column("hash", LargeBinary, nullable=False),  # SHA-256 of the rules' digest and the position
    Column("stability", Float, nullable=False),
    Column("difficulty", Float, nullable=False),
    Column("answered", String(10), nullable=False),  # days in ISO 8601
    Column("due", String(10), nullable=False),
    PrimaryKeyConstraint("holder", "hash", name="lessons_pkey"),
)

uptime = Table(
    "uptime",
    metadata,
    # When the service was up: silence pauses while no process serves. In seconds since 1970.
    Column("process", String(16), nullable=False),
    Column("began", Float, nullable=False),
    Column("until", Float, nullable=False),
    PrimaryKeyConstraint("process", "began", name="uptime_pkey"),
)
