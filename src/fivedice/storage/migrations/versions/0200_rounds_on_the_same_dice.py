"""Lets a duplicate be a round of a tournament, which waits for its result."""

import sqlalchemy as sa
from alembic import op

revision = "0200"
down_revision = "0190"


def upgrade() -> None:
    """Add the columns, empty for all duplicates so far, and the index of those whose result is waited for."""
    op.add_column("duplicates", sa.Column("tournament", sa.String(32)))
    op.add_column("duplicates", sa.Column("counted", sa.Float))
    is_waited_for = sa.text("tournament IS NOT NULL AND counted IS NULL")
    op.create_index(
        "duplicates_uncounted", "duplicates", ["closes"], sqlite_where=is_waited_for, postgresql_where=is_waited_for
    )
