"""Stores who looks for a casual game."""

import sqlalchemy as sa
from alembic import op

revision = "0190"
down_revision = "0180"


def upgrade() -> None:
    """Add the column."""
    op.add_column("open_seats", sa.Column("casual", sa.Boolean, nullable=False, server_default=sa.false()))
