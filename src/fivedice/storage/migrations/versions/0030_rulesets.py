"""Creates the texts of custom rules, to which tables and imported records refer."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0020"


def upgrade() -> None:
    """Create the table, empty: texts in events and records that are stored already stay there."""
    op.create_table(
        "rulesets",
        sa.Column("hash", sa.LargeBinary, primary_key=True),
        sa.Column("toml", sa.Text, nullable=False),
    )
    is_used = sa.text("ruleset IS NOT NULL")
    for table in ("tables", "records"):
        # With the reference in the definition of the column, because SQLite cannot add a constraint.
        op.add_column(
            table, sa.Column("ruleset", sa.LargeBinary, sa.ForeignKey("rulesets.hash")), inline_references=True
        )
        op.create_index(f"{table}_by_ruleset", table, ["ruleset"], sqlite_where=is_used, postgresql_where=is_used)
