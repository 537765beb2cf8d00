"""Stores what was drawn for each day, and the tries of it with their answers."""

import sqlalchemy as sa
from alembic import op

revision = "0090"
down_revision = "0080"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "daily_secret",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("since", sa.String(10), nullable=False),
    )
    op.create_table(
        "daily_positions",
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("day", "kind", "rules", name="daily_positions_pkey"),
    )
    op.create_table(
        "tries",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("run", sa.Integer, nullable=False),
        sa.Column("holder", sa.String(32), sa.ForeignKey("holders.id", ondelete="CASCADE"), nullable=False),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("ended", sa.Float),
        sa.Column("standing", sa.BigInteger),
        sa.UniqueConstraint("day", "kind", "rules", "run", "holder", name="tries_once"),
    )
    op.create_index("tries_by_standing", "tries", ["kind", "rules", "day", "standing"])
    op.create_index("tries_by_holder", "tries", ["holder", "day"])
    op.create_table(
        "answers",
        sa.Column("try_id", sa.String(32), sa.ForeignKey("tries.id", ondelete="CASCADE"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("action", sa.String(100), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("try_id", "number", name="answers_pkey"),
        sqlite_with_rowid=False,
    )
