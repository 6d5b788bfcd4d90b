"""On PostgreSQL a key brings the other columns of its table along in GROUP BY; through a view it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.apps.cli import run
from dragoman.questions import Example, Question, write_workload
from dragoman.refine.refinement import Refinement
from dragoman.refine.refinement_file import MadeFrom, RefinementFile, write_refinement
from dragoman.refine.schema_outline import outline
from tests.databases.places import PLACES
from tests.refine.test_refined_database import SHOP, opened

BY_KEY = "SELECT c.nm, sum(o.amt) FROM cst c JOIN ord o ON o.cst_id = c.cst_id GROUP BY c.cst_id"


def test_the_check_names_gold_that_groups_by_a_key_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    with PLACES["postgres"](tmp_path) as place:
        place.write(SHOP[:-1])
        base = opened(place.url)
        name = base.name
        file = RefinementFile(Refinement({("cst", "nm"): "name"}), MadeFrom(outline(base.schema())))
        base.close()
        write_refinement(file, tmp_path / "r.json")
        both = {"by-key": BY_KEY, "by-name": f"{BY_KEY}, c.nm"}
        examples = [Example(Question("What do they owe?", id=key), sql, name) for key, sql in both.items()]
        write_workload(examples, tmp_path / "w.jsonl")
        given = ["--db", place.url, "--workload", str(tmp_path / "w.jsonl")]
        assert run(["refine", "check", str(tmp_path / "r.json"), *given]) == 1
    said = capsys.readouterr().out
    assert "1 gold queries give the same result on the views." in said
    assert "by-key gives another result on the views" in said
    assert "must appear in the GROUP BY clause" in said
    assert "by-name" not in said
