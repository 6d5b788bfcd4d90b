"""On PostgreSQL a key brings the other columns of its table along in GROUP BY; a view has none, and gives the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.apps.cli import run
from dragoman.errors import QueryError
from dragoman.questions import Example, Question, write_workload
from dragoman.refine.refined_database import RefinedDatabase
from dragoman.refine.refinement import Refinement
from dragoman.refine.refinement_file import MadeFrom, RefinementFile, write_refinement
from dragoman.refine.schema_outline import outline
from dragoman.sql.rename import rename
from tests.databases.places import PLACES, Place
from tests.refine.random_refinements import Queries, random_refinement, random_tables
from tests.refine.test_refined_database import SHOP, multiset, opened

LEFT = "CASCADE"
"""A session that has just been closed may still have its views: the server ends it in its own time."""

BY_KEY = "SELECT c.nm, sum(o.amt) FROM cst c JOIN ord o ON o.cst_id = c.cst_id GROUP BY c.cst_id"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with PLACES["postgres"](tmp_path_factory.mktemp("postgres")) as made:
        yield made


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_grouping_by_a_key_gives_on_views_what_it_gives_on_the_base(place: Place, seed: int) -> None:
    random = Random(seed)
    statements, made = random_tables(random, "postgres")
    quoted = [f'"{name}"' for name, _ in made]
    place.write(["; ".join(statements)])
    base = opened(place.url)
    try:
        refinement = random_refinement(random, base.schema())
        queries = Queries(random, base.schema())
        for how in ("views", "overlay"):
            refined = RefinedDatabase(base, refinement, how)  # type: ignore[arg-type]
            for sql in (queries.by_key() for _ in range(10)):
                for written in (rename(sql, base.schema(), refinement.names), refined.rewritten(sql)):
                    assert multiset(refined, written) == multiset(base, sql), (sql, written, refinement)
            refined.close()
    finally:
        base.close()
        place.write([f"DROP TABLE {', '.join(quoted)} {LEFT}"])


SHAPES = {
    "by number": "SELECT cst_id, nm FROM cst GROUP BY 1",
    "by alias": "SELECT cst_id AS k, nm FROM cst GROUP BY k ORDER BY nm DESC",
    "star": "SELECT c.* FROM cst AS c GROUP BY c.cst_id",
    "whole row": "SELECT row_to_json(c)::text LIKE '%Ada%' FROM cst c GROUP BY c.cst_id",
    "in a subquery": "SELECT (SELECT max(o.amt) FROM ord o WHERE o.cst_id = c.cst_id) FROM cst c GROUP BY c.cst_id",
    "from inside": 'SELECT (SELECT c."two words") FROM cst c WHERE EXISTS (SELECT ord_id, amt FROM ord GROUP BY 1) '
    "GROUP BY c.cst_id",
    "outer join": "SELECT o.ord_id, c.nm, count(*) FROM ord o LEFT JOIN cst c USING (cst_id) "
    "GROUP BY c.cst_id, o.ord_id HAVING c.nm <> 'x' OR o.amt > 1",
    "window": "SELECT nm, sum(count(*)) OVER (PARTITION BY sts) FROM cst GROUP BY (cst_id)",
    "in a CTE": 'WITH c AS (SELECT nm, count(*) AS "Group by" FROM (cst JOIN ord USING (cst_id)) GROUP BY cst.cst_id) '
    'SELECT nm, sum("Group by") FROM c GROUP BY nm',
}


def test_keys_are_seen_in_every_shape(place: Place) -> None:
    place.write(["; ".join(SHOP[:-1])])
    base = opened(place.url)
    try:
        names = Refinement({("cst", "nm"): "full name", ("ord", "amt"): "amount"}, {"cst": "Customer"})
        for how in ("views", "overlay"):
            refined = RefinedDatabase(base, names, how)  # type: ignore[arg-type]
            for sql in SHAPES.values():
                assert multiset(refined, rename(sql, base.schema(), names.names)) == multiset(base, sql), sql
            with pytest.raises(QueryError, match="must appear in the GROUP BY clause"):
                refined.execute('SELECT "full name" FROM "Customer" GROUP BY sts')
            refined.close()
    finally:
        base.close()
        place.write([f"DROP TABLE ord, cst {LEFT}"])


def test_what_deployed_views_ask_for_is_told_by_check_and_apply(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    place.write(["; ".join(SHOP[:-1])])
    try:
        base = opened(place.url)
        name = base.name
        file = RefinementFile(Refinement({("cst", "nm"): "name"}), MadeFrom(outline(base.schema())))
        base.close()
        write_refinement(file, tmp_path / "r.json")
        both = {"by-key": BY_KEY, "by-name": f"{BY_KEY}, c.nm"}
        examples = [Example(Question("What do they owe?", id=key), sql, name) for key, sql in both.items()]
        write_workload(examples, tmp_path / "w.jsonl")
        given = ["--db", place.url, "--workload", str(tmp_path / "w.jsonl")]
        assert run(["refine", "check", str(tmp_path / "r.json"), *given]) == 0
        checked = capsys.readouterr().out
        assert run(["refine", "apply", str(tmp_path / "r.json"), "--schema", "clear", *given]) == 0
        applied = capsys.readouterr().out
        assert run(["refine", "plan", *given]) in (0, 1)
        planned = capsys.readouterr().out
    finally:
        place.write([f"DROP TABLE ord, cst {LEFT}"])
    need = "by-key: a view has no primary key, so GROUP BY needs {} of cst as well.\n"
    assert "2 gold queries give the same result on the views." in checked
    assert f"Rewrite the stored query {need.format('name')}" in checked
    assert f"-- rewrite {need.format('name')}" in applied
    assert f"Deployed, the views need this query changed: {need.format('nm')}" in planned
    assert "by-name" not in checked + applied + planned
