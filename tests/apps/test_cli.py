"""The command line as a user meets it: what is printed where, and with which exit code."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dragoman.apps.cli import COMMANDS, load_command, run

DOCS = Path(__file__).resolve().parents[2] / "docs" / "reference"


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def shop(tmp_path: Path) -> str:
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.executescript(
            "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, country TEXT);"
            "INSERT INTO customer VALUES (1, 'A|B', 'France'), (2, NULL, 'France'), (3, '', 'Peru');"
            "INSERT INTO customer VALUES (4, '\x1b[31m', 'Peru');"
        )
    connection.close()
    return str(tmp_path / "shop.db")


@pytest.fixture
def scripted(tmp_path: Path):
    def write(*replies: str) -> str:
        path = tmp_path / "script.jsonl"
        path.write_text("".join(json.dumps(reply) + "\n" for reply in replies), encoding="utf-8")
        return f"scripted:{path}"

    return write


SELECT = "```sql\nSELECT name, country FROM customer ORDER BY id\n```"


def test_every_command_has_its_own_help_line() -> None:
    for name, (_, line) in COMMANDS.items():
        assert (load_command(name).help or "").split("\n")[0] == line


def test_the_reference_names_every_command_and_option() -> None:
    text = (DOCS / "cli.md").read_text("utf-8")
    for name in COMMANDS:
        assert f"## dragoman {name}" in text


def test_ask_prints_sql_rows_and_a_footer(shop: str, scripted, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "Who are they?", "--db", shop, "--model", scripted(SELECT)]) == 0
    out = capsys.readouterr().out
    assert "SELECT name, country FROM customer ORDER BY id" in out
    assert "France" in out
    assert "NULL" in out
    assert "\x1b" not in out
    assert "4 rows." in out
    assert "scripted" in out


def test_json_is_one_object_of_the_documented_fields(shop: str, scripted, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "Who?", "--db", shop, "--model", scripted(SELECT), "--json", "--limit", "2"]) == 0
    record = json.loads(capsys.readouterr().out)
    documented = (DOCS / "json.md").read_text("utf-8")
    assert [key for key in record if f"`{key}`" not in documented] == []
    assert record["rows"] == [["A|B", "France"], [None, "France"]]
    assert (record["row_count"], record["truncated"], record["error"]) == (2, True, None)
    assert record["sql"] == "SELECT name, country FROM customer ORDER BY id"


def test_csv_and_markdown(shop: str, scripted, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["ask", "Who?", "--db", shop, "--limit", "3", "--model"]
    assert run([*arguments, scripted(SELECT), "--format", "csv"]) == 0
    captured = capsys.readouterr()
    assert captured.out == 'name,country\nA|B,France\n,France\n"",Peru\n'
    assert "there are more" in captured.err
    assert run([*arguments, scripted(SELECT), "--format", "markdown"]) == 0
    out = capsys.readouterr().out
    assert "| A\\|B | France |" in out
    assert "there are more" in out


def test_sql_only_runs_nothing(tmp_path: Path, shop: str, scripted, capsys: pytest.CaptureFixture[str]) -> None:
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
    assert run(["ask", "How many?", "--db", shop, "--sql-only", "--model", scripted(endless)]) == 0
    assert capsys.readouterr().out.strip() == endless


def test_review_needs_a_terminal(shop: str, scripted, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "Who?", "--db", shop, "--review", "--model", scripted(SELECT)]) == 2
    assert "--sql-only" in capsys.readouterr().err


def test_prose_is_an_answer_in_words(shop: str, scripted, capsys: pytest.CaptureFixture[str]) -> None:
    prose = 'The "customer" table stores them, but there is no salary.'
    assert run(["ask", "Which salary?", "--db", shop, "--model", scripted(prose)]) == 0
    assert prose in capsys.readouterr().out.replace("\n", " ")


@pytest.mark.parametrize(
    ("sql", "code", "sentence"),
    [
        ("DELETE FROM customer", 3, "quer"),
        ("SELECT salary FROM customer", 1, "salary"),
        ("SELECT name FROM customers", 1, "customers"),
        ("SELECT nosuchfunction(name) FROM customer", (1, 3), "nosuchfunction"),
        ("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c", 1, "interrupted"),
    ],
)
def test_what_the_model_did_wrong_is_said(
    shop: str, scripted, capsys: pytest.CaptureFixture[str], sql: str, code: int | tuple[int, ...], sentence: str
) -> None:
    codes = code if isinstance(code, tuple) else (code,)
    arguments = ["ask", "Who?", "--db", shop, "--timeout", "0.3", "--model", scripted(f"```sql\n{sql}\n```")]
    assert run(arguments) in codes
    captured = capsys.readouterr()
    assert sentence in captured.err.lower()
    assert "Traceback" not in captured.err + captured.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["ask", "q", "--db", "absent.db"], "There is no file"),
        (["ask", "q", "--db", "empty.db"], "is empty"),
        (["ask", "q", "--db", "text.db"], "not a SQLite database"),
        (["ask", "q", "--db", "none.db"], "no tables"),
        (["ask", "q", "--db", "nope://host/x"], "No engine is known for nope"),
        (["ask", " "], "question is empty"),
        (["ask", "q", "--db", "none.db", "--model", "whatever"], "whatever"),
        (["ask", "q", "--db", "none.db", "--model", "openai:gpt-5"], "OPENAI_API_KEY"),
        (["ask", "q", "--db", "none.db", "--model", "embedded:absent.gguf"], "absent.gguf"),
        (["ask", "q", "--db", "none.db", "--model-for", "judge"], "ROLE=NAME"),
        (["ask", "q", "--db", "none.db", "--model-for", "cook=embedded"], "cook"),
        (["ask", "q", "--method", "magic"], "magic"),
        (["ask", "q", "--base-url", "http://127.0.0.1:1/v1"], "--model"),
        (["ask", "q", "--model", "x", "--base-url", "127.0.0.1:1"], "http://"),
        (["ask", "q", "--settings", "absent.toml"], "absent.toml"),
        (["ask", "q", "--settings", "bad.toml"], "not TOML"),
        (["ask", "q", "--settings", "unknown.toml"], "colour"),
        (["ask", "q", "--settings", "type.toml"], "limit"),
        (["ask", "q", "--settings", "role.toml"], "a model for each role"),
        (["ask", "q", "--settings", "seed.toml"], "seed is -5"),
        (["ask", "q", "--settings", "zero.toml"], "limit is 0"),
        (["ask", "q", "--settings", "endless.toml"], "timeout is inf"),
        (
            ["bench", "run", "--dataset", "demo", "--out", "text.db", "--limit", "1", "--model", "scripted:absent"],
            "absent",
        ),
        (["ask", "q", "--limit", "0"], "limit"),
        (["ask", "q", "--timeout", "-1"], "timeout"),
        (["ask", "q", "--format", "xml"], "format"),
        (["ask"], "QUESTION"),
        (["schema", "--db", "absent.db"], "There is no file"),
        (["nonsense"], "nonsense"),
    ],
)
def test_bad_input_ends_with_2_and_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    sentence: str,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / "empty.db").touch()
    (tmp_path / "text.db").write_text("not a database, certainly not one")
    sqlite3.connect(tmp_path / "none.db").executescript("PRAGMA user_version = 1; VACUUM;")
    (tmp_path / "bad.toml").write_text("limit = ")
    (tmp_path / "unknown.toml").write_text('colour = "red"')
    (tmp_path / "role.toml").write_text("model_for = {judge = 3}")
    (tmp_path / "seed.toml").write_text("seed = -5")
    (tmp_path / "zero.toml").write_text("limit = 0")
    (tmp_path / "endless.toml").write_text("timeout = inf")
    (tmp_path / "type.toml").write_text('limit = "many"')
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert sentence.lower() in captured.err.lower()
    assert "Traceback" not in captured.err
    assert captured.out == ""


def test_settings_come_from_the_folder_and_options_win(
    tmp_path: Path, shop: str, scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "dragoman.toml").write_text(f'db = "{shop}"\nmodel = "{scripted(SELECT)}"\nlimit = 1\n')
    assert run(["ask", "Who?", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["row_count"] == 1
    assert run(["ask", "Who?", "--json", "--limit", "3"]) == 0
    assert json.loads(capsys.readouterr().out)["row_count"] == 3


def test_a_question_needs_no_quotes(shop: str, scripted, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "Who", "is", "in", "France?", "--db", shop, "--json", "--model", scripted(SELECT)]) == 0
    assert json.loads(capsys.readouterr().out)["question"] == "Who is in France?"


def test_explain_goes_to_standard_error(shop: str, scripted, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(["ask", "Who is in France?", "--db", shop, "--explain", "--format", "csv", "--model", scripted(SELECT)])
        == 0
    )
    captured = capsys.readouterr()
    assert captured.out.startswith("name,country")
    assert "model as generator" in captured.err
    assert "France" in captured.err


@pytest.mark.parametrize("form", ["ddl", "compact", "json"])
def test_schema_shows_tables(shop: str, capsys: pytest.CaptureFixture[str], form: str) -> None:
    assert run(["schema", "--db", shop, "--format", form]) == 0
    captured = capsys.readouterr()
    assert "country" in captured.out
    if form == "json":
        assert json.loads(captured.out)["tables"][0]["name"] == "customer"
    else:
        assert "1 table, 3 columns" in captured.err


def test_doctor_reports_each_check(shop: str, scripted, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--db", shop, "--model", scripted(SELECT), "--json"]) == 0
    findings = {finding["name"]: finding for finding in json.loads(capsys.readouterr().out)}
    assert "read-only connection" in findings["database"]["detail"]
    assert run(["doctor", "--db", "absent.db", "--model", scripted(SELECT)]) == 2
    assert "There is no file" in capsys.readouterr().out


def test_access_lists_hold_for_what_is_shown_and_what_runs(
    tmp_path: Path, shop: str, scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "dragoman.toml").write_text(f'db = "{shop}"\n[access]\ndeny_columns = ["customer.country"]\n')
    assert run(["schema"]) == 0
    assert "country" not in capsys.readouterr().out
    assert run(["run", "SELECT country FROM customer"]) == 3
    assert run(["run", "SELECT name FROM customer"]) == 0
    assert run(["ask", "Where?", "--model", scripted("SELECT country FROM customer")]) in (1, 3)
    (tmp_path / "dragoman.toml").write_text('[access]\ndeny_everything = ["x"]\n')
    assert run(["schema", "--db", shop]) == 2
    assert "deny_everything" in capsys.readouterr().err


def test_the_log_has_a_line_for_every_query(tmp_path: Path, shop: str, scripted) -> None:
    (tmp_path / "dragoman.toml").write_text(f'db = "{shop}"\nlog = "log.jsonl"\n')
    run(["ask", "Who is it?", "--model", scripted(SELECT), "--candidates", "1"])
    run(["run", "DELETE FROM customer"])
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text("utf-8").splitlines()]
    asked = next(line for line in lines if line["question"])
    assert (asked["question"], asked["verdict"], asked["rows"]) == ("Who is it?", "ran", 4)
    assert lines[-1]["verdict"] in ("refused", "unreadable")
    assert "A|B" not in (tmp_path / "log.jsonl").read_text("utf-8")


def test_run_prints_rows_and_refuses_writes(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "SELECT id, id FROM customer;", "--db", shop, "--format", "csv", "--limit", "2"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "id,id_2\n1,1\n2,2\n"
    assert run(["run", "SELECT 1; DROP TABLE customer", "--db", shop]) == 3
    assert run(["run", " ", "--db", shop]) == 2


def test_run_names_what_is_like_a_name_that_is_not_there(
    tmp_path: Path, shop: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["run", "SELECT nam FROM customer", "--db", shop]) == 1
    assert "There is no column nam. Did you mean name?" in capsys.readouterr().err
    assert run(["run", "SELECT name FROM custommer", "--db", shop]) == 3
    assert "Did you mean customer?" in capsys.readouterr().err
    assert run(["run", 'SELECT json(name) FROM customer WHERE country = "France"', "--db", shop]) == 1
    assert "There is no column" not in capsys.readouterr().err
    (tmp_path / "dragoman.toml").write_text(f'db = "{shop}"\n[access]\ndeny_tables = ["customer"]\n')
    assert run(["run", "SELECT name FROM custommer"]) == 3
    assert "customer?" not in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_named(
    shop: str, scripted, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DRAGOMAN_CACHE", "/dev/null/cache")
    assert run(["ask", "Who?", "--db", shop, "--model", scripted(SELECT)]) == 2
    assert "DRAGOMAN_CACHE" in capsys.readouterr().err


def test_a_wide_result_is_whole_where_it_is_piped(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    columns = ", ".join(f"'value number {i}' AS column_{i}" for i in range(30))
    assert run(["run", f"SELECT {columns}", "--db", shop]) == 0
    assert "value number 29" in capsys.readouterr().out


def test_what_looks_like_a_password_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("me:hunter2@host", "postgresql:/me:hunter2@host/db", "nope+x://me:hunter2@host/db"):
        assert run(["schema", "--db", text]) == 2
        captured = capsys.readouterr()
        assert "hunter2" not in captured.err + captured.out


@pytest.mark.slow
def test_an_interrupt_ends_a_query_with_130(shop: str) -> None:
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
    command = [sys.executable, "-m", "dragoman", "run", endless, "--db", shop, "--timeout", "60"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (130, "dragoman: Interrupted.\n")


def test_doctor_tries_the_cache_folder(
    shop: str, scripted, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DRAGOMAN_CACHE", "/dev/null/cache")
    assert run(["doctor", "--db", shop, "--model", scripted(SELECT)]) == 2
    assert "DRAGOMAN_CACHE" in capsys.readouterr().out


@pytest.mark.parametrize("command", [["refine", "plan", "--least-gain"], ["bench", "run", "--temperature"]])
def test_nan_is_no_number(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command, "nan"]) == 2
    assert f"Invalid value for '{command[-1]}': 'nan' is not a number." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("max_calls = 1.5", "max_calls is 1.5, and must be a whole number from 0"),
        ("max_calls = true", "max_calls is true, and must be a whole number"),
        ("max_calls = -1", "max_calls is -1"),
        ("max_tokens = 2.0", "max_tokens is 2.0, and must be a whole number"),
        ("max_dollars = nan", "max_dollars is nan, and must be a number"),
        ("max_dollars = false", "max_dollars is false"),
        ("max_cost = -0.1", "max_cost is -0.1"),
        ("candidates = 2.5", "candidates is 2.5"),
        ("candidates = 101", "candidates is 101, and must be a whole number from 1 to 100"),
        ("at_once = true", "at_once is true"),
        ("limit = 1e3", "limit is 1000.0, and must be a whole number"),
        ("timeout = 0", "timeout is 0"),
        ('timeout = "30"', "timeout is '30', and must be a number"),
        ("seed = 99999999999999999999", "seed is 99999999999999999999"),
        ("temperature = -inf", "temperature is -inf"),
        ("min_confidence = [1]", "min_confidence is [1]"),
        ("cache = 1", "cache is 1, and must be true or false"),
        ("model = 5", "model is 5, and must be a text"),
        ('model_for = "x"', "model_for is 'x', and must be a table"),
        ('method = "reforce"\nreforce = {votes = 1.5}', "votes cannot be 1.5; give a whole number from 1 to 100"),
        ('method = "reforce"\nreforce = {temperature = inf}', "temperature cannot be inf"),
        ('method = "reforce"\nreforce = {budget = -3}', "budget cannot be -3"),
        ('method = "reforce"\nreforce = {compress = 1}', "compress cannot be 1; give true or false"),
        ('method = "reforce"\nreforce = {tokens = true}', "tokens cannot be True"),
    ],
)
def test_a_number_that_does_not_fit_its_setting_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, sentence: str
) -> None:
    (tmp_path / "own.toml").write_text(line)
    assert run(["ask", "q", "--settings", "own.toml"]) == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert "own.toml" in captured.err or "reforce" in line
