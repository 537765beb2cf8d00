"""Stores how far servers have seen time pass, because a system's clock may be wrong.

It begins with the end of the last span in which a server of an earlier version ran.
"""

import sqlalchemy as sa
from alembic import op

revision = "0080"
down_revision = "0070"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "trusted_time",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("until", sa.Float, nullable=False),
        sa.Column("claim", sa.Float, nullable=False),
        sa.Column("claimed", sa.Float, nullable=False),
    )
    op.execute(
        "INSERT INTO trusted_time (id, until, claim, claimed) "
        "SELECT 1, max(until), 0, max(until) FROM uptime HAVING max(until) IS NOT NULL"
    )
