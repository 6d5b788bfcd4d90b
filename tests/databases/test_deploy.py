"""Deploying views: all or none, nothing replaced, on four engines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.databases.database import View
from dragoman.databases.deploy import deploy, deploy_script
from dragoman.errors import SetupError
from tests.databases.places import PLACES, Place


@pytest.fixture(params=list(PLACES))
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    with PLACES[request.param](tmp_path) as made:
        made.write(["CREATE TABLE t (x INTEGER)", "INSERT INTO t VALUES (7)"])
        yield made


def names(place: Place) -> list[tuple[str, str]]:
    engine = place.open()
    found = [(t.kind, t.name) for t in engine.schema() if not t.name.startswith("made")]
    engine.close()
    return found


VIEWS = [View("clear AS names", "SELECT x AS clear FROM t"), View("other", "SELECT 1 AS one")]


def test_views_are_created_and_dropped(place: Place) -> None:
    before = names(place)
    script = deploy(place.admin_url, VIEWS, "apply")
    dialect = {"mariadb": "mysql"}.get(place.engine, place.engine)
    assert script == deploy_script(VIEWS, "apply", dialect)
    assert script.count(";\n") == 2
    assert {("view", "clear AS names"), ("view", "other")} < set(names(place))
    engine = place.open()
    mark = "`" if place.engine == "mariadb" else '"'
    with engine.stream(f"SELECT clear FROM {mark}clear AS names{mark}", 20) as stream:
        assert [tuple(row) for batch in stream for row in batch] == [(7,)]
    engine.close()
    deploy(place.admin_url, VIEWS, "drop")
    assert names(place) == before


def test_a_name_that_is_taken_leaves_everything_as_it_was(place: Place) -> None:
    before = names(place)
    with pytest.raises(SetupError, match="none was") as caught:
        deploy(place.admin_url, [*VIEWS, View("t", "SELECT 1 AS one")], "apply")
    assert "\n" not in str(caught.value)
    assert names(place) == before


def test_the_readers_login_may_not_write(place: Place) -> None:
    if place.engine in ("sqlite", "duckdb"):
        pytest.skip("a file has no logins")
    with pytest.raises(SetupError):
        deploy(place.url, VIEWS, "apply")
    assert names(place) == [("table", "t")]


def test_a_schema_of_their_own_is_created(place: Place) -> None:
    if place.engine not in ("postgres", "duckdb"):
        pytest.skip("no schemas beside the tables")
    deploy(place.admin_url, VIEWS, "apply", "refined")
    if place.engine == "postgres":
        place.write(["GRANT USAGE ON SCHEMA refined TO dragoman_reader"])
    engine = place.open()
    assert engine.schema().table("other", "refined") is not None
    engine.close()


def test_where_nothing_can_be_written_the_script_helps() -> None:
    with pytest.raises(SetupError, match="dry run"):
        deploy("bigquery://project/dataset", VIEWS, "apply")
    assert deploy_script(VIEWS[1:], "drop", "bigquery", "d") == "DROP VIEW `d`.`other`;\n"
    with pytest.raises(SetupError):
        deploy("/nowhere/at all.duckdb", VIEWS, "apply")
    with pytest.raises(SetupError):
        deploy("/nowhere/at all.sqlite", VIEWS, "apply")
