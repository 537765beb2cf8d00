"""Stores games on the same dice for many people, and their tables."""

import sqlalchemy as sa
from alembic import op

revision = "0180"
down_revision = "0170"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "duplicates",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("opened", sa.Float, nullable=False),
        sa.Column("closes", sa.Float, nullable=False),
    )
    op.create_index("duplicates_by_closing", "duplicates", ["closes"])
    op.create_table(
        "duplicate_entries",
        sa.Column("table_id", sa.String(64), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("duplicate", sa.String(32), sa.ForeignKey("duplicates.id", ondelete="CASCADE"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("ended", sa.Float),
        sa.Column("score", sa.Integer),
        sa.UniqueConstraint("duplicate", "number", name="duplicate_entries_once"),
    )
