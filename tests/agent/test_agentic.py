from __future__ import annotations

import json
from pathlib import Path

import pytest

from dragoman.agent.skills import find_skill
from dragoman.apps import skills
from dragoman.apps.cli import COMMANDS, run
from dragoman.databases import Database
from dragoman.models import ModelsByRole, ScriptedModel
from dragoman.questions import Question
from dragoman.solver import Draw
from dragoman.workflows.agentic import agentic
from dragoman.workflows.zero_shot import Asking
from tests.agent.script import TODAY, call


def test_the_method_binds_roles_skill_and_limits(shop: Database) -> None:
    reviewer = ScriptedModel(["right"], name="critic")
    sql = "SELECT name FROM customer"
    model = ScriptedModel([call("review_sql", sql), call("submit_final_sql", sql)])
    models = ModelsByRole(model, {"reviewer": reviewer})
    method = agentic(find_skill("plain"))
    answer = method(shop, models, Asking(TODAY, match=lambda text: []))(Question("Who?"), Draw())
    assert answer.sql == sql
    assert find_skill("plain").body in model.requests[0].messages[0].text
    assert models.spent["reviewer"].usage.calls == 1


@pytest.fixture
def _mounted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(COMMANDS, "skills", (skills.__name__, "The strategies that an agent can follow."))
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_mounted")
def test_the_commands_list_show_start_and_check_skills(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["skills", "list", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 8
    assert run(["skills", "show", "repair"]) == 0
    assert capsys.readouterr().out.startswith('+++\nname = "repair"\n')
    assert run(["skills", "new", "mine", "--from", "repair", "--when", "Always."]) == 0
    assert run(["skills", "check"]) == 0
    capsys.readouterr()
    Path("skills/mine.md").write_text("+++\nname = 'mine'\n+++\nUse strftime on order_date.\n", "utf-8")
    assert run(["skills", "check", "--json"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert {finding["rule"] for finding in found} == {"when", "name", "function"}
    assert run(["skills", "show", "nonsense"]) == 2
    assert "Choose one of mine, balanced" in capsys.readouterr().err
