"""Creates counts of all dice rolled, a cursor for each table, and the schedule of lessons."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables, and a cursor for every existing table, so that all its rolls are counted."""
    op.create_table(
        "dice_cursors",
        sa.Column("table_id", sa.String(64), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("open_boxes", sa.Integer, nullable=False),
        sa.Column("faces", sa.Integer, nullable=False),
        sa.Column("dice", sa.Text, nullable=False),
        sa.Column("last", sa.Integer, nullable=False),
    )
    is_open = sa.text("open_boxes > 0")
    op.create_index("dice_cursors_open", "dice_cursors", ["table_id"], sqlite_where=is_open, postgresql_where=is_open)
    op.execute(
        "INSERT INTO dice_cursors (table_id, version, open_boxes, faces, dice, last)"
        " SELECT id, 0, 1, 0, '', 0 FROM tables"
    )
    op.create_table(
        "dice_counts",
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("faces", sa.Integer, nullable=False),
        sa.Column("row", sa.String(32), nullable=False),
        sa.Column("column", sa.String(16), nullable=False),
        sa.Column("num", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("kind", "faces", "row", "column", name="dice_counts_pkey"),
    )
    op.create_table(
        "lessons",
        sa.Column("holder", sa.String(32), sa.ForeignKey("holders.id"), nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("stability", sa.Float, nullable=False),
        sa.Column("difficulty", sa.Float, nullable=False),
        sa.Column("answered", sa.String(10), nullable=False),
        sa.Column("due", sa.String(10), nullable=False),
        sa.PrimaryKeyConstraint("holder", "hash", name="lessons_pkey"),
    )
