"""Fixtures that create a new database for each test."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from tests.reliability.databases import TargetDatabase, create_sqlite, open_postgres

_numbers = itertools.count()


@pytest.fixture
def postgres_database(postgres: str) -> TargetDatabase:
    name = f"test{next(_numbers)}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return open_postgres(make_url(postgres).set(database=name).render_as_string(hide_password=False))


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TargetDatabase]:
    if request.param == "postgres":
        yield request.getfixturevalue("postgres_database")
    else:
        with create_sqlite(tmp_path) as database:
            yield database
