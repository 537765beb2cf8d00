"""Creates the spans of time in which processes served."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0010"


def upgrade() -> None:
    """Create the table, empty: no time before counts towards idle timeouts."""
    op.create_table(
        "uptime",
        sa.Column("process", sa.String(16), nullable=False),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("process", "began", name="uptime_pkey"),
    )
