"""Agents whose replies were written by hand (tests/agent/by_hand.py), side by side on one question."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.agent.skills import find_skill
from dragoman.databases import Database, connect
from dragoman.demo import build
from dragoman.metrics.rows_match import rows_match
from dragoman.models import ModelsByRole, Reply, Request, ScriptedModel
from dragoman.models.recorded import read_recordings
from dragoman.solver import Draw
from dragoman.workflows.divskill import DivSkill, divskill
from dragoman.workflows.zero_shot import Asking
from tests.agent.by_hand import FOLDER, TODAY, Run
from tests.agent.test_by_hand import CHECKED

SKILLS = ("draft_first", "decompose", "explore")
SHARED = sorted({path.stem for path in (FOLDER / SKILLS[0]).glob("*.jsonl")})


@pytest.fixture(scope="module")
def demo() -> Iterator[Database]:
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder) / "demo.sqlite")
        database = connect(str(Path(folder) / "demo.sqlite"))
        yield database
        database.close()


def by_hand(name: str) -> ScriptedModel:
    """The replies of every skill's own recording in order; the critic's belong to the agent that asked it."""
    paths = {skill: FOLDER / skill / f"{name}.jsonl" for skill in SKILLS}
    replies = {s: iter([r.reply for r in read_recordings(path).values()]) for s, path in paths.items()}
    asking = [""]

    def reply(request: Request) -> Reply:
        system = request.messages[0].text
        asking[0] = next((skill for skill in SKILLS if find_skill(skill).body in system), asking[0])
        return next(replies[asking[0]])

    return ScriptedModel(reply)


@pytest.mark.parametrize("name", SHARED)
def test_agents_of_three_skills_agree_and_are_right(demo: Database, name: str) -> None:
    how = DivSkill(tuple(map(find_skill, SKILLS)), workers=1)
    method = divskill(how)(demo, ModelsByRole(by_hand(name)), Asking(TODAY, match=lambda text: []))
    answer = method(Run(FOLDER / SKILLS[0] / f"{name}.jsonl").question, Draw())
    assert answer.rows is not None
    assert rows_match(answer.rows, demo.execute(CHECKED[name]))
    assert answer.share == 1.0
    assert [candidate.source for candidate in answer.candidates] == list(SKILLS)
    assert len({candidate.actions for candidate in answer.candidates}) > 1, "they did not work alike"
    assert not [step for step in answer.steps if step.kind == "judge"], "one class needs no judge"
