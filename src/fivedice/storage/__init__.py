"""The server's database: events, holders and records, in SQLite or PostgreSQL, through SQLAlchemy."""
