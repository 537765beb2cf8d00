"""A new database for each test."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from tests.reliability.databases import Place, place_at, sqlite_place

_numbers = itertools.count()


@pytest.fixture
def postgres_database(postgres: str) -> Place:
    """A new, empty database."""
    name = f"test{next(_numbers)}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return place_at(make_url(postgres).set(database=name).render_as_string(hide_password=False))


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A new database of each kind."""
    if request.param == "postgres":
        yield request.getfixturevalue("postgres_database")
    else:
        with sqlite_place(tmp_path) as place:
            yield place
