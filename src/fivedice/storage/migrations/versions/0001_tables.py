"""Creates the first schema: tables and their events, holders and their keys, seats, imported records."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(64), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("command", sa.String(64), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "version", name="events_pkey"),
        sa.UniqueConstraint("table_id", "command", name="events_table_id_command_key"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "holders",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "keys",
        sa.Column("hash", sa.LargeBinary, primary_key=True),
        sa.Column("holder", sa.String(32), sa.ForeignKey("holders.id"), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "seat_holders",
        sa.Column("table_id", sa.String(64), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("holder", sa.String(32), sa.ForeignKey("holders.id"), nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", "holder", name="seat_holders_pkey"),
    )
    op.create_index("seat_holders_by_holder", "seat_holders", ["holder", "since"])
    op.create_table(
        "seat_secrets",
        sa.Column("hash", sa.LargeBinary, primary_key=True),
        sa.Column("table_id", sa.String(64), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "records",
        sa.Column("holder", sa.String(32), sa.ForeignKey("holders.id"), nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("imported", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("holder", "hash", name="records_pkey"),
    )
