"""Stores accounts with their passkeys, the challenges that these answer, and which browser has a key."""

import sqlalchemy as sa
from alembic import op

revision = "0170"
down_revision = "0160"


def upgrade() -> None:
    """Create the tables, and add the column."""
    op.create_table(
        "accounts",
        sa.Column("holder", sa.String(32), sa.ForeignKey("holders.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("name", sa.String(640), nullable=False),
        sa.Column("skeleton", sa.String(640), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("code", sa.LargeBinary(), nullable=False),
        sa.UniqueConstraint("skeleton", name="accounts_by_skeleton"),
        sa.UniqueConstraint("code", name="accounts_by_code"),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.LargeBinary(), primary_key=True),
        sa.Column("holder", sa.String(32), sa.ForeignKey("accounts.holder", ondelete="CASCADE"), nullable=False),
        sa.Column("public", sa.LargeBinary(), nullable=False),
        sa.Column("signs", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("used", sa.Float()),
        sa.Column("agent", sa.String(40), nullable=False),
    )
    op.create_index("passkeys_by_holder", "passkeys", ["holder"])
    op.create_table(
        "challenges",
        sa.Column("hash", sa.LargeBinary(), primary_key=True),
        sa.Column("browser", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.String(640)),
        sa.Column("expires", sa.Float(), nullable=False),
    )
    op.create_index("challenges_by_expiry", "challenges", ["expires"])
    op.add_column("keys", sa.Column("agent", sa.String(40)))
