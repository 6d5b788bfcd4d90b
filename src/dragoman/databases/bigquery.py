"""BigQuery through its own client: every query is priced by a dry run first. No real project was at hand to test."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from dragoman.databases.bigquery_schema import bigquery_schema
from dragoman.databases.connection_error import connection_error
from dragoman.databases.database import View
from dragoman.databases.deadline import Deadline
from dragoman.databases.schema_cache import SchemaCache
from dragoman.databases.url import DatabaseURL, parse_url
from dragoman.errors import QueryError, SetupError
from dragoman.schema import Schema

try:
    from google.api_core.client_options import ClientOptions
    from google.api_core.exceptions import GoogleAPIError
    from google.auth.credentials import AnonymousCredentials
    from google.auth.exceptions import GoogleAuthError
    from google.cloud import bigquery
except ImportError:
    raise SetupError("BigQuery needs its client. Install it with: pip install 'dragoman[bigquery]'.") from None

PAGE = 500
SCHEMA_SECONDS = 3600.0  # BigQuery bills its catalogue queries
OPTIONS = frozenset({"location", "credentials_path", "maximum_bytes_billed", "endpoint"})


class BigQueryEngine:
    """One BigQuery project, or one dataset of it.

    Locks: the dry run tells what a statement is, and only a SELECT is run; `maximum_bytes_billed` of the URL is
    enforced by the server. `cost` gives the bytes that a query would read.

    Untested against a real project: log-in, cancelling, prices. Tested: the URL, what is passed to the client, and
    the schema, from rows as the documentation describes them and against a local stand-in. JSON columns arrive
    parsed, as the client parses them; they are given back as JSON text. An interval with months is text.
    """

    dialect = "bigquery"
    enforced: tuple[str, ...] = ("SELECT alone, by a dry run", "job timeout", "cancel at the deadline")
    gaps: tuple[str, ...] = (
        "BigQuery has no read-only sessions: use an account with the Data Viewer and Job User roles alone",
        "untested against a real project",
    )

    def __init__(self, url: DatabaseURL) -> None:
        """Connects. Raises `SetupError` if the credentials or the project cannot be used."""
        self.url = url
        if unknown := sorted(url.options.keys() - OPTIONS):
            raise SetupError(f"The options {', '.join(unknown)} are not known. Use {', '.join(sorted(OPTIONS))}.")
        self.name = url.database or url.host
        self._limit = url.options.get("maximum_bytes_billed")
        if self._limit:
            self.enforced = (*self.enforced, f"at most {self._limit} bytes billed")
        self._cache = SchemaCache()
        self._read_at = 0.0
        self._closed = False
        try:
            self._client = _client(url)
            self._datasets = [url.database] if url.database else [d.dataset_id for d in self._client.list_datasets()]
        except (GoogleAPIError, GoogleAuthError, OSError, ValueError) as error:
            raise connection_error(url, str(error)) from None

    def schema(self) -> Schema:
        """Tables and views of the datasets, read again after an hour at the earliest."""
        return self._cache.get(self._read_schema)

    def fingerprint(self) -> str:
        """A digest of when each table was last modified."""
        with self._translated(None):
            tables = [
                (table.reference.dataset_id, table.table_id, str(getattr(table, "created", "")))
                for dataset in self._datasets
                for table in self._client.list_tables(dataset)
            ]
        return hashlib.sha256(repr([str(self.url), tables, self.schema()]).encode("utf-8", "replace")).hexdigest()

    def cost(self, sql: str, seconds: float | None = None) -> float:
        """Bytes that the query would read, by a dry run, which costs nothing."""
        with self._translated(None):
            job = self._client.query(sql, job_config=bigquery.QueryJobConfig(dry_run=True, use_query_cache=False))
        if job.statement_type not in (None, "SELECT"):
            raise QueryError(f"Only queries can be run, not {job.statement_type} statements.")
        return float(job.total_bytes_processed or 0)

    @contextmanager
    def stream(self, sql: str, seconds: float | None) -> Iterator[BigQueryRows]:
        """Run one query; see `Engine.stream`."""
        if self._closed:
            raise QueryError("The database has been closed.")
        self.cost(sql)
        with self._translated(None):
            job = self._client.query(sql, job_config=job_config(seconds, self._limit), job_retry=None)
        deadline = Deadline(seconds, lambda: _cancel(job))
        finished = False
        try:
            with deadline:
                with self._translated(deadline):
                    rows = job.result(page_size=PAGE, job_retry=None)
                finished = True
                yield BigQueryRows(rows, lambda: self._translated(deadline))
        finally:
            if not finished:
                _cancel(job)

    def with_views(self, views: Sequence[View]) -> BigQueryEngine:
        """Not possible: BigQuery has no temporary views."""
        raise SetupError("BigQuery has no temporary views. Create the views in a dataset instead.")

    def close(self) -> None:
        """Close the client's connections."""
        self._closed = True
        self._client.close()

    def _read_schema(self, known: str) -> tuple[str, Schema | None]:
        now = time.monotonic()
        if known and now < self._read_at + SCHEMA_SECONDS:
            return known, None
        found = bigquery_schema(self._fetch, self._client.project, self._datasets, self.name)
        self._read_at = now
        return "read", found

    def _fetch(self, query: str) -> list[dict[str, Any]]:
        with self._translated(None):
            return [dict(row.items()) for row in self._client.query(query).result()]

    @contextmanager
    def _translated(self, deadline: Deadline | None) -> Iterator[None]:
        try:
            yield
            if deadline is not None:
                deadline.check()
        except (GoogleAPIError, GoogleAuthError, OSError, ValueError, OverflowError) as error:
            if deadline is not None and deadline.passed:
                raise deadline.timeout() from None
            text = getattr(error, "message", None) or str(error)
            raise QueryError(self.url.redact(" ".join(text.split())) or type(error).__name__) from None


