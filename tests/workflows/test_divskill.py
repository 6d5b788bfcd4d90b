"""Several agents on one question, with a model whose replies depend on the skill that it reads."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.agent.skills import Skill, seed_skills
from dragoman.agent.transcript import read_transcripts, write_transcripts
from dragoman.databases import Database
from dragoman.ensemble import Tournament
from dragoman.errors import BudgetSpent, ModelUnavailable, SetupError
from dragoman.models import Budget, BudgetedModel, ModelsByRole, Request, ScriptedModel
from dragoman.models.scripted import Scripted
from dragoman.questions import Question
from dragoman.solver import Draw, Step
from dragoman.workflows import METHODS
from dragoman.workflows.agentic import Equipment
from dragoman.workflows.chase_agentic import ChaseAgentic, chase_agentic
from dragoman.workflows.divskill import DivSkill, divskill
from dragoman.workflows.several_agents import name_agents
from dragoman.workflows.zero_shot import Asking
from tests.agent.conftest import make_database
from tests.agent.script import TODAY, call

ASKED = Question("How many customers have ordered?")
ASKING = Asking(TODAY, match=lambda text: [])
RIGHT = "SELECT COUNT(DISTINCT customer_id) FROM orders"
LONGER = "SELECT COUNT(*) FROM customer WHERE customer_id IN (SELECT customer_id FROM orders)"
WRONG = "SELECT COUNT(*) FROM orders"
SKILLS = tuple(Skill(name, f"Strategy {name}.") for name in ("one", "two", "three", "four"))


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Database]:
    database = make_database(tmp_path / "shop.sqlite")
    yield database
    database.close()


def is_judge(request: Request) -> bool:
    return not request.tools


def by_skill(replies: dict[str, Scripted], judge: Callable[[Request], str] = lambda r: "Better: A") -> ScriptedModel:
    """What each skill's agent hands in at once; the judge is asked in between."""

    def reply(request: Request) -> Scripted:
        if is_judge(request):
            return judge(request)
        system = request.messages[0].text
        found = next(text for name, text in replies.items() if f"Strategy {name}." in system)
        return call("submit_final_sql", found) if isinstance(found, str) else found

    return ScriptedModel(reply)


def prefers(sql: str) -> Callable[[Request], str]:
    """A judge that knows which query is right."""

    def judge(request: Request) -> str:
        text = request.messages[1].text
        return "Better: A" if text.index(sql) < min(text.index(q) for q in (RIGHT, WRONG) if q != sql) else "Better: B"

    return judge


def test_the_tournament_picks_among_classes_of_equal_results(shop: Database) -> None:
    model = by_skill({"one": WRONG, "two": RIGHT, "three": WRONG, "four": LONGER}, prefers(RIGHT))
    answer = divskill(DivSkill(SKILLS))(shop, ModelsByRole(model), ASKING)(ASKED, Draw())
    assert (answer.sql, answer.rows and answer.rows.rows, answer.share) == (RIGHT, ((2,),), 0.5)
    assert [(c.source, c.group) for c in answer.candidates] == [("one", 0), ("two", 1), ("three", 0), ("four", 1)]
    assert {c.actions for c in answer.candidates} == {("submit",)}
    judged = [step for step in answer.steps if step.kind == "judge"]
    assert len(judged) == 2  # one pair, both orders
    assert answer.usage.calls == 6
    assert sum(is_judge(request) for request in model.requests) == 2


def test_agents_draw_at_the_papers_temperature_with_samples_of_their_own(shop: Database) -> None:
    model = by_skill({"one": RIGHT})
    solve = divskill(DivSkill(SKILLS[:1], agents=3))(shop, ModelsByRole(model), ASKING)
    answer = solve(ASKED, Draw(7, 0.0, 2))
    drawn = sorted((r.settings.temperature, r.settings.seed, r.settings.sample) for r in model.requests)
    assert drawn == [(0.2, 7, 6), (0.2, 7, 7), (0.2, 7, 8)]
    assert [c.source for c in answer.candidates] == ["one 1", "one 2", "one 3"]


def test_what_fails_in_one_agent_is_its_candidate(shop: Database) -> None:
    gone, crash = ModelUnavailable("The server is gone."), RuntimeError("odd reply")
    model = by_skill({"one": gone, "two": crash, "three": RIGHT, "four": "SELECT nothing FROM nowhere"})
    answer = divskill(DivSkill(SKILLS))(shop, ModelsByRole(model), ASKING)(ASKED, Draw())
    assert (answer.sql, answer.error) == (RIGHT, None)
    codes = [c.error.code if c.error else "" for c in answer.candidates]
    assert codes == ["model_unavailable", "crash", "", "unresolved"]
    assert [c.group for c in answer.candidates] == [None, None, 0, None]


def test_all_agents_may_fail(shop: Database) -> None:
    model = by_skill({name: ModelUnavailable("The server is gone.") for name in ("one", "two", "three", "four")})
    answer = divskill(DivSkill(SKILLS))(shop, ModelsByRole(model), ASKING)(ASKED, Draw())
    assert answer.error is not None
    assert answer.error.code == "model_unavailable"


