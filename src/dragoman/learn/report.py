"""What a run of learning did, from its folder alone."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

from dragoman.agent.skills import Skill, read_skill, read_skills
from dragoman.bench.ledger import read_ledger
from dragoman.errors import SetupError
from dragoman.learn.attempts import read_rollouts
from dragoman.learn.learn import HISTORY, POOL, TEXTS
from dragoman.learn.reflect import REFLECTIONS
from dragoman.learn.rollout import Rollout
from dragoman.models.model import Usage
from dragoman.report import Column, Report, Section, Table

TURNS = (
    Column("Skill"),
    Column("Batch", "d"),
    Column("Residual", "d"),
    Column("Right before", "d"),
    Column("Right after", "d"),
    Column("Accepted"),
    Column("Left", "d"),
    Column("Texts proposed", "d"),
    Column("Refused by lint", "d"),
    Column("Characters before", "d"),
    Column("Characters after", "d"),
)


def report(folder: Path) -> Report:
    """Turns, accepted texts as differences, the pool, and what was spent. Raises `SetupError` without a history."""
    history = read_ledger(folder / HISTORY)
    if not history:
        raise SetupError(f"{folder} holds no history of learning yet. Make one with dragoman learn run --out {folder}.")
    accepted = [turn for turn in history if turn["accepted"]]
    summary = (
        f"{len(accepted)} of {len(history)} turns improved their skill on fresh runs over the whole residual. What "
        "that is worth is measured on the questions held out: they took no part in any of this."
    )
    sections = [
        Section("Turns", (_turns(history),)),
        Section("Texts", (_trials(history), _refused(folder))),
        Section("The pool", (_pool(folder),)),
        Section("Spent", (_spent(folder),)),
        *(_change(folder, turn) for turn in accepted),
    ]
    return Report(f"Learning in {folder.name}", summary, tuple(sections))


def difference(before: Skill, after: Skill) -> Table:
    """The paragraphs that went and those that came, in the order of the text."""
    one, two = (skill.body.splitlines() for skill in (before, after))
    lines = [line for line in difflib.ndiff(one, two) if line[:1] in "-+" and line[2:].strip()]
    marks = {"-": "went", "+": "came"}
    return Table("", (Column("What"), Column("Paragraph")), tuple((marks[line[0]], line[2:]) for line in lines))


def _turns(history: list[dict[str, Any]]) -> Table:
    rows = tuple(
        (
            str(turn["name"]),
            int(turn["batch"]) + 1,
            int(turn["residual"]),
            int(turn["before"]),
            turn["after"],
            "yes" if turn["accepted"] else "no",
            int(turn["left"]),
            int(turn["proposed"]),
            int(turn["rejected"]),
            int(turn["characters"][0]),
            int(turn["characters"][1]) or None,
        )
        for turn in history
    )
    note = "Both sides of a comparison are fresh runs, drawn apart from the runs that made the residual."
    return Table("", TURNS, rows, note)


def _trials(history: list[dict[str, Any]]) -> Table:
    columns = (
        Column("Skill"),
        Column("Batch", "d"),
        Column("Text"),
        Column("Made from"),
        Column("Characters", "d"),
        Column("Questions", "d"),
        Column("Parent right", "d"),
        Column("Right", "d"),
        Column("Validation", ".1%"),
        Column("What became of it"),
    )
    rows = tuple(
        (
            str(turn["name"]),
            int(turn["batch"]) + 1,
            str(trial["text"]),
            str(trial["parent"]),
            int(trial["characters"]),
            int(trial["of"]),
            int(trial["before"]),
            int(trial["after"]),
            trial["validation"],
            _fate(turn, trial),
        )
        for turn in history
        for trial in turn["trials"]
    )
    note = f"The texts lie in {TEXTS}/. Right counts the runs of the minibatch that a text was proposed for."
    return Table("All that were proposed", columns, rows, note)


def _fate(turn: dict[str, Any], trial: dict[str, Any]) -> str:
    if trial["validation"] is None:
        return "no better on its minibatch"
    if trial["text"] != turn["challenger"]:
        return "not the best on the validation part"
    return "accepted" if turn["accepted"] else "no better on the residual"


def _refused(folder: Path) -> Table:
    """Of reflections kept without findings, those of earlier versions, nothing is said."""
    rows = tuple(
        (str(record["skill"]), str(record["parent"]), " ".join(record["findings"]), str(record["text"]))
        for record in read_ledger(folder / REFLECTIONS)
        if record.get("findings")
    )
    columns = (Column("Skill"), Column("Made from"), Column("What the lint found"), Column("Text"))
    return Table("Refused by the lint", columns, rows, "" if rows else "None.")


def _pool(folder: Path) -> Table:
    columns = (Column("Skill"), Column("Version", "d"), Column("Characters", "d"), Column("Text"), Column("Made from"))
    skills = read_skills(folder / POOL)
    note = "" if skills else "It is written when the run ends."
    rows = tuple((s.name, s.version, len(s.body), s.id, s.parent or None) for s in skills)
    return Table("", columns, rows, note)


def _spent(folder: Path) -> Table:
    rollouts = read_rollouts(folder)
    reflections = read_ledger(folder / REFLECTIONS)
    columns = (
        Column("What"),
        Column("Times", ",d"),
        Column("Right", ".1%"),
        Column("Calls", ",d"),
        Column("Prompt tokens", ",d"),
        Column("Completion tokens", ",d"),
        Column("US dollars", ".4f"),
    )
    used = [Usage(**r["usage"]) for r in reflections]
    rows = (
        ("runs of the agent", *_sums(rollouts)),
        ("reflections", len(used), None, *_tokens(used), _dollars([r["cost"] for r in reflections])),
    )
    return Table("", columns, rows)


def _sums(rollouts: tuple[Rollout, ...]) -> tuple[int | float | None, ...]:
    share = sum(r.right for r in rollouts) / len(rollouts) if rollouts else None
    return len(rollouts), share, *_tokens([r.usage for r in rollouts]), _dollars([r.cost for r in rollouts])


def _tokens(used: list[Usage]) -> tuple[int, int, int]:
    total = sum(used, Usage())
    return total.calls, total.prompt_tokens, total.completion_tokens


def _dollars(costs: list[float | None]) -> float | None:
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _change(folder: Path, turn: dict[str, Any]) -> Section:
    before, after = (read_skill(folder / TEXTS / f"{turn[side]}.md") for side in ("incumbent", "challenger"))
    shares = f"{turn['before']} of {turn['residual']} right before, {turn['after']} after."
    title = f"{after.name}, batch {int(turn['batch']) + 1}"
    return Section(title, (shares, difference(before, after)))
