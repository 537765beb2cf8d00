"""Creates the tables as `schema` has them.

Nothing is released yet, so changes of the schema need no migration. With the first one, write this one out
(CONTRIBUTING, *a migration*), since both would make the change else.
"""

from alembic import op

from fivedice.storage.schema import metadata

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    metadata.create_all(op.get_bind(), checkfirst=False)
