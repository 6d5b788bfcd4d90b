"""A report on one run, from its files alone: no model, no database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dragoman.bench.accuracy import Accuracy, accuracy, accuracy_by, example_interval, repeat_spread
from dragoman.bench.confidence import confidence_section
from dragoman.bench.diversity import diversity_section
from dragoman.bench.line import Line, Times
from dragoman.bench.mistakes import mistakes_section
from dragoman.bench.pools import Pools, pools, slips, slots_of
from dragoman.bench.provenance import read_run
from dragoman.bench.refinement_costs import refinement_section
from dragoman.bench.renaming import renaming_section
from dragoman.bench.run import ASK_AGAIN, read_lines, read_run_times
from dragoman.bench.spending import seconds, spending
from dragoman.bench.stages_section import stages_section
from dragoman.bench.structure import PARTS, mismatches
from dragoman.errors import SetupError
from dragoman.metrics import Verdict
from dragoman.models.model import Usage
from dragoman.report import Column, Part, Plot, Point, Report, Section, Series, Table

ACCURACY_COLUMNS = (
    Column("Answers"),
    Column("Right"),
    Column("Accuracy", ".1%"),
    Column("95 % interval", ".1%"),
)


def report(out: Path) -> Report:
    """The report on the run in `out`. Raises `SetupError` where there is none, or it has no line yet."""
    record, lines, times = read_run(out), read_lines(out), read_run_times(out)
    if not lines:
        raise SetupError(f"{out} has no results yet. Go on with the run, then report.")
    whole = accuracy(lines)
    data = record["dataset"]
    sections = [
        accuracy_section(lines),
        groups_section(lines),
        mistakes_section(lines),
        pools_section(lines),
        diversity_section(lines),
        structure_section(lines),
        renaming_section(lines, record),
        confidence_section(lines),
        spending_section(lines, list(times.values())),
        stages_section(lines, times.values()),
        refinement_section(lines),
        record_section(record),
    ]
    return Report(
        f"{data['name']} {data['split']}: {record['asked'].get('method', out.name)}",
        f"{whole.right:,} of {whole.scored:,} answers are right ({whole.share:.1%}).",
        tuple(section for section in sections if section),
    )


def accuracy_section(lines: Sequence[Line]) -> Section:
    """Accuracy with both kinds of uncertainty, and the verdicts."""
    whole, over_examples, over_repeats = accuracy(lines), example_interval(lines), repeat_spread(lines)
    repeats = len({line.repeat for line in lines})
    resampled = "databases" if len({line.database for line in lines}) > 1 else "examples"
    rows: list[tuple[str, Any]] = [
        ("Execution accuracy", f"{whole.share:.1%}"),
        (f"95 % interval, {resampled} resampled", f"{over_examples.low:.1%} to {over_examples.high:.1%}"),
        ("Examples", f"{whole.total // repeats:,}"),
        ("Repeats", f"{repeats}"),
        ("Not scored (gold failed or undecided)", f"{whole.total - whole.scored:,}"),
        ("No reply from the model", f"{sum(line.failure in ASK_AGAIN for line in lines):,}"),
    ]
    if over_repeats and over_repeats.sd is not None:
        spread = f"{over_repeats.sd:.2%} (from {over_repeats.low:.1%} to {over_repeats.high:.1%})"
        rows.insert(2, ("Standard deviation over repeats", spread))
    counts = [(str(v), sum(line.verdict == v for line in lines)) for v in Verdict]
    verdicts = tuple((name.replace("_", " "), n, n / len(lines)) for name, n in counts if n)
    return Section(
        "Accuracy",
        (
            Table("", (Column("Measure"), Column("Value")), tuple(rows)),
            Table("Verdicts", (Column("Verdict"), Column("Answers"), Column("Share", ".1%")), verdicts),
        ),
    )


def groups_section(lines: Sequence[Line]) -> Section:
    """Accuracy by difficulty and by database."""
    parts: list[Part] = []
    by_difficulty = accuracy_by(lines, lambda line: line.difficulty or "not given")
    if len(by_difficulty) > 1:
        parts += [group_table("By difficulty", "Difficulty", by_difficulty), group_plot("By difficulty", by_difficulty)]
    by_database = sorted(accuracy_by(lines, lambda line: line.database), key=lambda a: (-a.share, a.name))
    parts.append(group_table("By database", "Database", by_database))
    if 1 < len(by_database) <= 40:
        parts.append(group_plot("By database", by_database))
    return Section("Where it is right", tuple(parts))


def pools_section(lines: Sequence[Line]) -> Section | None:
    """Pass@k, the choice, density and slips; None where no answer had more than one candidate."""
    found = pools(lines)
    if found is None or found.size < 2:
        return None
    k = found.size
    rows = (
        ("Pass@1 (mean of single candidates)", found.pass_at_1),
        (f"Pass@{k} (some candidate is right)", found.oracle),
        ("Selected", found.selected),
        ("Gap between oracle and selected", found.gap),
        ("Slots that repeat another slot's query", found.repeated_slots),
    )
    table = Table(f"{found.pools:,} pools of up to {k} candidates", (Column("Measure"), Column("Share", ".1%")), rows)
    return Section("Candidates", (table, curve_plot((("", found),)), density_table(found), slips_table(lines)))


def structure_section(lines: Sequence[Line]) -> Section | None:
    """Presence of DISTINCT, window functions and set operations against the gold; None without gold SQL."""
    selected = [mismatches(line.gold, line.sql, line.dialect) for line in lines if line.gold and line.sql]
    every = [
        mismatches(line.gold, slot.sql, line.dialect)
        for line in lines
        if line.gold
        for slot in slots_of(line)
        if slot.sql
    ]
    read = [found for found in selected if found is not None]
    if not read:
        return None
    slots = [found for found in every if found is not None]
    rows = tuple((part, sum(part in f for f in read), sum(part in f for f in slots)) for part in PARTS)
    note = f"One of gold and answer has it, the other has not; {len(read):,} answers and {len(slots):,} slots read."
    columns = (Column("Part"), Column("Answers"), Column("Slots"))
    return Section("Structure", (Table("Mismatch with the gold query", columns, rows, note),))


def spending_section(lines: Sequence[Line], times: Sequence[Times]) -> Section:
    """Calls, tokens, money by role, and seconds."""
    found = spending(lines, times)
    total = sum((role.usage for role in found), Usage())
    rows: list[tuple[Any, ...]] = [(s.role or "(no role)", *_usage(s.usage), s.paid, s.waited) for s in found]
    paid = [s.paid for s in found]
    dollars = None if None in paid else sum(p for p in paid if p is not None)
    rows.append(("all", *_usage(total), dollars, sum(s.waited for s in found)))
    columns = (
        Column("Role"),
        Column("Calls"),
        Column("Prompt tokens"),
        Column("Completion tokens"),
        Column("Cached tokens"),
        Column("US dollars", ",.4f"),
        Column("Seconds waited", ",.1f"),
    )
    note = "Replies from a cache count as calls and tokens, and cost nothing."
    parts: list[Part] = [Table("Calls, tokens and money by role", columns, tuple(rows), note)]
    taken = seconds(times)
    if taken:
        names = ("Total", "Mean", "Median", "95th percentile")
        heads = tuple(Column(name, ",.2f") for name in names)
        row = (taken.total, taken.mean, taken.median, taken.p95)
        parts.append(Table("Seconds an example", (Column("Examples"), *heads), ((len(times), *row),)))
    return Section("Spending", tuple(parts))


def record_section(record: dict[str, Any]) -> Section:
    """What was run, so that it can be run again; settings that are empty are not shown."""
    data = record["dataset"]
    rows = [("data set", f"{data['name']} {data['split']}"), ("digest of the examples", data["digest"])]
    rows += [(key, str(value)) for key, value in record["asked"].items() if value not in ("", None, {})]
    rows += [("dragoman", f"{m['version']} {m['revision']}".strip()) for m in record["made_with"]]
    parts: list[Part] = [Table("", (Column("Setting"), Column("Value")), tuple(rows))]
    return Section("What was run", (*([data["note"]] if data.get("note") else []), *parts))


def group_table(title: str, name: str, groups: Sequence[Accuracy]) -> Table:
    """Accuracy of groups, with Wilson's interval of each."""
    rows = tuple((a.name, a.scored, a.right, a.share, (a.interval.low, a.interval.high)) for a in groups)
    return Table(title, (Column(name), *ACCURACY_COLUMNS), rows, "Wilson's interval over answers.")


