"""What the server keeps: events, holders and records, in SQLite or PostgreSQL through one SQLAlchemy layer."""
