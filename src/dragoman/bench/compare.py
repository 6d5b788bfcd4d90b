"""Compares two runs on the examples that both have, from their files alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman.bench.accuracy import accuracy, repeat_spread
from dragoman.bench.line import Line, Times
from dragoman.bench.pairs import Pair, difference, flips, head_to_head, pair_lines
from dragoman.bench.pools import Pools, is_solvable, pool_counts, pools
from dragoman.bench.provenance import read_run
from dragoman.bench.report import curve_plot
from dragoman.bench.run import read_lines, read_run_times
from dragoman.bench.spending import by_example
from dragoman.bench.structure import LOSSES, loss
from dragoman.errors import SetupError
from dragoman.report import Cell, Column, Part, Plot, Point, Report, Section, Series, Table
from dragoman.statistics import recovery, samples_to_reach


@dataclass(frozen=True, slots=True)
class Named:
    """A run with the name that the report gives it."""

    name: str
    lines: tuple[Line, ...]
    times: tuple[Times, ...] = ()


def compare(a: Path, b: Path, clean: Path | None = None) -> Report:
    """Run B against run A. `clean` is a run before the schema was degraded: then A is the degraded one, B the mended.

    Raises `SetupError` where the two have no scored example in common.
    """
    first, second = _named(a, b)
    pairs = pair_lines(first.lines, second.lines)
    if not pairs:
        raise SetupError(f"{a} and {b} have no scored example in common. Compare runs over the same data set.")
    change = difference(first.lines, second.lines)
    selected = head_to_head(pairs, "selected")
    sections = [
        _summary_section(first, second, pairs),
        _groups_section(first, second, pairs),
        _candidates_section(first, second, pairs),
        _touching_section(first, second, pairs),
        _recovery_section(first, second, pairs, clean),
        _spending_section(first, second),
        _flips_section(first, second, pairs),
    ]
    return Report(
        f"{second.name} against {first.name}",
        f"The accuracy of {second.name} is {_points(change.estimate)} that of {first.name} (95 % interval of the "
        f"difference {100 * change.low:+.1f} to {100 * change.high:+.1f} points); of {len(pairs):,} examples "
        f"{selected.only_b} are right in {second.name} alone and {selected.only_a} in {first.name} alone "
        f"(p = {selected.p:.4f}).",
        tuple(section for section in sections if section),
    )


def _points(difference: float) -> str:
    points = 100 * difference
    return f"{abs(points):.1f} points {'above' if points >= 0 else 'below'}" if round(points, 1) else "the same as"


def _summary_section(a: Named, b: Named, pairs: Sequence[Pair]) -> Section:
    change = difference(a.lines, b.lines)
    rows: list[tuple[Cell, ...]] = []
    for run, side in ((a, 0), (b, 1)):
        found = accuracy(pair[side] for pair in pairs)
        rows.append((run.name, found.scored, found.right, found.share, (found.interval.low, found.interval.high)))
    columns = (
        Column("Run"),
        Column("Examples"),
        Column("Right"),
        Column("Accuracy", ".1%"),
        Column("95 % interval", ".1%"),
    )
    tests = [head_to_head(pairs, "right answer"), head_to_head(pairs, "right candidate", is_solvable)]
    solvable = [pair for pair in pairs if is_solvable(pair[0]) and is_solvable(pair[1])]
    tests.append(head_to_head(solvable, "right answer where both pools have one"))
    table = Table(
        "Head to head, same examples",
        (
            Column("What"),
            Column("Examples"),
            Column("Both"),
            Column(f"Only {a.name}"),
            Column(f"Only {b.name}"),
            Column("Neither"),
            Column("Exact p", ".4f"),
        ),
        tuple((t.name, t.total, t.both, t.only_a, t.only_b, t.neither, t.p) for t in tests),
        "McNemar's exact two-sided test, on the first repeat of each example.",
    )
    note = (
        f"Difference {change.estimate:+.2%}, 95 % interval {change.low:+.2%} to {change.high:+.2%} (paired bootstrap "
        "over databases, each example with its mean over repeats)."
    )
    first = Table("On the first repeat", columns, tuple(rows), note)
    return Section("Accuracy", (first, table, *_repeats_tables(a, b)))


def _repeats_tables(a: Named, b: Named) -> list[Table]:
    """How much each run moves by itself; nothing where neither was repeated."""
    spreads = [(run.name, repeat_spread(run.lines)) for run in (a, b)]
    rows = tuple((name, s.repeats, s.mean, s.sd, (s.low, s.high)) for name, s in spreads if s is not None)
    if all(s is None or s.repeats < 2 for _, s in spreads):
        return []
    shares = (Column("Mean", ".1%"), Column("Standard deviation", ".2%"), Column("Range", ".1%"))
    return [Table("Over repeats", (Column("Run"), Column("Repeats"), *shares), rows)]


def _groups_section(a: Named, b: Named, pairs: Sequence[Pair]) -> Section:
    difficulties = _groups(pairs, [pair[0].difficulty or "not given" for pair in pairs])
    databases = _groups(pairs, [pair[0].database for pair in pairs])
    parts: list[Part] = []
    if len(difficulties) > 1:
        parts += [_table("By difficulty", a, b, difficulties), _plot("By difficulty", a, b, difficulties)]
    parts.append(_table("By database", a, b, databases))
    if 1 < len(databases) <= 40:
        parts.append(_plot("By database", a, b, databases))
    return Section("Where they differ", tuple(parts))


def _candidates_section(a: Named, b: Named, pairs: Sequence[Pair]) -> Section | None:
    found = [(run.name, side, pools([pair[side] for pair in pairs])) for side, run in enumerate((a, b))]
    known: list[tuple[str, int, Pools]] = [(name, side, p) for name, side, p in found if p is not None]
    if all(p.size < 2 for _, _, p in known):
        return None
    rows: list[tuple[Cell, ...]] = [
        (name, p.size, p.pass_at_1, p.oracle, p.selected, p.gap, p.repeated_slots) for name, _, p in known
    ]
    heads = ("Run", "Candidates", "Pass@1", "Pass@K", "Selected", "Gap", "Repeated slots")
    columns = tuple(Column(head, "" if head in ("Run", "Candidates") else ".1%") for head in heads)
    needs = tuple(
        f"Candidates that {name} needs to equal Pass@{other.size} of {rival} ({other.oracle:.1%}): "
        f"{_samples(pairs, side, other.oracle)}."
        for (name, side, _), (rival, _, other) in zip(known, reversed(known), strict=True)
    )
    table = Table("", columns, tuple(rows))
    return Section("Candidates", (table, curve_plot([(name, p) for name, _, p in known]), *needs))


def _touching_section(a: Named, b: Named, pairs: Sequence[Pair]) -> Section | None:
    told: dict[bool | None, str] = {True: "touches a renamed name", False: "touches none"}
    kinds = [told.get(_touches(pair), "") for pair in pairs]
    kept = [(pair, kind) for pair, kind in zip(pairs, kinds, strict=True) if kind]
    if not kept:
        return None
    kept.sort(key=lambda found: found[1] == told[False])
    groups = _groups([pair for pair, _ in kept], [kind for _, kind in kept])
    return Section("Renamed names", (_table("By what the gold touches", a, b, groups),))


def _recovery_section(a: Named, b: Named, pairs: Sequence[Pair], clean: Path | None) -> Section | None:
    if clean is None:
        return None
    before = {line.id: line for line in read_lines(clean) if line.repeat == 0}
    shared = [(before[x.id], x, y) for x, y in pairs if x.id in before]
    if not shared:
        raise SetupError(f"{clean} shares no example with the two runs. Give a run over the same questions.")
    runs = [accuracy(triple[side] for triple in shared).share for side in range(3)]
    share = recovery(runs[1], runs[2], runs[0])
    rows = (
        ("Clean", runs[0]),
        (f"Degraded ({a.name})", runs[1]),
        (f"Mended ({b.name})", runs[2]),
        ("Recovery rate", share),
    )
    note = f"On {len(shared):,} examples. (mended - degraded) / (clean - degraded)."
    return Section(
        "Recovery", (Table("Accuracy by schema", (Column("Schema"), Column("Accuracy", ".1%")), rows, note),)
    )


def _spending_section(a: Named, b: Named) -> Section:
    rows = tuple((run.name, *by_example(run.lines, run.times)) for run in (a, b))
    tokens = (Column("Prompt tokens", ",.1f"), Column("Completion tokens", ",.1f"))
    columns = (Column("Run"), Column("Calls", ",.2f"), *tokens, Column("Seconds", ",.2f"), Column("US dollars", ",.5f"))
    return Section("Spending", (Table("Mean of an example", columns, rows),))


def _flips_section(a: Named, b: Named, pairs: Sequence[Pair]) -> Section:
    gained, lost = flips(pairs)
    losses = Counter(loss(x.sql, y.sql, x.dialect) for x, y in lost)
    classes = tuple((name, losses[name]) for name in LOSSES if losses[name])
    parts: list[Part] = [f"{len(gained):,} answers turned right and {len(lost):,} turned wrong."]
    if classes:
        note = "The first that applies, read off the trees of the query that was right and the one that is wrong."
        parts.append(Table("What the wrong ones lost", (Column("Class"), Column("Answers")), classes, note))
    columns = (Column("Example"), Column("Database"), Column("Question"), Column(a.name), Column(b.name))
    for title, turned in (("Turned right", gained), ("Turned wrong", lost)):
        rows = tuple((x.id, x.database, x.question, x.sql or x.verdict, y.sql or y.verdict) for x, y in turned)
        if rows:
            parts.append(Table(title, columns, rows))
    return Section("Flips", tuple(parts))


def _groups(pairs: Sequence[Pair], names: Sequence[str]) -> dict[str, list[Pair]]:
    found: dict[str, list[Pair]] = {}
    for pair, name in zip(pairs, names, strict=True):
        found.setdefault(name, []).append(pair)
    return found


def _table(title: str, a: Named, b: Named, groups: dict[str, list[Pair]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, members in groups.items():
        first, second = (accuracy(pair[side] for pair in members).share for side in range(2))
        gained, lost = flips(members)
        rows.append((name, len(members), first, second, second - first, len(gained), len(lost)))
    shares = (Column(a.name, ".1%"), Column(b.name, ".1%"), Column("Difference", "+.1%"))
    columns = (Column("Group"), Column("Examples"), *shares, Column("Turned right"), Column("Turned wrong"))
    return Table(title, columns, tuple(rows))


def _plot(title: str, a: Named, b: Named, groups: dict[str, list[Pair]]) -> Plot:
    series = []
    for side, run in enumerate((a, b)):
        found = [accuracy([pair[side] for pair in members], name) for name, members in groups.items()]
        points = tuple(Point(x.name, x.share, x.interval.low, x.interval.high) for x in found)
        series.append(Series(run.name, points))
    return Plot(title, tuple(series), "bar", y_label="share right", format=".0%", limits=(0, 1), tabled=True)


def _samples(pairs: Sequence[Pair], side: int, target: float) -> str:
    counts = pool_counts([pair[side] for pair in pairs])
    needed = samples_to_reach(counts, target)
    return str(needed) if needed is not None else f"more than {max(size for _, size in counts)}"


def _touches(pair: Pair) -> bool | None:
    first, second = pair
    return first.touches if second.touches is None else second.touches


def _named(a: Path, b: Path) -> tuple[Named, Named]:
    """The runs under their methods' names where these differ, else under their folders' names."""
    records = read_run(a)["asked"], read_run(b)["asked"]
    methods = [str(record.get("method", "")) for record in records]
    names = methods if all(methods) and methods[0] != methods[1] else [a.resolve().name, b.resolve().name]
    if names[0] == names[1]:
        names = [str(a), str(b)]
    first, second = (
        Named(name, read_lines(out), tuple(read_run_times(out).values()))
        for name, out in zip(names, (a, b), strict=True)
    )
    return first, second
