"""Creates what retention needs: the stage of a table, when people last used it, and which tables have changed.

Each statement takes constant time, or reads small rows once; events are not read. The background job of the next server
reads the events of all tables once, and fills in their stage.
"""

import time

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0030"


def upgrade() -> None:
    """Add the columns and indexes, and mark all tables as changed."""
    op.add_column("tables", sa.Column("stage", sa.String(8)))
    op.add_column("tables", sa.Column("active", sa.Float))
    op.create_index("tables_by_stage", "tables", ["stage", "active"])
    # Nobody knows when the present holders last came: their time begins now.
    now = sa.Column("seen", sa.Float, nullable=False, server_default=sa.text(repr(time.time())))
    op.add_column("holders", now)
    op.create_index("holders_by_seen", "holders", ["seen"])
    op.create_index("keys_by_holder", "keys", ["holder"])
    op.create_index("seat_secrets_by_table", "seat_secrets", ["table_id", "seat"])
    op.create_table(
        "changed_tables",
        sa.Column("table_id", sa.String(64), sa.ForeignKey("tables.id"), primary_key=True),
    )
    op.execute("INSERT INTO changed_tables (table_id) SELECT id FROM tables")
    op.drop_index("dice_cursors_open", "dice_cursors")
