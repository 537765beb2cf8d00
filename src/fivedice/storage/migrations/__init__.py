"""How the schema came to be, one step a file; Alembic runs those that a database has not seen."""
