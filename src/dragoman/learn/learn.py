"""Skills -> skills that cover what the others miss (DivSkill-SQL, Algorithm 1), in a folder to be gone on with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from dragoman.agent.skills import Skill, skill_text
from dragoman.bench.dataset import Dataset
from dragoman.bench.ledger import replace_ledger
from dragoman.bench.provenance import begin
from dragoman.learn.optimise import Effort, Item, Optimised, Reflect, Trial, optimise
from dragoman.learn.residual import Place, Role, Turn, residual_optimisation
from dragoman.learn.rollout import Attempt
from dragoman.learn.split import Split

HISTORY = "history.jsonl"
TEXTS = "texts"
POOL = "pool"

COUNTED = ("proposed", "rejected", "better", "minibatch_calls", "validation_calls", "validation")
"""What a line of the history tells of `Optimised` as it is."""

DRAWS = 3
"""Independent samples a place needs: one to optimise, one for each side of the comparison."""


@dataclass(frozen=True, slots=True)
class Told:
    """A turn, and what was spent on its proposal."""

    turn: Turn[Skill]
    optimised: Optimised


OnTurn = Callable[[Told], None]


@dataclass(frozen=True, slots=True)
class Ways:
    """How skills are run and rewritten, and what may be spent on one of them in one batch."""

    attempt: Attempt
    reflect: Reflect
    effort: Effort = Effort()


def learn(
    skills: Sequence[Skill], split: Split, ways: Ways, folder: Path, on_turn: OnTurn | None = None
) -> tuple[Skill, ...]:
    """The learned pool, in the order of `skills`; it lies in `folder`/pool as Markdown when this returns.

    Every run and every reflection is kept in the folder by `ways`, and all else follows from them:
    started again after a kill, this comes to the same place and goes on from there. `folder`/history.jsonl has a
    line a turn, with what became of every text that was proposed, and `folder`/texts these texts.
    """
    tried: list[Told] = []
    last: list[Optimised] = []

    def sample(place: Place, draw: int) -> int:
        return DRAWS * (place.batch * len(skills) + place.turn) + draw

    def improve(skill: Skill, residual: Sequence[Item], place: Place) -> Skill | None:
        found = optimise(skill, residual, ways.attempt, ways.reflect, ways.effort, sample(place, 0))
        last.append(found)
        return found.skill

    def answered(skill: Skill, residual: Sequence[Item], place: Place, role: Role) -> list[bool]:
        runs = ways.attempt(skill, [item.example for item in residual], sample(place, 1 if role == "incumbent" else 2))
        return [run.right for run in runs]

    def told(turn: Turn[Skill]) -> None:
        tried.append(Told(turn, last.pop()))
        for text in (turn.incumbent, *(trial.skill for trial in tried[-1].optimised.trials)):
            write_skill(text, folder / TEXTS / f"{text.id}.md")
        replace_ledger(folder / HISTORY, map(turn_record, tried))
        if on_turn:
            on_turn(tried[-1])

    learned = residual_optimisation(skills, split.batches, answered, improve, told)
    scored = tuple(_scored(skill, tried) for skill in learned)
    for skill in scored:
        write_skill(skill, folder / POOL / f"{skill.name}.md")
    return scored


def begin_learning(folder: Path, dataset: Dataset, asked: Mapping[str, Any]) -> None:
    """Make the folder, or check that the run which stands there has the same inputs. Raises `SetupError`."""
    begin(folder, dataset, asked)


def turn_record(told: Told) -> dict[str, Any]:
    """One line of the history, as JSON values."""
    turn = told.turn
    return {
        **asdict(turn.place),
        "name": turn.incumbent.name,
        "incumbent": turn.incumbent.id,
        "challenger": turn.challenger.id if turn.challenger else "",
        "characters": [len(turn.incumbent.body), len(turn.challenger.body) if turn.challenger else 0],
        "residual": turn.residual,
        "before": turn.before,
        "after": turn.after,
        "left": turn.left,
        "accepted": turn.accepted,
        **{name: getattr(told.optimised, name) for name in COUNTED},
        "trials": [_trial_record(trial) for trial in told.optimised.trials],
    }


def _trial_record(trial: Trial) -> dict[str, Any]:
    return {
        "text": trial.skill.id,
        "parent": trial.skill.parent,
        "characters": len(trial.skill.body),
        "before": trial.before,
        "after": trial.after,
        "of": trial.of,
        "validation": trial.validation,
    }


def write_skill(skill: Skill, path: Path) -> None:
    """The skill as a Markdown file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(skill_text(skill), encoding="utf-8")
    fresh.replace(path)


def _scored(skill: Skill, tried: Sequence[Told]) -> Skill:
    """With its share of the residual it was accepted on, and that of the text before it."""
    turns = [t.turn for t in tried if t.turn.accepted and t.turn.kept.id == skill.id]
    if not turns:
        return skill
    turn = turns[-1]
    assert turn.after is not None
    return replace(
        skill, scores={"residual_before": turn.before / turn.residual, "residual_after": turn.after / turn.residual}
    )
