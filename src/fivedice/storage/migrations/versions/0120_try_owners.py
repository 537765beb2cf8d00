"""Stores which browsers have their tries of the daily in common."""

import sqlalchemy as sa
from alembic import op

revision = "0120"
down_revision = "0110"


def upgrade() -> None:
    """Create the table."""
    holder = sa.ForeignKey("holders.id", ondelete="CASCADE")
    owner = sa.ForeignKey("holders.id", ondelete="CASCADE")
    op.create_table(
        "try_owners",
        sa.Column("holder", sa.String(32), holder, primary_key=True),
        sa.Column("owner", sa.String(32), owner, nullable=False),
    )
    op.create_index("try_owners_by_owner", "try_owners", ["owner"])
