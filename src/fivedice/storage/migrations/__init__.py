"""The migrations of the schema, one a file; Alembic runs those that a database lacks."""
