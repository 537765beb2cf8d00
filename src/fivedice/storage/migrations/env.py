"""What Alembic runs to migrate: the connection is given by `fivedice.storage.migrate`."""

from alembic import context

from fivedice.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
