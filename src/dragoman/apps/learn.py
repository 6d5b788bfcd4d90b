"""`dragoman learn`: make skills that cover what the others miss, with questions held out to prove it on."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from dragoman import compose
from dragoman.agent.skill_lint import lint_skill
from dragoman.agent.skills import Skill, find_skill, read_skills, seed_skills
from dragoman.apps import chosen_dataset as chosen
from dragoman.apps import options, show
from dragoman.apps.plan_report import plan_report
from dragoman.apps.progress import install_if_used
from dragoman.apps.with_option_groups import with_option_groups
from dragoman.bench.dataset import Dataset, take
from dragoman.errors import SetupError
from dragoman.learn import Attempts, Drawing, Effort, Reflector, Sizes, Ways, begin_learning
from dragoman.learn import learn as learn_pool
from dragoman.learn import split as split_examples
from dragoman.learn.attempts import read_rollouts
from dragoman.learn.learn import Told
from dragoman.learn.plan import plan as plan_learning
from dragoman.learn.report import report as report_learning
from dragoman.learn.rollout import Rollout
from dragoman.questions import write_workload
from dragoman.report import html_page, markdown
from dragoman.report import show as show_report

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Make skills that cover what the others miss.")

HELD_OUT = "held_out.jsonl"
SAME = frozenset({"db", "log", "log_values", "base_url", "cache", "max_calls", "max_tokens", "max_dollars"})
"""Settings that do not decide what is learned, or may hold an address."""

Out = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where all is kept; an interrupted run goes on.")]
Names = Annotated[
    list[str] | None,
    typer.Option("--skill", metavar="NAME", help="A skill of the pool; may be repeated (the eight seeds)."),
]
OwnSkills = Annotated[
    Path | None, typer.Option("--skills", metavar="FOLDER", help="Skills of your own: all of them, unless named.")
]
Batches = Annotated[int, typer.Option(min=1, metavar="N", help="Batches, each with questions of its own.")]
Train = Annotated[int, typer.Option(min=1, metavar="N", help="Questions of a batch to reflect on.")]
Val = Annotated[int, typer.Option(min=1, metavar="N", help="Questions of a batch that choose among texts.")]
Held = Annotated[int, typer.Option("--held-out", min=1, metavar="N", help="Questions kept aside to prove it.")]
Calls = Annotated[int, typer.Option("--metric-calls", min=2, metavar="N", help="Runs on minibatches a turn.")]
Proposals = Annotated[int, typer.Option(min=1, metavar="N", help="Texts proposed at least a turn.")]
Seed = Annotated[int, typer.Option(metavar="N", help="Seed of the split and of all draws.")]
Take = Annotated[int | None, typer.Option("--limit", min=6, metavar="N", help="Use only N questions.")]
Temperature = Annotated[float, typer.Option(min=0.0, max=5.0, metavar="T", help="Of the agents' model.")]


@dataclass(frozen=True, slots=True)
class _Task:
    """What is learned from, which skills, and how much is spent on them: the options of `plan` and `run` alike."""

    dataset: chosen.DatasetName = None
    split: Annotated[str, typer.Option(metavar="NAME", help="Which part of the set (its usual one).")] = ""
    data: chosen.DataFolder = Path("data")
    workload: chosen.WorkloadFile = None
    db: Annotated[str | None, typer.Option("--db", metavar="URL", help="The database of a workload.")] = None
    databases: chosen.Databases = None
    limit: Take = None
    skill: Names = None
    skills: OwnSkills = None
    batches: Batches = 3
    train: Train = 70
    val: Val = 30
    held_out: Held = 80
    metric_calls: Calls = 20
    proposals: Proposals = 3

    def questions(self) -> Dataset:
        """Raises `SetupError`."""
        own = (self.workload, self.db, self.databases)
        return take(chosen.chosen_dataset(self.dataset, self.split, self.data, own), self.limit)

    def pool(self) -> tuple[Skill, ...]:
        """The skills named, or all of the folder, or the seeds. Raises `SetupError`."""
        if self.skill:
            found = tuple(find_skill(name, self.skills) for name in self.skill)
        else:
            found = read_skills(self.skills) if self.skills else seed_skills()
        if not found:
            raise SetupError(f"There are no skills in {self.skills}. Put .md files there, or leave --skills out.")
        name, times = Counter(skill.name for skill in found).most_common(1)[0]
        if times > 1:
            raise SetupError(f"{times} skills of the pool are called {name}. Give each skill once, by its own name.")
        return found

    @property
    def sizes(self) -> Sizes:
        return Sizes(self.batches, self.train, self.val, self.held_out)

    @property
    def effort(self) -> Effort:
        return Effort(self.metric_calls, proposals=self.proposals)


@dataclass(frozen=True, slots=True)
class _Models:
    """Which models work: the options of `plan` and `run` alike."""

    model: options.ModelName = None
    base_url: options.BaseUrl = None
    model_for: options.ModelFor = None

    def settings(self, file: Path | None, more: Mapping[str, Any]) -> compose.SolverSettings:
        """Raises `SetupError`."""
        given = {"model": self.model, "base_url": self.base_url, "model_for": options.by_role(self.model_for)}
        return compose.read_settings(file, {**given, "method": "agent", **more})


@app.command()
@with_option_groups
def plan(
    task: _Task,
    assumed: Annotated[float, typer.Option(min=0.0, max=1.0, metavar="P", help="Share a skill gets right.")] = 0.5,
    seen: Annotated[
        Path | None, typer.Option("--seen", metavar="FOLDER", help="A run of learning that tells what a run uses.")
    ] = None,
    seed: Seed = 0,
    *,
    models: _Models,
    settings_file: options.SettingsFile = None,
    as_json: options.Json = False,
) -> None:
    """Say how many runs, tokens and dollars it will take, before anything is spent."""
    settings = models.settings(settings_file, {})
    parts = split_examples(task.questions().examples, task.sizes, seed)
    pool = task.pool()
    made = plan_learning(parts, len(pool), task.effort, assumed, _seen(seen) if seen else ())
    if as_json:
        print(json.dumps(asdict(made), ensure_ascii=False))
        return
    show_report(plan_report(made, parts, pool, compose.open_models(settings)), show.console())


@app.command()
@with_option_groups
def run(
    out: Out,
    task: _Task,
    temperature: Temperature = 0.2,
    seed: Seed = 0,
    workers: Annotated[int, typer.Option(min=1, metavar="N", help="Agents at the same time.")] = 4,
    *,
    models: _Models,
    max_calls: Annotated[int | None, typer.Option(min=1, metavar="N", help="End after N model calls.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, metavar="N", help="End after N tokens.")] = None,
    max_dollars: Annotated[float | None, typer.Option(min=0.0, metavar="D", help="End before D US dollars.")] = None,
    max_seconds: Annotated[float | None, typer.Option(min=1.0, metavar="S", help="Start none after S seconds.")] = None,
    settings_file: options.SettingsFile = None,
) -> None:
    """Learn a pool of skills. Started again with the same folder it goes on, and repeats no call."""
    limits = {"max_calls": max_calls, "max_tokens": max_tokens, "max_dollars": max_dollars, "seed": seed}
    settings = models.settings(settings_file, limits)
    found = task.questions()
    parts = split_examples(found.examples, task.sizes, seed)
    pool = task.pool()
    install_if_used(settings)
    opened = compose.open_models(settings)
    begin_learning(out, found, _asked(settings, pool, task, temperature))
    write_workload(parts.held_out, out / HELD_OUT)
    drawing = Drawing(temperature, seed, workers, max_seconds)
    attempts = Attempts(compose.solver_for_skill(settings, opened, set(found.databases)), found, out, drawing)
    reflector = Reflector(opened.for_role("reflector"), _Lint(found), out, seed=seed)
    shown = _Shown(len(parts.batches) * len(pool))
    try:
        learned = learn_pool(pool, parts, Ways(attempts, reflector, task.effort), out, shown)
    finally:
        attempts.close()
        reflector.close()
        print(
            f"{attempts.made} runs and {reflector.made} reflections were made, {attempts.reused} runs were there.",
            file=sys.stderr,
        )
    changed = sum(skill.version > before.version for skill, before in zip(learned, pool, strict=True))
    print(f"{changed} of {len(learned)} skills changed. They lie in {out / 'pool'}; read them like code.")
    print(f"See what happened with: dragoman learn report {out}")
    print(
        "Prove it on the questions held out with: dragoman bench run --method divskill "
        f"--skills {out / 'pool'} --workload {out / HELD_OUT} --out {out / 'held_out_learned'}"
    )


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of a run of learning.")],
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write one self-contained page.")] = None,
    markdown_file: Annotated[Path | None, typer.Option("--markdown", metavar="FILE", help="Write Markdown.")] = None,
    as_json: options.Json = False,
) -> None:
    """Report on a run from its files alone: turns, texts that changed, the pool, what was spent."""
    found = report_learning(folder)
    for path, text in ((html, html_page), (markdown_file, markdown)):
        if path is not None:
            path.write_text(text(found), encoding="utf-8")
            print(f"Wrote {path}.", file=sys.stderr)
    if as_json:
        print(json.dumps(asdict(found), ensure_ascii=False))
    elif html is None and markdown_file is None:
        show_report(found, show.console())


def _seen(folder: Path) -> tuple[Rollout, ...]:
    found = read_rollouts(folder)
    if not found:
        raise SetupError(f"{folder} holds no runs of learning. Give --seen the folder of an earlier run.")
    return found


def _asked(settings: compose.SolverSettings, pool: Sequence[Skill], task: _Task, temperature: float) -> dict[str, Any]:
    """What decides the result."""
    asked = {f.name: getattr(settings, f.name) for f in fields(settings) if f.name not in SAME}
    return {
        **asked,
        "model_for": dict(settings.model_for),
        "temperature": temperature,
        "skills": {skill.label: skill.id for skill in pool},
        "sizes": asdict(task.sizes),
        "effort": asdict(task.effort),
    }


@dataclass(frozen=True, slots=True)
class _Lint:
    """What is wrong with a skill that is to serve databases other than those it was learned on."""

    dataset: Dataset

    def __call__(self, skill: Skill) -> list[str]:
        schemas = []
        for name in self.dataset.databases:
            database = self.dataset.open(name)
            schemas.append(database.schema())
            database.close()
        return [finding.message for finding in lint_skill(skill, schemas)]


class _Shown:
    """A line a turn on standard error."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._console = Console(stderr=True, highlight=False)

    def __call__(self, told: Told) -> None:
        self._done += 1
        turn = told.turn
        after = "nothing better was proposed" if turn.after is None else f"then {turn.after}"
        verdict = "accepted" if turn.accepted else "kept as it was"
        self._console.print(
            f"turn {self._done} of at most {self._total}: {turn.incumbent.label} on {turn.residual} questions: "
            f"{turn.before} right, {after}; {verdict}"
        )
