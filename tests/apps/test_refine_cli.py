"""`dragoman refine` from end to end, with replies that were written in advance."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from dragoman import compose
from dragoman.apps.cli import run
from dragoman.models import ModelsByRole, ScriptedModel
from dragoman.questions import Example, Question, write_workload

EXAMPLES = [
    Example(Question("Who lives in York?", id="q1"), "SELECT id FROM clients WHERE twn = 'York'"),
    Example(Question("How many towns are there?", id="q2"), "SELECT count(DISTINCT twn) FROM clients"),
    Example(Question("Which towns?", id="q3"), "SELECT DISTINCT twn FROM clients"),
    Example(Question("Which town is first?", id="q4"), "SELECT min(twn) FROM clients"),
]
KNOWING = [example.sql.replace("twn", "town") for example in EXAMPLES]


class Place:
    """A database, its workload, and scripts of replies, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.db, self.workload = folder, folder / "town.sqlite", folder / "questions.jsonl"
        with closing(sqlite3.connect(self.db)) as connection:
            connection.execute("CREATE TABLE clients (id INTEGER PRIMARY KEY, twn TEXT)")
            connection.execute("INSERT INTO clients VALUES (1, 'York'), (2, 'Leeds'), (3, 'York')")
            connection.commit()
        write_workload(EXAMPLES, self.workload)

    def refine(self, replies: Sequence[str], *more: str) -> int:
        script = self.folder / "script.jsonl"
        script.write_text("".join(json.dumps(reply) + "\n" for reply in replies))
        given = ["--db", str(self.db), "--workload", str(self.workload), "--model", f"scripted:{script}"]
        named = [
            "--verifier",
            "zero_shot",
            "--held-out",
            "0",
            "--no-tables",
            "--bundles",
            "never",
            "--out",
            str(self.folder / "run"),
        ]
        return run(["refine", "run", *given, *named, *more])

    @property
    def file(self) -> Path:
        return self.folder / "run" / "refinement.json"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return Place(tmp_path)


@pytest.fixture
def refined(place: Place, capsys: pytest.CaptureFixture[str]) -> Place:
    assert place.refine([*["SELECT 1"] * 4, *KNOWING]) == 0
    said = capsys.readouterr().out
    assert "clients.twn -> town" in said
    assert "0 into 4 right of 4 answers" in said
    return place


def test_a_run_that_is_started_again_asks_nothing(refined: Place, capsys: pytest.CaptureFixture[str]) -> None:
    first = refined.file.read_bytes()
    assert refined.refine([]) == 0
    assert refined.file.read_bytes() == first
    assert "clients.twn -> town" in capsys.readouterr().out


def test_the_report_shows_scores_questions_and_cost(refined: Place, capsys: pytest.CaptureFixture[str]) -> None:
    page, text = refined.folder / "page.html", refined.folder / "page.md"
    assert run(["refine", "report", str(refined.folder / "run"), "--html", str(page), "--markdown", str(text)]) == 0
    for shown in ("clients.twn", "town", "zero_shot: q1", "Joint check", "4 gold queries", "Saved"):
        assert shown in text.read_text()
        assert shown in page.read_text()
    assert run(["refine", "report", str(refined.folder / "run")]) == 0
    assert "What changes" in capsys.readouterr().out


def test_other_commands_see_the_new_names_alone(refined: Place, capsys: pytest.CaptureFixture[str]) -> None:
    with_names = ["--db", str(refined.db), "--refinement", str(refined.file)]
    assert run(["run", "SELECT town FROM clients WHERE id = 2", *with_names]) == 0
    assert "Leeds" in capsys.readouterr().out
    assert run(["run", "SELECT twn FROM clients", *with_names]) == 3
    assert "it is called town" in capsys.readouterr().err
    assert run(["schema", *with_names]) == 0
    shown = capsys.readouterr().out
    assert "town" in shown
    assert "twn" not in shown


