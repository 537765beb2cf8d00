"""The script that Alembic runs to migrate; `fivedice.storage.migrate` passes the connection."""

from alembic import context

from fivedice.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
