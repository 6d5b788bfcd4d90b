"""The tables of the experiment, from its records alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import ceil
from pathlib import Path

from experiments.egrefine.power import PAPER, SIZES, Rates, chance_to_pass, rates
from experiments.egrefine.scores import Change, Scores, change, read_scores, recovered, total

from dragoman.report import Cell, Column, Report, Section, Table, markdown

REFINED = ("the paper's way", "refined", "refined, in loop")
SWEEP = ((0.0, 0), (0.01, 1), (0.03, 1), (0.05, 1), (0.05, 2), (0.10, 2), (0.20, 2), (0.05, 3), (0.05, 4))
"""(tau, least net flips)."""
ACCURACY = (
    Column("Names"),
    Column("Right", ".1%"),
    Column("Gain", "+.1%"),
    Column("95 % interval", "+.1%"),
    Column("Repaired"),
    Column("Broken"),
    Column("p", ".3f"),
    Column("Recovered", ".0%"),
)
NOTE = (
    "Gain is over the abbreviated names; its interval draws whole databases, p is McNemar's. What came back is stated "
    "only where what abbreviation cost is beyond its interval."
)


def tables(folder: Path) -> str:
    """All tables of what is measured in `folder`, as Markdown."""
    stages = ("loss", "main", "ablations", "across", "descriptions")
    lost, main, ablated, across, told = (read_scores(folder, stage) for stage in stages)
    sections = []
    if lost.records:
        sections.append(_accuracy(lost))
    if main.records:
        sections += [_accuracy(main), _touching(main), _funnel(main), _power(main)]
    if ablated.records:
        sections += [_ablations(main, ablated), _sweep(ablated, "without the conservative rule", 0.0)]
    elif main.records:
        sections.append(_sweep(main, "the paper's way", 0.05))
    if across.records:
        sections.append(_across(across))
    if told.records:
        sections.append(replace(_accuracy(told), title="Descriptions in place of names, and beside them"))
    records = next((scores.records for scores in (main, lost, ablated, across, told) if scores.records), ())
    names = [record["database"] for record in records]
    asked = sum(len(half) for record in records for half in record["halves"])
    summary = f"{asked} questions over {len(names)} databases: {', '.join(names)}."
    return markdown(Report("EGRefine on abbreviated Spider", summary, tuple(sections)))


def _accuracy(scores: Scores) -> Section:
    parts: list[Table] = []
    for solver in scores.solvers:
        degraded = scores.right("degraded", solver)
        loss = change(degraded, scores.right("clean", solver))
        assert loss is not None
        rows = [
            (_said(arm), *_cells(change(degraded, scores.right(arm, solver)), loss if arm != "clean" else None))
            for arm in scores.arms
        ]
        parts.append(Table(f"Measured by: {solver}", ACCURACY, tuple(rows), NOTE))
    return Section("Right answers", (*parts, *_apart(scores)))


def _apart(scores: Scores) -> list[str]:
    """How often any two solvers differ, over the arms that both were asked under."""
    sentences = []
    for pair in combinations(scores.solvers, 2):
        one, other = ([right for arm in scores.arms for right in scores.right(arm, s).values()] for s in pair)
        differ = sum(a != b for a, b in zip(one, other, strict=True))
        sentences.append(f"{' and '.join(pair)} differ in {differ} of {len(one)} verdicts.")
    return sentences


def _said(arm: str) -> str:
    said = {
        "the paper's way": "refined the paper's way, cross-fitted",
        "refined": "refined, cross-fitted",
        "original names": "original names where structure allows",
    }
    return said.get(arm, arm)


def _cells(found: Change | None, loss: Change | None) -> tuple[Cell, ...]:
    assert found is not None
    came_back = recovered(loss, found) if loss and (found.repaired or found.broken) else None
    interval = (found.gain.low, found.gain.high)
    return found.after, found.gain.estimate, interval, found.repaired, found.broken, found.p, came_back


def _touching(scores: Scores) -> Section:
    columns = (
        *(Column("Names"), Column("Measured by"), Column("Touching"), Column("Gain", "+.1%")),
        *(Column("95 % interval", "+.1%"), Column("Others"), Column("Gain", "+.1%"), Column("95 % interval", "+.1%")),
    )
    rows: list[tuple[Cell, ...]] = []
    for arm in [arm for arm in scores.arms if arm not in ("clean", "degraded")]:
        touching = scores.touching(arm)
        for solver in scores.solvers:
            old, new = scores.right("degraded", solver), scores.right(arm, solver)
            inside, outside = change(old, new, touching), change(old, new, old.keys() - touching)
            rows.append((_said(arm), solver, *_part(inside), *_part(outside)))
    note = "Touching are questions whose gold reads a column that the names of the arm change."
    return Section("Where names are touched", (Table("", columns, tuple(rows), note),))


def _part(found: Change | None) -> tuple[int, float | None, tuple[float, float] | None]:
    if found is None:
        return 0, None, None
    return found.questions, found.gain.estimate, (found.gain.low, found.gain.high)


def _funnel(scores: Scores) -> Section:
    heads = (
        "Columns",
        "Screened in",
        "Read",
        "Tried",
        "Chosen",
        "In whole tables",
        "Dropped together",
        "Renamed in the end",
    )
    columns = (
        *(Column("Names"), *map(Column, heads)),
        *(Column("First choice"), Column("Another"), Column("Old one kept"), Column("Repaired : broken")),
        *(Column("Answers"), Column("Of all")),
    )
    rows: list[tuple[Cell, ...]] = []
    for arm in REFINED:
        runs = scores.runs(arm)
        keys = ("columns", "screened", "read", "tried", "chosen", "together", "dropped", "refined")
        counts = [total(runs, key) for key in keys]
        first, chosen, tried = (total(runs, key) for key in ("first", "chosen", "tried"))
        flips = [sum(pair[side] for run in runs for pair in run["flips"]) for side in (0, 1)]
        asked = (total(runs, "raced"), total(runs, "exhaustive"))
        ratio = f"{flips[0]} : {flips[1]}"
        rows.append((_said(arm), *counts, first, chosen - first, tried - chosen, ratio, *asked))
    note = (
        "Cross-fitted names come from two runs a database, so columns count twice. Columns that follow a renamed key "
        "are among the renamed. The first choice, another proposal, or the old name: what became of columns tried."
    )
    return Section("From all columns to new names", (Table("", columns, tuple(rows), note), *_declined(scores)))


def _declined(scores: Scores) -> list[str]:
    said = {run["declined"] for arm in REFINED for run in scores.runs(arm) if run["declined"]}
    return [f"Declined: {sentence}." for sentence in sorted(said)]


def _power(scores: Scores) -> Section:
    """What verification can tell at these rates of flips, whole questions counted by the first solver."""
    solver = scores.solvers[0]
    degraded, names = scores.right("degraded", solver), "original names"
    best = change(degraded, scores.right(names, solver), scores.touching(names))
    untouched = [_untouched(scores, arm, solver) for arm in ("unverified", *REFINED)]
    idle = sum(n for n, _ in untouched)
    flipped = sum(f for _, f in untouched) / idle if idle else None
    kinds = {
        "the original names": rates(best),
        "names that change nothing": None if flipped is None else Rates(flipped / 2, flipped / 2),
        "EGRefine with DIN-SQL and 27B": Rates(*PAPER),
    }
    rows: list[tuple[Cell, ...]] = [
        (kind, seen.repaired, seen.broken, *(chance_to_pass(size, seen) for size in SIZES))
        for kind, seen in kinds.items()
        if seen
    ]
    sizes = (Column(f"{size} questions", ".0%") for size in SIZES)
    columns = (Column("Flips as under"), Column("Repaired", ".1%"), Column("Broken", ".1%"), *sizes)
    note = (
        f"The chance to pass the threshold by the number of questions that read a column. {solver} alone; such names "
        f"flip as questions do that are not touched ({idle} pairs of verdicts), both ways alike."
    )
    return Section("What verification can tell here", (Table("", columns, tuple(rows), note),))


def _untouched(scores: Scores, arm: str, solver: str) -> tuple[int, int]:
    """(questions that the names do not touch though they change the schema, flips among them)."""
    renamed = {
        (record["database"], question)
        for record in scores.records
        for half, names in zip(record["halves"], record["arms"][arm]["names"], strict=True)
        for question in half
        if names
    }
    found = change(scores.right("degraded", solver), scores.right(arm, solver), renamed - scores.touching(arm))
    return (found.questions, found.repaired + found.broken) if found else (0, 0)


def _ablations(main: Scores, ablated: Scores) -> Section:
    parts = []
    for solver in ablated.solvers:
        degraded = main.right("degraded", solver)
        loss = change(degraded, main.right("clean", solver))
        rows = []
        for scores, arm in [(main, "refined"), *((ablated, arm) for arm in ablated.arms)]:
            found = change(degraded, scores.right(arm, solver))
            renamed = sum(scores.sets_of_names(arm))
            rows.append((_said(arm), *_cells(found, loss), renamed))
        columns = (*ACCURACY, Column("Renamed (two runs)"))
        parts.append(Table(f"Measured by: {solver}", columns, tuple(rows), NOTE))
    return Section("Without a part, and with one verifier", tuple(parts))


def _sweep(scores: Scores, arm: str, least: float) -> Section:
    """What other thresholds would have chosen, from `least` on, which the arm itself was run with."""
    decisions = [d for run in scores.runs(arm) for d in run["decisions"] if d[1]]
    rows = []
    for tau, flips in SWEEP:
        if tau >= least:
            won = [gain for _, _, gain, answers, _ in decisions if gain >= max(flips, ceil(tau * answers))]
            rows.append((tau, flips, len(won), sum(won)))
    columns = (Column("tau", ".2f"), Column("Least net answers"), Column("Columns"), Column("Net answers in loop"))
    note = f"From the kept scores of {arm}, cross-fitted, no answer asked anew: the best name is the same for all."
    return Section("The threshold", (Table("", columns, tuple(rows), note),))


def _across(scores: Scores) -> Section:
    columns = (Column("Names"), *ACCURACY[1:7])
    parts = []
    for solver in scores.solvers:
        degraded = scores.right("degraded", solver)
        rows = [(arm, *_cells(change(degraded, scores.right(arm, solver)), None)[:6]) for arm in scores.arms]
        parts.append(Table(f"Used by: the {solver} adapter", columns, tuple(rows), NOTE))
    return Section("Refined by one adapter, used by another", tuple(parts))
