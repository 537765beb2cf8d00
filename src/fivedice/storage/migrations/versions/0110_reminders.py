"""Stores which browsers want reminders, and the key by which push services know the server."""

import sqlalchemy as sa
from alembic import op

revision = "0110"
down_revision = "0090"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "push_key",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("private", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "reminders",
        sa.Column("hash", sa.LargeBinary, primary_key=True),
        sa.Column("holder", sa.String(32), sa.ForeignKey("holders.id", ondelete="CASCADE"), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("key", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("lang", sa.String(2), nullable=False),
        sa.Column("site", sa.String(300), nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("turns", sa.Boolean, nullable=False),
        sa.Column("hour", sa.Integer),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("told", sa.String(10)),
    )
    op.create_index("reminders_by_holder", "reminders", ["holder", "since"])
    op.create_index("reminders_by_zone", "reminders", ["zone", "hour"])
