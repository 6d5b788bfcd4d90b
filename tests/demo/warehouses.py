"""The warehouse in both engines, made for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dragoman.demo.warehouse.load_postgres import load_postgres
from tests.databases.places import Place, postgres_place


@contextmanager
def warehouse_in_postgres() -> Iterator[Place]:
    """Loaded by the owner, to be read with the least-privilege login."""
    with postgres_place(Path()) as place:
        place.write(["ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO dragoman_reader"])
        load_postgres(place.admin_url)
        yield place
