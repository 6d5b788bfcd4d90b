"""What the published methods have in common: over HTTP, on a refined database, by name, with a model that cannot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner

from dragoman.apps.cli import app
from dragoman.bench.stages import stages
from dragoman.databases import connect
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.errors import SetupError
from dragoman.models import Choice, HostedModel, ModelsByRole, Reply, ScriptedModel, Usage
from dragoman.models.request import Request
from dragoman.questions import Question
from dragoman.refine.refined_database import RefinedDatabase
from dragoman.refine.refinement import Refinement
from dragoman.solver import Draw
from dragoman.workflows import METHODS, SAMPLED_METHODS
from dragoman.workflows.stages import ways
from dragoman.workflows.zero_shot import Asking
from tests.models.chat_server import ChatServer, Handler, say
from tests.models.conftest import server
from tests.workflows.shops import ASKING, ENGINES, TODAY, fenced, shop, told

__all__ = ["server"]

NAMES = ("c3", "c3_unified", "chase", "din_sql", "din_sql_unified", "mac_sql", "mac_sql_unified")
WHO = Question("Who lives in Peru?")
RIGHT = "SELECT name FROM customer WHERE country = 'Peru'"
CALLS = {"c3": 40, "c3_unified": 4, "chase": 24, "din_sql": 4, "din_sql_unified": 4, "mac_sql": 1, "mac_sql_unified": 2}


ODD = (
    "", "\x00", "null", "[]", "{}", "[[", "}{", '"x"', "{" * 3000, "9" * 999, "\ud800", "<think>",
    '{"customer": null}', '{"customer": {"customer": ["name", 3]}}', '[{"customer": ["name"]}]', '{"tables": "x"}',
    "Label:", "Schema_links: ]", "Questions: [null]\nLabel: NESTED",
    "```sql\n```", "SELECT", "SELECT 1; SELECT 2", "CREATE TABLE customer (",
)  # fmt: skip


def stage_of(system: str) -> str:
    """What a model makes of its instructions: which stage this is."""
    marks = {
        "You find the tables of": "tables",
        "You find": "columns",
        "You prune": "columns",
        "You write examples": "examples",
        "You link": "links",
        "You tell how hard": "label",
    }
    return next((stage for mark, stage in marks.items() if system.startswith(mark)), "sql")


def answered(system: str, sql: str) -> str:
    """A good reply to each stage."""
    replies = {
        "tables": '["customer"]',
        "columns": '{"customer": ["name", "country"]}',
        "links": "Schema_links: [customer.name, customer.country, 'Peru']",
        "label": "Label: EASY",
        "examples": "Question: How many?\n```sql\nSELECT COUNT(*) FROM customer\n```",
        "sql": fenced(sql),
    }
    return replies[stage_of(system)]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", NAMES)
def test_each_answers_over_http(server: ChatServer, tmp_path: Path, name: str, engine: str) -> None:
    def behave(handler: Handler, body: dict[str, Any]) -> None:
        say(answered(body["messages"][0]["content"], RIGHT))(handler, body)

    server.behaviours += [behave] * CALLS[name]
    models = ModelsByRole(HostedModel("some-model", server.url))
    answer = METHODS[name](shop(tmp_path, engine), models, ASKING)(WHO, Draw(seed=3))
    assert answer.rows is not None
    assert sorted(answer.rows) == [("Bo",), ("Cy",)]
    assert answer.usage.calls == len(server.seen) == CALLS[name]
    counted = stages(answer.steps)
    assert sum((stage.usage for stage in counted), Usage()) == answer.usage
    assert sum(stage.executions for stage in counted) == [step.kind for step in answer.steps].count("execute")
    assert answer.usage.prompt_tokens == 12 * CALLS[name]
    assert all(seen.body["messages"][-1]["role"] == "user" for seen in server.seen)
    assert len({seen.body["seed"] for seen in server.seen[-20:]}) == {"c3": 20, "c3_unified": 3, "chase": 7}.get(
        name, 1
    )


def refined(folder: Path, engine: str) -> RefinedDatabase:
    base = shop(folder, engine)
    assert isinstance(base, GuardedDatabase)
    table = next(name for name in ("customer", "main.customer") if _is_admissible(base, name))
    return RefinedDatabase(base, Refinement({(table, "country"): "home_country", (table, "name"): "full_name"}))


def _is_admissible(base: GuardedDatabase, table: str) -> bool:
    try:
        RefinedDatabase(base, Refinement({(table, "country"): "home_country"}))
    except (KeyError, ValueError, SetupError):
        return False
    return True


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", NAMES)
def test_each_sees_and_runs_the_names_of_a_refined_database(tmp_path: Path, name: str, engine: str) -> None:
    """The vote and the refiner must count queries under the new names as they count others, and refuse the old."""
    new = "SELECT full_name FROM customer WHERE home_country = 'Peru'"
    drawn = 0

    def reply(request: Request) -> str:
        nonlocal drawn
        text = answered(request.messages[0].text, RIGHT)
        if stage_of(request.messages[0].text) != "sql":
            return text.replace('"name"', '"full_name"').replace("country", "home_country")
        drawn += 1
        return fenced(RIGHT) if drawn == 2 and name.startswith("c3") else fenced(new)

    model = ScriptedModel(reply)
    answer = METHODS[name](refined(tmp_path, engine), ModelsByRole(model), Asking(TODAY))(WHO, Draw())
    assert answer.sql == new
    assert answer.rows is not None
    assert sorted(answer.rows) == [("Bo",), ("Cy",)]
    assert all("home_country" in request.messages[0].text for request in model.requests)
    if name.startswith("c3"):
        codes = [candidate.error.code for candidate in answer.candidates if candidate.error]
        assert len(codes) == 1, codes
        assert told(answer, "vote")[0]["votes"] == len(answer.candidates) - 1


@pytest.mark.parametrize("name", NAMES)
def test_a_model_that_writes_sql_only_is_refused_when_bound(tmp_path: Path, name: str) -> None:
    class Form:
        budget = 1
        stop = ()

    model = ScriptedModel([], "tiny", sql_form=Form())  # type: ignore[arg-type]
    with pytest.raises(SetupError, match=r"The model tiny writes SQL only .* --method zero_shot, with --candidates 7"):
        METHODS[name](shop(tmp_path, "sqlite"), ModelsByRole(model), ASKING)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_replies_give_the_same_steps(tmp_path: Path, name: str) -> None:
    def solve() -> list[tuple[object, ...]]:
        model = ScriptedModel(lambda request: answered(request.messages[0].text, RIGHT))
        answer = METHODS[name](database, ModelsByRole(model), Asking(TODAY))(WHO, Draw(2))
        return [(step.kind, step.role, step.text, sorted(step.data.items())) for step in answer.steps]

    database = shop(tmp_path, "sqlite")
    assert solve() == solve()


@pytest.mark.parametrize("name", NAMES)
def test_no_reply_of_any_shape_breaks_a_method(tmp_path: Path, name: str) -> None:
    database = shop(tmp_path, "sqlite")
    for text in ODD:
        for finish in ("stop", "length"):
            model = ScriptedModel(lambda request, text=text, finish=finish: Reply((Choice(text, finish=finish),)))  # type: ignore[misc]
            answer = METHODS[name](database, ModelsByRole(model), ASKING)(WHO, Draw())
            assert answer.error is not None or answer.text or answer.rows is not None


def test_the_dialects_ways_are_those_that_a_schema_can_need(tmp_path: Path) -> None:
    plain = shop(tmp_path, "duckdb").schema()
    assert "ILIKE" in ways(plain)
    assert "UNNEST" not in ways(plain)
    with duckdb.connect(str(tmp_path / "n.duckdb")) as file:
        file.execute("CREATE TABLE t (items STRUCT(name VARCHAR)[], doc JSON)")
    nested = ways(connect(str(tmp_path / "n.duckdb")).schema())
    assert "UNNEST(t.items)" in nested
    assert "->>" in nested


def test_each_is_a_method_of_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    shop(tmp_path, "sqlite")
    script = tmp_path / "script.jsonl"
    lines: dict[str, Callable[[], list[str]]] = {
        "c3_unified": lambda: ['{"customer": ["name"]}', *[fenced(RIGHT)] * 3],
        "din_sql": lambda: ["Schema_links: []", "Label: EASY", fenced(RIGHT), fenced(RIGHT)],
        "mac_sql": lambda: [fenced(RIGHT)],
    }
    for name, replies in lines.items():
        script.write_text("".join(json.dumps(line) + "\n" for line in replies()), "utf-8")
        done = CliRunner().invoke(
            app, ["ask", WHO.text, "--db", "shop.db", "--model", f"scripted:{script}", "--method", name, "--json"]
        )
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["sql"] == RIGHT


def test_candidates_are_the_methods_own_where_it_draws_some(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    shop(tmp_path, "sqlite")
    script = tmp_path / "script.jsonl"
    replies = ['{"customer": ["name"]}', *[fenced(RIGHT)] * 5]
    script.write_text("".join(json.dumps(line) + "\n" for line in replies), "utf-8")
    asking = ["ask", WHO.text, "--db", "shop.db", "--model", f"scripted:{script}", "--method", "c3_unified"]
    done = CliRunner().invoke(app, [*asking, "--candidates", "5", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["sql"] == RIGHT
    done = CliRunner().invoke(app, [*asking, "--sql-only"])
    assert isinstance(done.exception, SetupError)
    assert SAMPLED_METHODS.keys() == {"c3", "c3_unified", "chase"}
