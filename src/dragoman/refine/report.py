"""What a data owner signs: every name with its scores and the questions behind them, and what it cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from dragoman.report import Cell, Column, Report, Section, Table

Record = Mapping[str, Any]


def refinement_report(record: Record) -> Report:
    """The report of one run, from its record alone."""
    count, database = len(record["renamed"]), record["made_from"]["schema"]["name"]
    if record["declined"]:
        summary = f"Nothing was renamed: {record['declined']}."
    else:
        clearer = f"1 name of {database} is clearer" if count == 1 else f"{count} names of {database} are clearer"
        summary = f"{clearer}, by execution." if count else f"{database} stays as it is."
        if count and record["joint"]:
            own = ", on the questions that chose them" if record["joint"]["own_questions"] else ""
            summary += f" Together they change {_sentence(record['joint']['last'])}{own}."
    sections = [
        _names(record),
        _kept(record),
        _bundles(record),
        _course(record),
        _checks(record),
        _cost(record),
        _made(record),
    ]
    return Report(f"Refinement of {database}", summary, tuple(section for section in sections if section))


def _names(record: Record) -> Section | None:
    rows, details = [], []
    for name in record["names"]:
        if not name["decision"]:
            continue
        won = next((s for s in name["scores"] if s["name"] == name["decision"]), None)
        change = None if won is None or won["score"] is None else won["score"] - name["original"]
        rows.append(
            (
                name["place"],
                name["decision"],
                name["original"],
                won and won["score"],
                change,
                name["questions"],
                name["reason"],
            )
        )
        details += [(name["place"], *row) for row in _scores(name)]
    if not rows:
        return None
    columns = _columns("Old name", "New name", "Score .3f", "New score .3f", "Gain +.3f", "Questions", "Why")
    parts = [Table("New names", columns, tuple(rows), "Scores are shares of right answers over all verifiers.")]
    if details:
        parts.append(_details("Every name that was tried for them", details))
    return Section("What changes", tuple(parts))


def _kept(record: Record) -> Section | None:
    looked_at = [name for name in record["names"] if not name["decision"] and (name["signals"] or name["scores"])]
    rows = tuple((n["place"], n["original"], n["questions"], n["reason"], "; ".join(n["signals"])) for n in looked_at)
    if not rows:
        return None
    columns = _columns("Name", "Score .3f", "Questions", "Why it stays", "Why it was looked at")
    parts = [Table("Names that stay", columns, rows)]
    details = [(name["place"], *row) for name in looked_at for row in _scores(name)]
    if details:
        parts.append(_details("Every name that was tried for them", details))
    return Section("What stays", tuple(parts))


def _details(title: str, rows: list[tuple[Any, ...]]) -> Table:
    columns = _columns("Old name", "Name tried", "Score .3f", "Repaired", "Broken", "Outcome")
    note = "A name without a score lost before all was asked. Questions stand as verifier: id."
    return Table(title, columns, tuple(rows), note)


def _scores(name: Record) -> list[tuple[Any, ...]]:
    return [
        (s["name"], s["score"], ", ".join(s["repaired"]) or None, ", ".join(s["broken"]) or None, s["lost"] or "won")
        for s in name["scores"]
    ]


def _bundles(record: Record) -> Section | None:
    rows = [(b["table"], *row, b["outcome"]) for b in record.get("bundles", ()) for row in _scores(b)]
    if not rows:
        return None
    columns = _columns("Tables", "Names tried", "Score .3f", "Repaired", "Broken", "Outcome", "What became of them")
    note = "All names of cryptic tables at once, where a single one may be too small a step to help."
    return Section("Tables tried as a whole", (Table("Tables tried as a whole", columns, tuple(rows), note),))


def _course(record: Record) -> Section:
    funnel = Table(
        "From all names to those that change", (Column("Stage"), Column("Names")), tuple(map(tuple, record["funnel"]))
    )
    parts: list[str | Table] = [funnel, *record["notes"]]
    if record["baseline"]:
        rows = [
            (name, right, asked, right / asked if asked else None)
            for name, (right, asked) in record["baseline"]["by_verifier"].items()
        ]
        low, high = record["baseline"]["accuracy"][1:]
        note = f"Of all such questions {low:.1%} to {high:.1%} would be right, with 95 % confidence."
        columns = _columns("Verifier", "Right", "Asked", "Share .1%")
        parts.append(Table("Under the old names", columns, tuple(rows), note))
    if record["workload"]:
        work = record["workload"]
        levels = ", ".join(f"{count} {level}" for level, count in work["hardness"].items())
        parts.append(
            f"The workload has {work['questions']} questions ({levels}); they read {work['touched']} of "
            f"{work['columns']} columns. {len(work['unjudged'])} cannot be judged and were left out."
        )
        if work["unjudged"]:
            columns = _columns("Question", "Why it cannot be judged")
            parts.append(Table("Questions that were left out", columns, tuple(work["unjudged"].items())))
    return Section("The course of it", tuple(parts))


def _checks(record: Record) -> Section | None:
    parts: list[str | Table] = []
    if record["joint"]:
        joint = record["joint"]
        which = "that chose the names, for lack of others" if joint["own_questions"] else "held out"
        rows: list[tuple[Cell, ...]] = [("all names together", *_row(joint["first"]))]
        rows += [("what is left of them", *_row(joint["last"]))] if joint["dropped"] else []
        rows += [(f"{name}, which chose nothing", *_row(found)) for name, found in record["outside"].items()]
        columns = _columns("Checked", "Answers", "Right before", "Right after", "Repaired", "Broken")
        parts.append(Table(f"Joint check on {joint['questions']} questions {which}", columns, tuple(rows)))
        parts += [f"{place} was given up: {why}." for place, why in joint["dropped"].items()]
    if record["gold"]:
        gold = record["gold"]
        parts.append(
            f"{gold['same']} gold queries, rewritten to the new names, give on the views what they give on the base; "
            f"{len(gold['different'])} do not, {len(gold['unread'])} cannot be rewritten, "
            f"{len(gold['unjudged'])} cannot be compared."
        )
        parts += [f"{u['id']} differs: {u['reason']}." for u in gold["different"]]
    parts += [f"{why}" for why in record["kept_with_keys"].values()]
    return Section("Checks", tuple(parts)) if parts else None


def _cost(record: Record) -> Section:
    spent, answers = record["spent"], record["answers"]
    saved = 1 - answers["raced"] / answers["exhaustive"] if answers["exhaustive"] else None
    rows = (
        ("Answers asked for in this run", spent["asked"]),
        ("Answers known from before this run", spent["known"]),
        ("Model calls", spent["calls"]),
        ("Tokens", spent["tokens"]),
        ("US dollars", spent["cost"]),
        ("Seconds of verifiers", spent["seconds"]),
        ("Answers that choosing took", answers["raced"]),
        ("Answers of the exhaustive schedule, with the same decisions", answers["exhaustive"]),
        ("Saved", None if saved is None else f"{saved:.0%}"),
    )
    table = Table("What it took", (Column("What"), Column("Amount")), rows)
    return Section("What it took", (table, *unscored_sentences(spent)))


def unscored_sentences(spent: Record) -> list[str]:
    """Why answers could not be scored, each reason with how often, the commonest five."""
    reasons = Counter[str](spent["unscored"]).most_common(5)
    return [f"{count} {'answer' if count == 1 else 'answers'} could not be scored: {why}" for why, count in reasons]


def _made(record: Record) -> Section:
    made = record["made_from"]
    rows = (
        ("Verifiers", ", ".join(made["verifiers"])),
        ("Held-out verifiers", ", ".join(made["held_out"]) or None),
        ("Models", ", ".join(f"{role}: {name}" for role, name in made["models"].items()) or None),
        ("Domain", f"{made['domain']} ({made['domain_by']})" if made["domain"] else None),
        *((key, str(value)) for key, value in made["settings"].items()),
    )
    return Section("Made from", (Table("Made from", (Column("What"), Column("Which")), rows),))


def _columns(*headings: str) -> tuple[Column, ...]:
    """Columns by their headings; a last word that begins with a point or a plus sign is the format."""
    pairs = (heading.rpartition(" ") for heading in headings)
    return tuple(
        Column(name, last) if name and last[0] in ".+" else Column(" ".join(filter(None, (name, last))))
        for name, _, last in pairs
    )


def _row(flips: Record) -> tuple[int, ...]:
    return flips["answers"], flips["before"], flips["after"], flips["repaired"], flips["broken"]


def _sentence(flips: Record) -> str:
    return f"{flips['before']} into {flips['after']} right of {flips['answers']} answers"
