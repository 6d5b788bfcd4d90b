"""A whole result as a few bytes, streamed, so that results of any size can be compared and counted."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dragoman.databases.database import Database, Limits, Rows
from dragoman.metrics.canonical import canonical_column, encode, is_exact
from dragoman.metrics.flags import STRICT, Flags
from dragoman.metrics.rows_match import Result, rows_match

_BYTES = 32
_BATCH = 1000
_MODULUS = 1 << (8 * _BYTES)


@dataclass(frozen=True, slots=True)
class Bound:
    """What one digest may cost; beyond it a result is not comparable.

    seconds  for the query and the reading of its whole result
    bytes    canonical bytes that may pass through
    keep     canonical bytes of rows that are kept beside the digest; Python needs about five times as much
    again    the same for a second pass, made where only the rows can tell whether two results are equal
    """

    seconds: float = 120.0
    bytes: int = 8 * 2**30
    keep: int = 8 * 2**20
    again: int = 96 * 2**20


@dataclass(frozen=True, slots=True)
class Digest:
    """What stands for a whole result.

    multiset   sum of the hashes of all canonical rows (modulo 2^256): blind to their order
    ordered    hash of the canonical rows one after the other
    exact      whether no number is there to which a tolerance applies
    kept       the rows themselves, None where they were more than `Bound.keep`
    bytes      canonical bytes of all rows
    truncated  whether the bound was hit; the result is then not comparable
    """

    columns: tuple[str, ...]
    count: int
    multiset: int
    ordered: bytes
    exact: bool
    bytes: int = 0
    kept: Rows | None = None
    truncated: bool = False


def digest(columns: tuple[str, ...], batches: Iterable[Sequence[tuple[Any, ...]]], bound: Bound = Bound()) -> Digest:
    """Read `batches` of rows to their end, or to the bound.

    Equal `multiset` (or `ordered`) values mean equal results under the strict rule without tolerance.
    """
    started = time.monotonic()
    sequence = hashlib.blake2b(digest_size=_BYTES)
    count, total, passed, exact, truncated = 0, 0, 0, True, False
    kept: list[tuple[Any, ...]] | None = []
    for batch in batches:
        cells = [canonical_column(column) for column in zip(*batch, strict=True)]
        exact = exact and all(map(is_exact, cells))
        for row in zip(*cells, strict=True) if cells else batch:
            encoded = encode(row)
            passed += len(encoded)
            total += int.from_bytes(hashlib.blake2b(encoded, digest_size=_BYTES).digest())
            sequence.update(encoded)
        count += len(batch)
        if passed > bound.keep:
            kept = None
        if kept is not None:
            kept.extend(batch)
        if passed > bound.bytes or time.monotonic() - started > bound.seconds:
            truncated = True
            break
    rows = None if kept is None or truncated else Rows(columns, tuple(kept))
    return Digest(columns, count, total % _MODULUS, sequence.digest(), exact, passed, rows, truncated)


def digest_query(database: Database, sql: str, bound: Bound = Bound()) -> Digest:
    """The digest of the whole result of a query. Raises `Refused`, `QueryError` or `QueryTimeout`."""
    with database.stream(sql, Limits(rows=None, seconds=bound.seconds, bytes=None)) as stream:
        return digest(stream.columns, stream, bound)


def digest_rows(result: Result, bound: Bound = Bound()) -> Digest:
    """The digest of rows that are at hand."""
    batches = (result.rows[start : start + _BATCH] for start in range(0, len(result.rows), _BATCH))
    found = digest(result.columns, batches, bound)
    return replace(found, truncated=True, kept=None) if result.truncated else found


def digests_match(left: Digest, right: Digest, flags: Flags = STRICT) -> bool | None:
    """Whether two whole results are equal under `flags`, None where they are not comparable.

    That is where a bound was hit, or where a tolerance (or a flag that reads cells, rows or columns otherwise) would
    have to look at rows that were too many to keep.
    """
    if left.truncated or right.truncated:
        return None
    if len(left.columns) != len(right.columns) or (flags.duplicates and left.count != right.count):
        return False
    if left.ordered == right.ordered or (not flags.row_order and left.multiset == right.multiset):
        return True
    if left.kept is not None and right.kept is not None:
        return rows_match(left.kept, right.kept, flags)
    plain = flags.duplicates and flags.column_order and not flags.rewrites
    return False if plain and (not flags.tolerant or (left.exact and right.exact)) else None