def group_plot(title: str, groups: Sequence[Accuracy]) -> Plot:
    """Accuracy of groups as bars."""
    points = tuple(Point(a.name, a.share, a.interval.low, a.interval.high) for a in groups if a.scored)
    return Plot(title, (Series("", points),), "bar", y_label="share right", format=".0%", limits=(0, 1), tabled=True)


def curve_plot(runs: Sequence[tuple[str, Pools]]) -> Plot:
    """Pass@k against k."""
    series = tuple(
        Series(name, tuple(Point(k, value) for k, value in enumerate(found.curve, 1))) for name, found in runs
    )
    return Plot("Pass@k", series, x_label="k", y_label="share with a right candidate", format=".1%")


def density_table(found: Pools) -> Table:
    """Share of pools by their number of right candidates."""
    rows = tuple((f"{a}" if a == b else f"{a} to {b}", share) for (a, b), share in found.density.items())
    return Table("Candidate density", (Column("Right candidates"), Column("Share of pools", ".2%")), rows)


def slips_table(lines: Sequence[Line]) -> Table:
    """Invalid references and missing functions."""
    invalid, missing = (
        slips(lines, lambda slot: slot.invalid_reference),
        slips(lines, lambda slot: slot.missing_function),
    )
    rows = tuple(
        (name, s.pools, s.solvable_pools, s.slots)
        for name, s in (("Invalid reference", invalid), ("Missing function", missing))
    )
    columns = (Column("Kind"), Column("Pools"), Column("Solvable pools"), Column("Slots"))
    return Table("Names that are not there", columns, rows, "A solvable pool also holds a right candidate.")


def _usage(usage: Usage) -> tuple[int, int, int, int]:
    return usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens
