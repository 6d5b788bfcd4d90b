"""Loaders: the real sets where they are, and fixtures in their layout."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dragoman.bench.dataset import Dataset, only_open, take
from dragoman.bench.datasets.load import DATASETS, load
from dragoman.bench.run import run
from dragoman.databases import Database
from dragoman.errors import SetupError
from dragoman.metrics import judge
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Solver
from tests.shared_data import shared_data


def database(path: Path, *statements: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as connection:
        for statement in statements or (
            "CREATE TABLE t (a INTEGER, b TEXT)",
            "INSERT INTO t VALUES (1, 'x'), (2, 'y')",
        ):
            connection.execute(statement)
    connection.close()
    return path


def write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.suffix == ".jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in content) if lines else json.dumps(content), encoding="utf-8")


PAIR = {"db_id": "shop", "question": "How many?", "query": "SELECT count(*) FROM t"}


def answers_gold(dataset: Dataset, out: Path, rule: str = "strict") -> Counter[str]:
    """Verdicts on the gold queries themselves."""
    gold = {example.question.id: example.sql for example in dataset.examples}

    def bind(database: Database) -> Solver:
        def solve(question: Question, draw: Draw) -> Answer:
            return Answer(gold[question.id])

        return solve

    return Counter(line.verdict for line in run(bind, dataset, out).lines)


def test_spider_dev() -> None:
    dataset = load("spider", shared_data("data", "spider").parent, Path())
    assert len(dataset) == 1034
    assert len({example.database for example in dataset.examples}) == 20
    assert Counter(e.difficulty for e in dataset.examples) == {"easy": 248, "medium": 446, "hard": 174, "extra": 166}
    kept, missing = only_open(load("spider", shared_data("data", "spider").parent, Path(), "train"))
    assert (len(kept) + 96, set(missing)) == (7000, {"baseball_1", "soccer_1"})


def test_the_demo(tmp_path: Path) -> None:
    dataset = load("demo", Path(), tmp_path)
    assert len(dataset) == len({example.question.id for example in dataset.examples}) > 100
    assert answers_gold(take(dataset, 12), tmp_path / "run") == {"correct": 12}


def test_bird(tmp_path: Path) -> None:
    record = {
        "question_id": 17,
        "db_id": "shop",
        "question": "How many?",
        "evidence": "t holds sales",
        "SQL": "SELECT count(*) FROM t;",
        "difficulty": "simple",
    }
    write(tmp_path / "bird" / "dev.json", [record])
    write(tmp_path / "bird-mini-dev" / "mini_dev_sqlite.json", [record])
    for name in ("bird", "bird-mini-dev"):
        database(tmp_path / name / "dev_databases" / "shop" / "shop.sqlite")
        dataset = load(name, tmp_path, Path())
        example = dataset.examples[0]
        assert (example.question.id, example.question.evidence, example.difficulty) == (
            "dev-17",
            "t holds sales",
            "simple",
        )
        assert example.sql == "SELECT count(*) FROM t"
        assert dataset.note
        assert answers_gold(dataset, tmp_path / f"run-{name}") == {"correct": 1}


def test_dr_spider(tmp_path: Path) -> None:
    root = tmp_path / "dr-spider" / "data" / "DB_schema_abbreviation"
    write(root / "questions_pre_perturbation.json", [PAIR])
    write(root / "questions_post_perturbation.json", [{**PAIR, "db_id": "shop_0", "query": "SELECT count(*) FROM tt"}])
    database(root / "databases_pre_perturbation" / "shop" / "shop.sqlite")
    database(root / "database_post_perturbation" / "shop_0" / "shop_0.sqlite", "CREATE TABLE tt (a)")
    post, pre = (load("dr-spider", tmp_path, Path(), f"DB_schema_abbreviation{side}") for side in ("", ":pre"))
    assert (post.examples[0].database, pre.examples[0].database) == ("shop_0", "shop")
    assert answers_gold(post, tmp_path / "post") == answers_gold(pre, tmp_path / "pre") == {"correct": 1}


def test_kaggle_dbqa(tmp_path: Path) -> None:
    folder = tmp_path / "kaggle-dbqa"
    for name in ("Crime", "Soccer"):
        write(folder / "examples" / f"{name}_test.json", [{**PAIR, "db_id": name}])
        write(folder / "examples" / f"{name}_fewshot.json", [{**PAIR, "db_id": name}] * 2)
        database(folder / "databases" / name / f"{name}.sqlite")
    assert [len(load("kaggle-dbqa", tmp_path, Path(), split)) for split in ("test", "fewshot")] == [2, 4]
    assert answers_gold(load("kaggle-dbqa", tmp_path, Path()), tmp_path / "run") == {"correct": 2}


def test_beaver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        tmp_path / "beaver" / "dev.json",
        [{"db_id": "nova", "question": "How many?", "sql": "SELECT 1", "join_keys": []}],
    )
    with pytest.raises(SetupError, match="BEAVER_URL"):
        load("beaver", tmp_path, Path())
    monkeypatch.setenv("BEAVER_URL", "mysql://me@host/{database}")
    assert load("beaver", tmp_path, Path()).databases == {"nova": "mysql://me@host/nova"}


def test_spider2_lite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "spider2-lite"
    records = [
        {"instance_id": "local001", "db": "shop", "question": "Which?", "external_knowledge": "rules.md"},
        {"instance_id": "local002", "db": "shop", "question": "Who?", "external_knowledge": None},
        {"instance_id": "sf001", "db": "BIG", "question": "What?"},
    ]
    write(folder / "spider2-lite.jsonl", records)
    gold = folder / "evaluation_suite" / "gold"
    configured = [
        {"instance_id": "local001", "condition_cols": [1], "ignore_order": True},
        {"instance_id": "local002", "condition_cols": [[0], [0]], "ignore_order": True},
    ]
    write(gold / "spider2lite_eval.jsonl", configured)
    (gold / "sql").mkdir()
    (gold / "exec_result").mkdir()
    (gold / "sql" / "local001.sql").write_text("SELECT a, b FROM t\n")
    (gold / "exec_result" / "local001.csv").write_text("a,b\n1,x\n2,y\n")
    (gold / "exec_result" / "local002_a.csv").write_text("name\nz\n")
    (gold / "exec_result" / "local002_b.csv").write_text("name\nx\n")
    knowledge = folder / "resource" / "documents" / "rules.md"
    knowledge.parent.mkdir(parents=True)
    knowledge.write_text("x is the best")
    database(folder / "resource" / "databases" / "spider2-localdb" / "shop.sqlite")
    dataset = load("spider2-lite", tmp_path, Path())
    assert [example.question.id for example in dataset.examples] == ["local001", "local002"]
    assert dataset.examples[0].question.evidence == "x is the best"
    first, second = dataset.examples
    opened = dataset.open("shop")

    def verdict(example: Any, sql: str, rule: str) -> str:
        return str(judge(example, sql, opened, rule=rule, extras=dataset.extras[example.question.id]).verdict)

    assert verdict(first, "SELECT b, 9 FROM t ORDER BY b DESC", "spider2") == "correct"
    assert verdict(first, "SELECT b, 9 FROM t", "strict") == "wrong"
    assert verdict(second, "SELECT b FROM t WHERE a = 1", "spider2") == "correct"
    assert verdict(second, "SELECT b FROM t WHERE a = 2", "spider2") == "wrong"
    assert verdict(second, "SELECT b FROM t WHERE a = 1", "strict") == "unscored"
    monkeypatch.setenv("SNOWFLAKE_URL", "snowflake://me@account/{database}")
    assert load("spider2-lite", tmp_path, Path(), "sf").databases == {"BIG": "snowflake://me@account/BIG"}


def test_spider2_lite_as_published() -> None:
    """The published questions and gold SQL, without databases."""
    source = shared_data("data", "spider2_schemas")
    with pytest.raises(SetupError, match="spider2-localdb"):
        DATASETS["spider2-lite"][0](source, "local")


def test_bird_critic(tmp_path: Path) -> None:
    record = {
        "instance_id": "SQLite_1",
        "db_id": "shop",
        "query": "My query counts nothing.",
        "issue_sql": ["SELECT count(*) FROM t WHERE a = 'x'"],
        "sol_sql": ["SELECT count(*) FROM t"],
        "category": "Query",
        "test_cases": [],
    }
    write(tmp_path / "bird-critic" / "bird_critic.jsonl", [record])
    database(tmp_path / "bird-critic" / "database" / "shop" / "shop.sqlite")
    dataset = load("bird-critic", tmp_path, Path())
    example = dataset.examples[0]
    assert example.difficulty == "Query"
    assert "count(*) FROM t WHERE" in example.question.evidence
    assert dataset.extras["SQLite_1"]["published"]["template"].endswith("shop.sqlite")
    write(tmp_path / "bird-critic" / "bird_critic.jsonl", [{**record, "sol_sql": None}])
    with pytest.raises(SetupError, match="e-mail"):
        load("bird-critic", tmp_path, Path())


def test_snails(tmp_path: Path) -> None:
    folder = tmp_path / "snails"
    database(
        folder / "databases" / "Park.sqlite",
        "CREATE TABLE tbl_Deadwood (Event_ID INTEGER, Decay TEXT, Notes TEXT)",
        "INSERT INTO tbl_Deadwood VALUES (1, 'a', 'Decay'), (1, 'b', NULL), (2, 'c', '')",
    )
    queries = (
        "-- 1: How many events show decay?\nselect count(distinct Event_ID)\nfrom tbl_Deadwood\n;\n\n"
        "-- 2: Which event is the first?\n"
        "select top 1 Event_ID, 'Decay' from tbl_Deadwood order by Event_ID, Decay\n;\n"
    )
    (folder / "queries").mkdir()
    (folder / "queries" / "Park.sql").write_text(queries)
    header = "native_identifier,table_or_column,source_database,native_naturalness,"
    header += "N1_identifier,N2_identifier,N3_identifier\n"
    rows = "tbl_deadwood,table,Park,N2,dead_wood,tbl_Deadwood,tDw\n"
    rows += "Event_ID,column,Park,N1,Event_ID,Evt_ID,EID\nDecay,column,Park,N1,Decay,Dcy,D\n"
    (folder / "crosswalks").mkdir()
    (folder / "crosswalks" / "Park-consolidated-xwalk.csv").write_text(header + rows)
    native, least = load("snails", tmp_path, Path()), load("snails", tmp_path, Path(), "N3")
    assert native.examples[1].question == Question("Which event is the first?", id="Park-2")
    assert "LIMIT 1" in native.examples[1].sql
    assert least.renamed == {"Park": {"tbl_Deadwood": "tDw", "tbl_Deadwood.Event_ID": "EID", "tbl_Deadwood.Decay": "D"}}
    assert {column.name for table in least.open("Park").schema() for column in table.columns} == {"EID", "D", "Notes"}
    for one, other in zip(native.examples, least.examples, strict=True):
        assert native.open("Park").execute(one.sql).rows == least.open("Park").execute(other.sql).rows
    assert answers_gold(least, tmp_path / "run") == {"correct": 2}


@pytest.mark.parametrize("name", sorted(DATASETS))
def test_an_absent_set_says_where_to_get_it_and_how_it_lies(name: str, tmp_path: Path) -> None:
    with pytest.raises(SetupError) as caught:
        load(name, tmp_path, Path())
    said = str(caught.value)
    assert "http" in said
    assert str(tmp_path / name) in said
    assert "--data" in said


def test_unknown_names_and_splits(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"Choose one of demo, warehouse, spider"):
        load("nothing", tmp_path, Path())
    with pytest.raises(SetupError, match=r"no split x. Choose one of dev, train, test"):
        load("spider", tmp_path, Path(), "x")


def test_damaged_files_are_named(tmp_path: Path) -> None:
    database(tmp_path / "spider" / "database" / "shop" / "shop.sqlite")
    path = tmp_path / "spider" / "dev.json"
    for text, said in (("[{", "damaged"), ("{}", "not a list"), ('[{"db_id": "shop"}]', "record 0 lacks")):
        path.write_text(text)
        with pytest.raises(SetupError, match=said):
            load("spider", tmp_path, Path())


def test_few_examples_are_spread_over_the_set() -> None:
    dataset = load("spider", shared_data("data", "spider").parent, Path())
    few = take(dataset, 40)
    assert len(few) == 40
    assert len({example.database for example in few.examples}) >= 17
    assert take(dataset, 5000) is dataset
    assert set(few.examples) < set(take(dataset, 200).examples)
    assert len({example.database for example in take(dataset, 200).examples}) == 20


def test_a_test_suite_beside_the_database_is_used(tmp_path: Path) -> None:
    """On the database alone the wrong query passes the suite's rule; on its neighbour it does not."""
    folder = tmp_path / "spider"
    write(folder / "dev.json", [{**PAIR, "query": "SELECT b FROM t WHERE a = 1"}] * 2)
    home = folder / "database" / "shop"
    database(home / "shop.sqlite")
    dataset = load("spider", tmp_path, Path())
    wrong = "SELECT b FROM t WHERE b = 'x'"

    def verdict(dataset: Dataset) -> str:
        example = dataset.examples[0]
        extras = dataset.extras.get(example.question.id)
        return str(judge(example, wrong, dataset.open("shop"), rule="spider_test_suite", extras=extras).verdict)

    assert verdict(dataset) == "correct"
    database(
        home / "shop_test_1.sqlite", "CREATE TABLE t (a INTEGER, b TEXT)", "INSERT INTO t VALUES (1, 'z'), (2, 'x')"
    )
    suite = load("spider", tmp_path, Path())
    assert verdict(suite) == "wrong"
    assert list(suite.extras) == ["dev-0", "dev-1"]
