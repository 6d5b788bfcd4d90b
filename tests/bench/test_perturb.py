"""Perturbed schemas."""

from __future__ import annotations

import ast
import re
import sqlite3
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dragoman
from dragoman.bench.dataset import Dataset, take
from dragoman.bench.datasets.load import load
from dragoman.bench.perturb import perturb
from dragoman.bench.perturb.abbreviate import by_list, by_rule
from dragoman.bench.perturb.database_copy import copy_renamed
from dragoman.bench.perturb.renaming import KINDS, renaming
from dragoman.bench.perturb.synonym import synonym
from dragoman.bench.perturb.word_list import read_word_list
from dragoman.bench.perturb.words import change_words, pieces
from dragoman.databases import Limits, connect
from dragoman.errors import SetupError
from dragoman.questions import Example, Question
from tests.shared_data import shared_data

PACKAGE = Path(dragoman.__file__).parent
ROOT = PACKAGE.parents[1]
EVERYTHING = Limits(None, 60.0, None)


@given(st.text(max_size=30))
def test_pieces_make_up_the_name(name: str) -> None:
    assert "".join(pieces(name)) == name
    assert change_words(name, str.lower).lower() == name.lower()


@pytest.mark.parametrize(
    ("name", "changed"),
    [("song_release_year", "sng_rls_yr"), ("StudentName", "StudNm"), ("COUNTRY", "CTRY"), ("Vote ID2", "Vt ID2")],
)
def test_case_and_separators_stay(name: str, changed: str) -> None:
    assert change_words(name, by_list) == changed


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=15), st.integers())
def test_the_rule_shortens_and_keeps_the_first_letter(word: str, seed: int) -> None:
    short = by_rule(word, Random(seed))
    assert short == by_rule(word, Random(seed))
    assert short[0] == word[0]
    letters = iter(word)
    assert all(letter in letters for letter in short), "letters keep their order"
    assert len(short) < len(word) if len(word) >= 4 else short == word


def test_lists_hold_one_other_word_a_word() -> None:
    assert all(
        len(short) < len(word) and short[0] == word[0] for word, short in read_word_list("abbreviations.txt").items()
    )
    assert all(other != word for word, other in read_word_list("synonyms.txt").items())
    assert (by_list("countries"), by_list("singers"), synonym("singers")) == ("countries", "sngrs", "vocalists")


def crowded(path: Path) -> Path:
    """Names that clash, quotes, a view, a foreign key, an index, and text that is not UTF-8."""
    path.parent.mkdir(parents=True)
    with sqlite3.connect(path) as connection:
        connection.executescript(
            """
            CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT, nm TEXT, "first name" TEXT);
            CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, country TEXT REFERENCES country (code), ctry TEXT);
            CREATE INDEX city_by_name ON city (name, country);
            CREATE VIEW populous AS SELECT c.name, k.code FROM city c JOIN country k ON c.country = k.code;
            INSERT INTO country VALUES ('no', 'Norway', 'n', 'a'), ('jp', 'Japan', 'j', 'b');
            INSERT INTO city VALUES (1, 'Oslo', 'no', 'x'), (2, CAST(X'4bff' AS TEXT), 'jp', 'name');
            """
        )
    connection.close()
    return path


@pytest.fixture
def crowded_set(tmp_path: Path) -> Dataset:
    path = crowded(tmp_path / "data" / "world" / "world.sqlite")
    golds = [
        'SELECT name, nm, "first name" FROM country WHERE name = "Norway"',
        "SELECT T1.name FROM city AS T1 JOIN country AS T2 ON T1.country = T2.code WHERE T1.ctry <> 'name'",
        "SELECT * FROM populous ORDER BY name",
        "SELECT code FROM country EXCEPT SELECT country FROM city WHERE name = 'Oslo'",
    ]
    examples = tuple(Example(Question("?", id=str(i)), sql, "world") for i, sql in enumerate(golds))
    return Dataset("own", "all", examples, {"world": str(path)})


@pytest.mark.parametrize("kind", KINDS)
def test_gold_gives_the_same_rows_and_names_stay_apart(kind: str, crowded_set: Dataset, tmp_path: Path) -> None:
    found = perturb(crowded_set, kind, tmp_path / "copies")
    assert found.split == f"all-{kind}"
    old, new = crowded_set.open("world"), found.open("world")
    for before, after in zip(crowded_set.examples, found.examples, strict=True):
        assert old.execute(before.sql).rows == new.execute(after.sql).rows
    assert found.renamed["world"]
    for table in new.schema():
        names = [column.name.lower() for column in table.columns]
        assert len(names) == len(set(names))
    with sqlite3.connect(found.databases["world"]) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


