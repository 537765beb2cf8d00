"""Stores from which seats of a table advice is withheld now, so that one query tells whether a holder has such a seat.

For present tables it is all seats, unless the game is complete or its first event says that it gives advice or has a
tutor. That is corrected when the game begins or ends, and without effect some time after the last event.
"""

import sqlalchemy as sa
from alembic import op

revision = "0070"
down_revision = "0060"


def upgrade() -> None:
    """Add the column, and fill it from the first event of each table."""
    op.add_column("tables", sa.Column("withheld_from", sa.Integer, nullable=False, server_default="0"))
    # Quotation marks within texts of the events are escaped, so these match the fields only. `\:` is a colon.
    op.execute(
        r"""
        UPDATE tables SET withheld_from = 4095 WHERE (stage IS NULL OR stage <> 'over') AND id IN (
            SELECT table_id FROM events WHERE version = 1 AND body NOT LIKE '%"advice"\:"always"%'
            AND body NOT LIKE '%"help"\:"always"%' AND body NOT LIKE '%"help"\:"tutor"%'
            AND (body NOT LIKE '%"tutor"\:%' OR body LIKE '%"tutor"\:0.0,%' OR body LIKE '%"advice"\:"after"%')
        )
        """
    )
