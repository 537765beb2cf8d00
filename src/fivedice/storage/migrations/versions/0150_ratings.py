"""Stores ratings by results, and which finished tables they count."""

import sqlalchemy as sa
from alembic import op

revision = "0150"
down_revision = "0140"


def upgrade() -> None:
    """Create the tables."""
    table = sa.ForeignKey("tables.id", ondelete="CASCADE")
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(64), table, primary_key=True),
        sa.Column("rated", sa.Float()),
    )
    is_new = sa.text("rated IS NULL")
    op.create_index("results_unrated", "results", ["table_id"], sqlite_where=is_new, postgresql_where=is_new)
    op.create_table(
        "ratings",
        sa.Column("holder", sa.String(32), sa.ForeignKey("holders.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
    )
