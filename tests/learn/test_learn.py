"""Learning from end to end in a small world, interrupted at any moment."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from dragoman.agent.skills import Skill, read_skills
from dragoman.errors import BudgetSpent, DragomanError, ModelUnavailable, SetupError
from dragoman.learn import Attempts, Drawing, Reflector, Sizes, Ways, begin_learning, learn, split
from dragoman.learn.attempts import read_rollouts
from dragoman.learn.report import report
from dragoman.models import ScriptedModel
from dragoman.models.request import Request
from dragoman.report import markdown
from dragoman.solver import Answer, Draw, Failure, Solver, Step
from tests.learn.world import SEEDS, make_dataset, reflection, solver_for

SIZES = Sizes(batches=2, train=6, val=2, held_out=4)


def run(folder: Path, data: Path, model: ScriptedModel, solvers: object = solver_for) -> tuple[Skill, ...]:
    dataset = make_dataset(data)
    begin_learning(folder, dataset, {"skills": [skill.id for skill in SEEDS]})
    attempts = Attempts(solvers, dataset, folder, Drawing(workers=2))  # type: ignore[arg-type]
    reflector = Reflector(model, lambda _: (), folder)
    try:
        return learn(SEEDS, split(dataset.examples, SIZES), Ways(attempts, reflector), folder)
    finally:
        attempts.close()
        reflector.close()


def files(folder: Path) -> dict[str, bytes]:
    """All that was learned, by name."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_skill_learns_what_the_others_miss(tmp_path: Path) -> None:
    model = ScriptedModel(reflection("dates"))
    pool = run(tmp_path / "run", tmp_path, model)
    assert any("dates" in skill.body for skill in pool)
    assert {skill.name for skill in read_skills(tmp_path / "run" / "pool")} == {skill.name for skill in SEEDS}
    history = [json.loads(line) for line in (tmp_path / "run" / "history.jsonl").read_text("utf-8").splitlines()]
    assert {turn["batch"] for turn in history} == {0, 1}
    for turn in history:
        assert turn["accepted"] == (turn["after"] is not None and turn["after"] > turn["before"])
        for text in (turn["incumbent"], *(trial["text"] for trial in turn["trials"])):
            assert (tmp_path / "run" / "texts" / f"{text}.md").exists()
    assert any(turn["trials"] and not turn["accepted"] for turn in history)
    page = markdown(report(tmp_path / "run"))
    assert "accepted" in page
    assert "no better on" in page


def test_the_prompt_of_a_reflection_has_no_gold(tmp_path: Path) -> None:
    asked: list[Request] = []

    def answer(request: Request) -> str:
        asked.append(request)
        return reflection("dates")(request)

    run(tmp_path / "run", tmp_path, ScriptedModel(answer))
    gold = {example.sql for example in make_dataset(tmp_path).examples}
    assert asked
    assert not any(sql in request.messages[0].text for request in asked for sql in gold)


class Interrupted:
    """Solvers that after some runs raise, or answer, what ends the process."""

    def __init__(self, runs: int, ends: DragomanError | Answer = BudgetSpent("Stopped by the test.")) -> None:
        self.left = runs
        self.ends = ends

    def __call__(self, skill: Skill) -> object:
        inner = solver_for(skill)

        def bind(database: object) -> Solver:
            solve = inner(database)  # type: ignore[arg-type]

            def counted(question: object, draw: Draw) -> object:
                if self.left <= 0:
                    if isinstance(self.ends, Answer):
                        return self.ends
                    raise self.ends
                self.left -= 1
                return solve(question, draw)  # type: ignore[arg-type]

            return counted  # type: ignore[return-value]

        return bind


@pytest.mark.parametrize("every", [1, 7, 23])
def test_an_interrupted_run_comes_to_the_same_place_and_asks_nothing_twice(tmp_path: Path, every: int) -> None:
    model = ScriptedModel(reflection("dates"))
    whole = run(tmp_path / "whole", tmp_path, model)
    asked = len(model.requests)
    again = ScriptedModel(reflection("dates"))
    for _ in range(1000):
        try:
            pool = run(tmp_path / "parts", tmp_path, again, Interrupted(every))
            break
        except BudgetSpent:
            continue
    assert pool == whole
    assert len(again.requests) == asked
    keys = [rollout.key for rollout in read_rollouts(tmp_path / "parts")]
    assert len(keys) == len(set(keys))
    once, parts = files(tmp_path / "whole"), files(tmp_path / "parts")
    assert once.keys() == parts.keys()
    for name in once.keys() - {"run.json", "rollouts.jsonl"}:
        assert once[name] == parts[name]


OUTAGES = (
    ModelUnavailable("The connection was lost."),
    Answer(error=Failure("model_unavailable", "The connection was lost.")),
    Answer("SELECT 1", steps=(Step("tool", "No review.", data={"outcome": "model_unavailable"}),)),
)


@pytest.mark.parametrize("outage", OUTAGES, ids=["raised", "of the agent", "of the reviewer"])
def test_an_outage_counts_for_nothing_and_the_run_goes_on_later(
    tmp_path: Path, outage: ModelUnavailable | Answer
) -> None:
    whole = run(tmp_path / "whole", tmp_path, ScriptedModel(reflection("dates")))
    with pytest.raises(ModelUnavailable):
        run(tmp_path / "parts", tmp_path, ScriptedModel(reflection("dates")), Interrupted(9, outage))
    kept = read_rollouts(tmp_path / "parts")
    assert kept
    assert set(kept) < set(read_rollouts(tmp_path / "whole"))
    assert run(tmp_path / "parts", tmp_path, ScriptedModel(reflection("dates"))) == whole


def test_an_outage_in_a_reflection_is_no_text_that_was_refused(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", tmp_path, ScriptedModel(reflection("dates")))

    def lost(request: Request) -> str:
        raise ModelUnavailable("The connection was lost.")

    with pytest.raises(ModelUnavailable):
        run(tmp_path / "parts", tmp_path, ScriptedModel(lost))
    assert run(tmp_path / "parts", tmp_path, ScriptedModel(reflection("dates"))) == whole
    assert files(tmp_path / "parts")["history.jsonl"] == files(tmp_path / "whole")["history.jsonl"]


def test_other_inputs_are_noticed(tmp_path: Path) -> None:
    begin_learning(tmp_path / "run", make_dataset(tmp_path), {"skills": ["a"]})
    with pytest.raises(SetupError, match="other settings"):
        begin_learning(tmp_path / "run", make_dataset(tmp_path), {"skills": ["b"]})


def test_a_lint_that_finds_fault_gets_one_more_text(tmp_path: Path) -> None:
    replies = ["```markdown\nUse table_one.\n```", "```markdown\nLook first.\n```"]
    model = ScriptedModel(replies)

    def lint(skill: Skill) -> Sequence[str]:
        return ["It names a table."] if "_" in skill.body else []

    reflector = Reflector(model, lint, tmp_path)
    found = reflector(SEEDS[0], (), 0)
    reflector.close()
    assert found is not None
    assert (found.body, found.version, found.parent) == ("Look first.", 1, SEEDS[0].id)
    assert "It names a table." in model.requests[1].messages[-1].text
    assert Reflector(ScriptedModel([]), lint, tmp_path)(SEEDS[0], (), 0) == found
    kept = [json.loads(line) for line in (tmp_path / "reflections.jsonl").read_text("utf-8").splitlines()]
    assert [record["findings"] for record in kept] == [["It names a table."], []]
