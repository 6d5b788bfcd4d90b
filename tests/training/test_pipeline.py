"""Training runs end to end on a tiny data set, survives a kill, and writes an adapter that llama.cpp loads."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from dragoman.models.embedded import weights
from tests.training.conftest import TRAINING

pytest.importorskip("torch", reason="training/requirements.txt is not installed")

QUESTIONS = {
    "How many singers are there?": "SELECT count(*) FROM singer",
    "Who comes from France?": 'SELECT T1.name FROM singer AS T1 WHERE T1.country = "France"',
    "Which singers had a concert in 2014?": (
        "SELECT T1.name FROM singer AS T1 JOIN concert AS T2 ON T1.id = T2.singer_id WHERE T2.year = 2014"
    ),
    "What is the latest year of a concert?": "SELECT max(year) FROM concert",
}


@pytest.fixture
def spider(tmp_path: Path) -> Path:
    """A folder in Spider's form with one database."""
    folder = tmp_path / "spider"
    home = folder / "database" / "music"
    home.mkdir(parents=True)
    with closing(sqlite3.connect(home / "music.sqlite")) as database:
        database.executescript(
            """
            CREATE TABLE singer (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
            CREATE TABLE concert (id INTEGER PRIMARY KEY, singer_id INTEGER REFERENCES singer (id), year INTEGER);
            INSERT INTO singer VALUES (1, 'Zaz', 'France'), (2, 'Joe', 'USA');
            INSERT INTO concert VALUES (1, 1, 2014);
            """
        )
    examples = [{"question": q, "query": sql, "db_id": "music"} for q, sql in QUESTIONS.items()]
    for split in ("train_spider", "dev"):
        (folder / f"{split}.json").write_text(json.dumps(examples), encoding="utf-8")
    return folder


@pytest.mark.slow
def test_the_pipeline(spider: Path, tmp_path: Path) -> None:
    if not weights.status().installed:
        pytest.skip(weights.status().sentence)
    work = tmp_path / "work"
    common = ["--base", str(weights.path()), "--spider", str(spider), "--work", str(work)]
    train = ["train.py", *common, "--packs", "1", "--warm-up", "1", "--decay", "1", "--practice", "0"]
    script([*train, "--steps", "1"])
    script([*train, "--steps", "4"])  # goes on from the state that the first run left before its decay
    steps = [line.split("\t")[0] for line in (work / "log.tsv").read_text("utf-8").splitlines()]
    assert steps == ["1", "2", "2", "3", "4", "5"]
    adapter = work / "adapter-5.gguf"
    answers = tmp_path / "answers.jsonl"
    measure = ["evaluate.py", "--adapter", str(adapter), *common, "--out", str(answers), "--count", "3"]
    assert "of 3 right" in script(measure)
    answered = answers.read_text("utf-8")
    assert len({json.loads(line)["id"] for line in answered.splitlines()}) == 3
    script(measure)
    assert answers.read_text("utf-8") == answered


def script(arguments: list[str]) -> str:
    """Run one of the training scripts; its output."""
    done = subprocess.run([sys.executable, *arguments], cwd=TRAINING, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
