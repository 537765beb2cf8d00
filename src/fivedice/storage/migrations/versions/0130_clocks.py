"""Stores when the clocks of tables run out."""

import sqlalchemy as sa
from alembic import op

revision = "0130"
down_revision = "0120"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "clocks",
        sa.Column("table_id", sa.String(64), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("due", sa.Float, nullable=False),
    )
    op.create_index("clocks_by_due", "clocks", ["due"])
