"""Lets links to seats expire, be used once and be listed, and records when the device of a holder was last seen."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0030"

LINK_SECONDS = 7 * 86_400


def upgrade() -> None:
    """Add the columns and indexes. Existing links are valid for as long as new ones, from now on."""
    op.add_column("seat_secrets", sa.Column("kind", sa.String(8), nullable=False, server_default="link"))
    op.add_column("seat_secrets", sa.Column("maker", sa.String(32)))
    op.add_column("seat_secrets", sa.Column("expires", sa.Float, nullable=False, server_default="0"))
    op.add_column("seat_secrets", sa.Column("used", sa.Float))
    op.execute(sa.text("UPDATE seat_secrets SET expires = :expires").bindparams(expires=time.time() + LINK_SECONDS))
    op.create_index("seat_secrets_by_seat", "seat_secrets", ["table_id", "seat"])
    op.create_index("seat_secrets_by_expiry", "seat_secrets", ["expires"])
    op.add_column("seat_holders", sa.Column("seen", sa.Float))