class BigQueryRows:
    """An open BigQuery result; iterating yields pages as tuples."""

    def __init__(self, rows: Any, translated: Callable[[], AbstractContextManager[None]]) -> None:
        self.columns = tuple(field.name for field in rows.schema or ())
        self._types = [field.field_type for field in rows.schema or ()]
        self._pages = iter(rows.pages)
        self._translated = translated

    def __iter__(self) -> Iterator[Sequence[tuple[Any, ...]]]:
        while True:
            with self._translated():
                page = next(self._pages, None)
                batch = [tuple(map(_value, row.values(), self._types)) for row in page] if page is not None else []
            if page is None:
                return
            if batch:
                yield batch


def open_bigquery(url: str) -> BigQueryEngine:
    """Open `bigquery://project/dataset?location=EU&maximum_bytes_billed=1000000000`; the dataset may be left out.

    Credentials are Google's usual ones, or those of the file `credentials_path`; `endpoint` is for stand-ins.
    """
    return BigQueryEngine(parse_url(url))


def job_config(seconds: float | None, limit: str | None) -> Any:
    """What a query's job is given: standard SQL, the server's time limit and the bytes that it may bill."""
    config = bigquery.QueryJobConfig(use_legacy_sql=False, labels={"application": "dragoman"})
    if limit:
        config.maximum_bytes_billed = int(limit)
    if seconds is not None:
        config.job_timeout_ms = math.ceil(seconds * 1000)
    return config


def _client(url: DatabaseURL) -> Any:
    arguments: dict[str, Any] = {"location": url.options.get("location")}
    if endpoint := url.options.get("endpoint"):
        nobody: Any = AnonymousCredentials
        arguments |= {"client_options": ClientOptions(api_endpoint=endpoint), "credentials": nobody()}
    if path := url.options.get("credentials_path"):
        return bigquery.Client.from_service_account_json(path, project=url.host or None, **arguments)
    return bigquery.Client(project=url.host or None, **arguments)


def _cancel(job: Any) -> None:
    with contextlib.suppress(GoogleAPIError, GoogleAuthError, OSError):
        job.cancel(retry=None, timeout=10)


def _value(value: Any, kind: str) -> Any:
    if value is None:
        return None
    if kind == "JSON":
        return json.dumps(value, ensure_ascii=False)
    if kind == "INTERVAL" and hasattr(value, "months"):
        if value.years or value.months:
            return f"P{value.years}Y{value.months}M{value.days}DT{value.hours}H{value.minutes}M{value.seconds}S"
        parts = ("days", "hours", "minutes", "seconds", "microseconds")
        return datetime.timedelta(**{part: getattr(value, part) for part in parts})
    return value
