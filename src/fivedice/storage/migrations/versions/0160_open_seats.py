"""Stores who looks for an opponent, and who wants to meet whom no more."""

import sqlalchemy as sa
from alembic import op

revision = "0160"
down_revision = "0150"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "open_seats",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("holder", sa.String(32), sa.ForeignKey("holders.id", ondelete="CASCADE"), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("seconds", sa.Integer, nullable=False),
        sa.Column("level", sa.Integer),
        sa.Column("near", sa.Boolean, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("table_id", sa.String(64), sa.ForeignKey("tables.id", ondelete="CASCADE")),
        sa.Column("opponent", sa.Text),
    )
    op.create_index("open_seats_by_holder", "open_seats", ["holder"])
    op.create_index("open_seats_by_since", "open_seats", ["since"])
    op.create_table(
        "blocks",
        sa.Column("holder", sa.String(32), sa.ForeignKey("holders.id", ondelete="CASCADE"), nullable=False),
        sa.Column("other", sa.String(32), sa.ForeignKey("holders.id", ondelete="CASCADE"), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("holder", "other", name="blocks_pkey"),
    )
    op.create_index("blocks_by_other", "blocks", ["other"])
