"""Stores clubs and their tournaments as logs of events, their members, and the tables of their rounds."""

import sqlalchemy as sa
from alembic import op

revision = "0140"
down_revision = "0130"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "clubs",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("club", sa.String(32)),
        sa.Column("secret", sa.LargeBinary, nullable=False),
    )
    op.create_index("clubs_by_club", "clubs", ["club"])
    op.create_table(
        "club_events",
        sa.Column("log", sa.String(32), sa.ForeignKey("clubs.id", ondelete="CASCADE"), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("command", sa.String(80), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("log", "version", name="club_events_pkey"),
        sa.UniqueConstraint("log", "command", name="club_events_once"),
    )
    op.create_table(
        "club_members",
        sa.Column("club", sa.String(32), sa.ForeignKey("clubs.id", ondelete="CASCADE"), nullable=False),
        sa.Column("holder", sa.String(32), sa.ForeignKey("holders.id", ondelete="CASCADE"), nullable=False),
        sa.Column("member", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("club", "holder", name="club_members_pkey"),
    )
    op.create_index("club_members_by_holder", "club_members", ["holder"])
    op.create_index("club_members_by_number", "club_members", ["club", "member"])
    op.create_table(
        "club_tables",
        sa.Column("table_id", sa.String(64), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("tournament", sa.String(32), sa.ForeignKey("clubs.id", ondelete="CASCADE"), nullable=False),
        sa.Column("has_ended", sa.Boolean, nullable=False),
    )
    op.create_index("club_tables_ended", "club_tables", ["has_ended", "tournament"])
