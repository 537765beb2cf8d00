"""The database's tables as SQLAlchemy knows them; `migrations/` makes them, and a test holds the two together."""

from sqlalchemy import (
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
