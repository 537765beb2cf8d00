"""Says of each imported record which game it is, when that began and who played it, and deletes what is there twice."""

import json
from itertools import groupby

import sqlalchemy as sa
from alembic import op

from fivedice.game.record_outline import outline_of_stored

revision = "0060"
down_revision = "0050"

# As this migration knows it, whatever becomes of the schema.
records = sa.table(
    "records",
    sa.column("holder", sa.String),
    sa.column("hash", sa.LargeBinary),
    sa.column("text", sa.Text),
    sa.column("seat", sa.Integer),
    sa.column("imported", sa.Float),
    sa.column("game", sa.LargeBinary),
    sa.column("table_id", sa.String),
    sa.column("played", sa.Float),
    sa.column("people", sa.Text),
)


def upgrade() -> None:
    """Add the columns, read every record once, and keep the longest record of each game."""
    op.add_column("records", sa.Column("game", sa.LargeBinary, nullable=False, server_default=""))
    op.add_column("records", sa.Column("table_id", sa.String(64)))
    op.add_column("records", sa.Column("played", sa.Float, nullable=False, server_default="0"))
    op.add_column("records", sa.Column("people", sa.Text, nullable=False, server_default="{}"))
    connection = op.get_bind()
    for holder in connection.execute(sa.select(records.c.holder).distinct()).scalars().all():
        _describe(connection, holder)
    op.create_index("records_by_game", "records", ["holder", "game"], unique=True)


def _describe(connection: sa.Connection, holder: str) -> None:
    """Fill in the columns of a holder's records. One of several records of a game stays, with the holder's seat."""
    wanted = sa.select(records.c.hash, records.c.text, records.c.seat, records.c.imported)
    rows = connection.execute(wanted.where(records.c.holder == holder)).all()
    outlines = {row.hash: outline_of_stored(row.text, row.imported) for row in rows}
    longest_first = sorted(rows, key=lambda row: (outlines[row.hash].game, -len(row.text)))
    kept = {game: list(same) for game, same in groupby(longest_first, key=lambda row: outlines[row.hash].game)}
    for first, *rest in list(kept.values()):
        outline = outlines[first.hash]
        if not outline.is_finished and not outline.table:
            others = (other for other, *_ in kept.values() if other is not first)
            if any(outlines[other.hash].continues(outline) for other in others):
                rest.append(first)
                del kept[outline.game]
        _delete(connection, holder, [row.hash for row in rest])
    for same in kept.values():
        outline = outlines[same[0].hash]
        # Earlier versions took the seat of a computer player, too.
        seats = [row.seat for row in same if row.seat in outline.people]
        mine = (records.c.holder == holder) & (records.c.hash == same[0].hash)
        values = {
            "game": outline.game,
            "table_id": outline.table,
            "played": outline.began,
            "people": json.dumps({str(seat): name for seat, name in outline.people.items()}, ensure_ascii=False),
            "seat": seats[0] if seats else None,
        }
        connection.execute(sa.update(records).where(mine).values(values))


def _delete(connection: sa.Connection, holder: str, hashes: list[bytes]) -> None:
    connection.execute(sa.delete(records).where(records.c.holder == holder, records.c.hash.in_(hashes)))