@pytest.mark.parametrize(("sentences", "kept"), [(1, False), (2, False), (3, True)])
def test_a_sentence_is_kept_where_most_agents_hand_one_in(shop: Database, sentences: int, kept: bool) -> None:
    replies: dict[str, Scripted] = {skill.name: RIGHT for skill in SKILLS}
    replies |= {skill.name: "Orders have no customers." for skill in SKILLS[:sentences]}
    answer = divskill(DivSkill(SKILLS))(shop, ModelsByRole(by_skill(replies)), ASKING)(ASKED, Draw())
    assert (answer.text, answer.sql) == (("Orders have no customers.", "") if kept else ("", RIGHT))


def test_the_budget_is_shared_and_ends_all_agents(shop: Database) -> None:
    replies: dict[str, Scripted] = {skill.name: call("execute_sql", RIGHT) for skill in SKILLS}
    inner = by_skill(replies)
    model = BudgetedModel(inner, Budget(calls=10))
    with pytest.raises(BudgetSpent):
        divskill(DivSkill(SKILLS))(shop, ModelsByRole(model), ASKING)(ASKED, Draw())
    asked = len(inner.requests)
    assert asked <= 10
    time.sleep(0.05)
    assert len(inner.requests) == asked, "an agent went on"
    assert not [t for t in threading.enumerate() if t.name == "dragoman-at-once"]


def test_steps_and_transcripts_reach_whoever_watches(shop: Database, tmp_path: Path) -> None:
    watch = Watching()
    model = by_skill({"one": RIGHT, "two": WRONG})
    method = divskill(DivSkill(SKILLS[:2]), Equipment(watch=watch))
    answer = method(shop, ModelsByRole(model), ASKING)(ASKED, Draw())
    assert {agent for agent, _ in watch.steps} == {"one", "two"}
    assert len(watch.steps) == len([s for s in answer.steps if s.kind not in ("judge", "tournament")])
    write_transcripts([line for _, line in sorted(watch.lines)], tmp_path / "runs.jsonl")
    assert [(t.skill, t.sql) for t in read_transcripts(tmp_path / "runs.jsonl")] == [("one", RIGHT), ("two", WRONG)]
    assert json.loads(watch.lines[0][1])["question"]["text"] == ASKED.text


class Watching:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, Step]] = []
        self.lines: list[tuple[str, str]] = []

    def step(self, agent: str, draw: Draw, step: Step) -> None:
        self.steps.append((agent, step))

    def end(self, agent: str, draw: Draw, transcript: str) -> None:
        self.lines.append((agent, transcript))


def test_the_same_replies_give_the_same_bytes_whatever_the_threads(shop: Database) -> None:
    answers = []
    for workers in (1, 4):
        model = by_skill({"one": WRONG, "two": RIGHT, "three": LONGER, "four": "SELECT 1"}, prefers_shorter)
        how = DivSkill(SKILLS, workers=workers, tournament=Tournament(workers=workers))
        answer = divskill(how)(shop, ModelsByRole(model), ASKING)(ASKED, Draw())
        steps = [replace(step, seconds=0.0) for step in answer.steps]
        answers.append((answer.sql, answer.share, [(c.sql, c.group, c.source) for c in answer.candidates], steps))
    assert answers[0] == answers[1]


def prefers_shorter(request: Request) -> str:
    text = request.messages[1].text
    return "Better: A" if len(text) % 2 else "Better: B"


def test_chase_shows_every_agent_other_columns_first(shop: Database) -> None:
    model = by_skill({"one": RIGHT})
    method = chase_agentic(ChaseAgentic(SKILLS[0], agents=4))
    answer = method(shop, ModelsByRole(model), ASKING)(ASKED, Draw())
    assert answer.sql == RIGHT
    agents = [request for request in model.requests if not is_judge(request)]
    assert {request.settings.temperature for request in agents} == {1.0}
    systems = {request.messages[0].text for request in agents}
    assert len(systems) >= 3
    words = {tuple(sorted(re.findall(r"\w+", system))) for system in systems}
    assert len(words) == 1, "only the order differs"


def test_agents_take_the_skills_in_turn() -> None:
    assert [agent.name for agent in name_agents(seed_skills())][:2] == ["balanced", "challenge"]
    assert [agent.name for agent in name_agents(SKILLS[:2], 3)] == ["one 1", "two", "one 2"]
    with pytest.raises(SetupError, match="--skills"):
        name_agents([])


def test_the_methods_are_on_the_list(shop: Database) -> None:
    for name, count in (("divskill", 8), ("chase_agentic", 8)):
        model = ScriptedModel(lambda r: call("submit_final_sql", RIGHT))
        answer = METHODS[name](shop, ModelsByRole(model), ASKING)(ASKED, Draw())
        assert len(answer.candidates) == count