def test_a_clash_leaves_the_name_and_views_follow(crowded_set: Dataset, tmp_path: Path) -> None:
    found = perturb(crowded_set, "list", tmp_path / "copies")
    assert found.renamed["world"] == {
        "country.code": "cd",
        "country.first name": "fst nm",
        "populous.code": "cd",
    }


def test_the_same_seed_gives_the_same_names_and_copies_are_kept(crowded_set: Dataset, tmp_path: Path) -> None:
    first, again, other = (perturb(crowded_set, "rule", tmp_path / "copies", seed) for seed in (1, 1, 2))
    assert (first.renamed, first.databases) == (again.renamed, again.databases)
    assert other.databases != first.databases
    share = perturb(crowded_set, "rule", tmp_path / "copies", 1, share=0.0)
    assert share.renamed == {"world": {}}


def test_only_sqlite_files_and_known_kinds(crowded_set: Dataset, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="Choose one of rule, list, synonym"):
        perturb(crowded_set, "shuffle", tmp_path)
    with pytest.raises(SetupError, match="cannot be copied"):
        copy_renamed(Path(crowded_set.databases["world"]), tmp_path / "x.sqlite", {("city", "nowhere"): "x"})
    assert not (tmp_path / "x.sqlite").exists()


def rows_of_both(dataset: Dataset, kind: str, folder: Path) -> Iterator[bool]:
    found = perturb(dataset, kind, folder)
    assert len(found) == len(dataset)
    old = {name: dataset.open(name) for name in found.databases}
    new = {name: found.open(name) for name in found.databases}
    for before, after in zip(dataset.examples, found.examples, strict=True):
        first = old[before.database].execute(before.sql, EVERYTHING)
        yield first.rows == new[after.database].execute(after.sql, EVERYTHING).rows


@pytest.mark.parametrize("kind", KINDS)
def test_a_part_of_spider_dev_gives_the_same_rows(kind: str, tmp_path: Path) -> None:
    dataset = take(load("spider", shared_data("data", "spider").parent, Path()), 100)
    assert sum(rows_of_both(dataset, kind, tmp_path)) == 100


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_all_of_spider_dev_gives_the_same_rows(kind: str, tmp_path: Path) -> None:
    dataset = load("spider", shared_data("data", "spider").parent, Path())
    assert sum(rows_of_both(dataset, kind, tmp_path)) == 1034


def test_most_columns_of_spider_are_renamed() -> None:
    """So that a perturbed set is a hard one: more than half of the columns of dev under each kind."""
    dataset = load("spider", shared_data("data", "spider").parent, Path())
    names = dict.fromkeys(example.database for example in dataset.examples)
    schemas = [connect(dataset.databases[name]).schema() for name in names]
    total = sum(len(table.columns) for schema in schemas for table in schema)
    for kind in KINDS:
        assert sum(len(renaming(schema, kind, Random(0))) for schema in schemas) > total / 2


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return names | {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}


PERTURB = PACKAGE / "bench" / "perturb"
MAY_IMPORT = {PACKAGE / "apps" / "bench.py", PACKAGE / "bench" / "datasets" / "snails.py"}


def test_nothing_that_proposes_names_or_trains_reads_the_perturbations() -> None:
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "training").rglob("*.py")]
    readers = {path for path in files if any(name.startswith("dragoman.bench.perturb") for name in imported(path))}
    assert {path for path in readers if PERTURB not in path.parents} <= MAY_IMPORT
    naming = [path for path in files if PERTURB not in path.parents and path not in MAY_IMPORT]
    assert not [path for path in naming if "bench.perturb" in path.read_text("utf-8")]


def test_the_perturbations_read_nothing_that_proposes_names_or_trains() -> None:
    rooms = ("refine", "learn", "linking", "workflows", "agent", "ensemble", "models")
    for path in PERTURB.rglob("*.py"):
        assert not [name for name in imported(path) if name.startswith(tuple(f"dragoman.{room}" for room in rooms))]


def test_no_list_is_shared() -> None:
    """No other file of the package or of training/ holds more than a fifth of a list's pairs side by side.

    Two lists that were written apart have the usual short forms (avg, amt, addr) in common, and no more than these.
    """
    lists = [list(read_word_list(file).items()) for file in ("abbreviations.txt", "synonyms.txt")]
    files = [path for folder in (PACKAGE, ROOT / "training") for path in folder.rglob("*") if path.is_file()]
    for path in files:
        if PERTURB in path.parents or path.suffix in (".pyc", ".gguf", ".so") or path.stat().st_size > 5_000_000:
            continue
        words = re.findall("[a-z]+", path.read_bytes().decode("utf-8", "replace").lower())
        beside = set(pairwise(words))
        for pairs in lists:
            shared = [pair for pair in pairs if pair in beside or pair[::-1] in beside]
            assert len(shared) <= len(pairs) / 5, f"{path} holds {len(shared)} of {len(pairs)} pairs: {shared[:5]}"