def test_a_plan_says_what_a_run_would_take(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    script = place.folder / "none.jsonl"
    script.write_text("")
    given = ["--db", str(place.db), "--workload", str(place.workload), "--model", f"scripted:{script}"]
    how = ["--verifier", "zero_shot", "--held-out", "0"]
    assert run(["refine", "plan", *given, *how]) == 0
    said = capsys.readouterr().out
    assert "2 of 2 columns and 0 tables are unclear by their names; 2 of both" in said
    assert "at most 44" in said
    assert "runs of our own" in said
    assert run(["refine", "plan", *given, *how, "--least-gain", "50"]) == 1
    assert "It is not worth beginning" in capsys.readouterr().out
    assert not (place.folder / "proposals.jsonl").exists()


def test_a_scratch_schema_needs_a_login(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    assert place.refine([], "--scratch", "x") == 2
    assert "Give both --scratch and --write-url" in capsys.readouterr().err
    assert place.refine([], "--scratch", "x", "--write-url", "y", "--overlay") == 2
    assert "either --overlay or --scratch" in capsys.readouterr().err


def test_ask_shows_evidence_in_the_new_names(refined: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    model = ScriptedModel([KNOWING[1]])
    monkeypatch.setattr(compose, "open_models", lambda settings: ModelsByRole(model))
    given = ["--db", str(refined.db), "--refinement", str(refined.file), "--evidence", "a town is clients.twn"]
    assert run(["ask", "How many towns are there?", *given]) == 0
    assert "a town is clients.town" in model.requests[0].messages[-1].text
    assert "twn" not in "".join(message.text for message in model.requests[0].messages)


def test_feedback_is_kept_in_the_names_of_the_base(refined: Place, capsys: pytest.CaptureFixture[str]) -> None:
    script, kept = refined.folder / "asked.jsonl", refined.folder / "kept.jsonl"
    script.write_text(json.dumps("SELECT id FROM clients WHERE town = 'York'") + "\n")
    with_names = ["--db", str(refined.db), "--refinement", str(refined.file), "--workload", str(kept)]
    assert run(["ask", "Who is there?", *with_names[:4], "--model", f"scripted:{script}"]) == 0
    for said, sql in (("right", "SELECT id FROM clients WHERE twn = 'York'"), ("wrong", "")):
        assert run(["ask", "--feedback", said, *with_names]) == 0
        assert json.loads(kept.read_text())["sql"] == sql
    assert run(["ask", "--feedback", "SELECT town FROM clients", *with_names]) == 0
    assert json.loads(kept.read_text())["sql"] == "SELECT twn FROM clients"
    assert run(["ask", "--feedback", "SELECT nothing FROM clients", *with_names]) == 2
    assert "does not run" in capsys.readouterr().err


def test_bench_asks_under_the_new_names_and_judges_by_the_old(
    refined: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    script = refined.folder / "again.jsonl"
    script.write_text("".join(json.dumps(reply) + "\n" for reply in KNOWING))
    given = ["--db", str(refined.db), "--workload", str(refined.workload), "--refinement", str(refined.file)]
    how = ["--model", f"scripted:{script}", "--workers", "1", "--out", str(refined.folder / "bench")]
    assert run(["bench", "run", *given, *how]) == 0
    assert "4 of 4 answers are right" in capsys.readouterr().out


def test_views_are_printed_written_checked_and_dropped(refined: Place, capsys: pytest.CaptureFixture[str]) -> None:
    given = [str(refined.file), "--db", str(refined.db)]
    before = refined.db.read_bytes()
    assert run(["refine", "diff", *given]) == 0
    assert "-   twn TEXT\n+   town TEXT" in capsys.readouterr().out
    assert run(["refine", "apply", *given, "--schema", "clear"]) == 0
    assert 'CREATE VIEW "clear_clients"' in capsys.readouterr().out
    assert refined.db.read_bytes() == before
    assert run(["refine", "apply", *given, "--schema", "clear", "--write-url", str(refined.db)]) == 0
    with closing(sqlite3.connect(refined.db)) as connection:
        assert connection.execute("SELECT town FROM clear_clients WHERE id = 2").fetchall() == [("Leeds",)]
    assert run(["refine", "drop", *given, "--schema", "clear", "--write-url", str(refined.db)]) == 0
    with closing(sqlite3.connect(refined.db)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("clients",)]
    capsys.readouterr()
    assert run(["refine", "check", *given, "--workload", str(refined.workload)]) == 0
    assert "4 gold queries give the same result on the views." in capsys.readouterr().out
    for form in ("sql", "dbt", "json", "descriptions"):
        assert run(["refine", "export", *given, "--as", form]) == 0
        assert "town" in capsys.readouterr().out.lower()


def test_a_schema_that_changed_is_noticed(refined: Place, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(refined.db)) as connection:
        connection.execute("ALTER TABLE clients RENAME COLUMN twn TO city")
        connection.commit()
    given = [str(refined.file), "--db", str(refined.db), "--workload", str(refined.workload)]
    assert run(["refine", "check", *given]) == 1
    assert "There is no column clients.twn." in capsys.readouterr().out
    assert run(["run", "SELECT 1", "--db", str(refined.db), "--refinement", str(refined.file)]) == 2
    assert "does not fit" in capsys.readouterr().err


def test_a_model_that_answers_nothing_right_is_declined(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    many = [
        Example(Question(f"{n}?", id=f"n{n}"), f"SELECT count(*) + {n} FROM clients WHERE twn > ''") for n in range(40)
    ]
    write_workload(many, place.workload)
    assert place.refine(["SELECT 'no'"] * 40) == 0
    assert "Nothing was renamed: the verifiers answer 0 of 40 right" in capsys.readouterr().out
    assert json.loads(place.file.read_text())["records"] == []


def test_what_the_user_got_wrong_is_said_in_one_sentence(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    for more, sentence in (
        (["--verifier", "nope"], "No method is called nope"),
        (["--verifier", "zero_shot:x"], "METHOD:K"),
        (["--screen", "magic"], "--screen takes rule or model"),
        (["--tau", "7"], "shares between 0 and 1"),
        (["--held-out", "1"], "--held-out"),
        (["--only", "nope"], "There is no table nope"),
    ):
        assert place.refine([], *more) == 2
        assert sentence in capsys.readouterr().err
    assert run(["refine", "report", str(place.folder)]) == 2
    assert run(["refine", "run", "--db", str(place.db), "--out", str(place.folder / "x")]) == 2
    assert "--workload" in capsys.readouterr().err


def test_files_that_hold_something_else_are_told_in_one_sentence(
    refined: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    given, other = ["--db", str(refined.db)], refined.folder / "other"
    other.mkdir()
    for text in ("[]", "{}", '{"renamed": 1}', "nul"):
        (other / "run.json").write_text(text)
        assert run(["refine", "report", str(other)]) == 2
        assert run(["refine", "plan", *given, "--workload", str(refined.workload), "--observed", str(other)]) == 2
        assert capsys.readouterr().err.count("There is no finished run in") == 2
    assert run(["refine", "report", str(refined.folder / "run"), "--html", str(refined.folder / "no" / "x.html")]) == 2
    assert "Choose another place" in capsys.readouterr().err
    record = json.loads(refined.file.read_text("utf-8"))
    for tables, code, sentence in (
        ({"clients": {"columns": {"twn": 5}}}, 2, "is not whole"),
        ({"clients": "x"}, 2, "is not whole"),
        ({"nope": {"name": "y"}}, 2, "There is no table nope"),
    ):
        refined.file.write_text(json.dumps({**record, "tables": tables}))
        for command in ("diff", "apply", "drop"):
            assert (
                run(["refine", command, str(refined.file), *given, *(["--schema", "x"] * (command != "diff"))]) == code
            )
            assert sentence in capsys.readouterr().err
    assert run(["refine", "check", str(refined.file), *given, "--workload", str(refined.workload)]) == 1
    assert "There is no table nope" in capsys.readouterr().out
    (other / "none.jsonl").write_text("")
    assert run(["refine", "check", str(refined.file), *given, "--workload", str(other / "none.jsonl")]) == 2
    assert "has no question about town" in capsys.readouterr().err


def test_descriptions_are_kept_where_they_help_and_written_once(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    script, out = place.folder / "told.jsonl", place.folder / "told"
    told = "The town that a client lives in."
    first = ["What tells clients apart.", told]
    lost, right = ["SELECT 1"] * 4, [example.sql for example in EXAMPLES]
    given = ["--db", str(place.db), "--workload", str(place.workload), "--model", f"scripted:{script}"]
    command = ["refine", "describe", *given, "--verifier", "zero_shot", "--held-out", "0", "--questions", "3"]
    for replies in ([*first, *lost, *right], []):
        script.write_text("".join(json.dumps(reply) + "\n" for reply in replies))
        assert run([*command, "--out", str(out)]) == 0
        said = capsys.readouterr().out
        assert f"clients.twn: {told}" in said
        assert "1 of 2 descriptions are kept" in said
        assert "0 into 4 right of 4 answers" in said
    with_names = ["--db", str(place.db), "--refinement", str(out / "refinement.json")]
    assert run(["schema", *with_names]) == 0
    assert told in capsys.readouterr().out
    assert run(["run", "SELECT twn FROM clients WHERE id = 2", *with_names]) == 0


def test_the_embedded_model_reads_no_descriptions(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--db", str(place.db), "--workload", str(place.workload), "--out", str(place.folder / "told")]
    assert run(["refine", "describe", *given]) == 2
    assert "Name a chat model with --model" in capsys.readouterr().err
