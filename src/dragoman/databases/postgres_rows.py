"""The rows of a PostgreSQL cursor, in batches of about 1 MiB."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import psycopg

from dragoman.databases.postgres_values import decoded_name

Cursor = psycopg.Cursor[tuple[Any, ...]] | psycopg.ServerCursor[tuple[Any, ...]]

FIRST_BATCH, LARGEST_BATCH, GROWTH = 8, 5000, 8
BATCH_BYTES = 2**20


class PostgresRows:
    """An open PostgreSQL cursor; iterating yields batches of tuples, each of about 1 MiB."""

    def __init__(self, cursor: Cursor, translated: Callable[[], AbstractContextManager[None]]) -> None:
        self.columns = tuple(decoded_name(cursor, column.name) for column in cursor.description or ())
        self._cursor = cursor
        self._translated = translated

    def __iter__(self) -> Iterator[Sequence[tuple[Any, ...]]]:
        size = FIRST_BATCH
        while True:
            with self._translated():
                batch = self._cursor.fetchmany(size)
            if not batch:
                return
            yield batch
            size = min(size * GROWTH, _next_size(self._cursor.pgresult, len(batch)))


def _next_size(result: Any, rows: int) -> int:
    """Rows that make about BATCH_BYTES, going by the first cells of the last batch."""
    sample = min(rows, 16)
    cells = (result.get_value(row, column) for row in range(sample) for column in range(result.nfields))
    width = sum(len(cell or b"") + 8 for cell in cells) or 1
    return max(1, min(LARGEST_BATCH, BATCH_BYTES * sample // width))
