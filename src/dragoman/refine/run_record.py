"""The record of a finished run, as it stands in its folder."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dragoman.errors import SetupError
from dragoman.refine.bundles import Bundle
from dragoman.refine.flips import Flips
from dragoman.refine.refine import RefinementRun
from dragoman.refine.refinement_file import RefinementFile

RUN = "run.json"
_PARTS = frozenset({"made_from", "renamed", "declined", "names", "joint", "spent"})


def read_run(folder: Path) -> dict[str, Any]:
    """What `run_record` made of the run in `folder`. Raises `SetupError` where none was finished."""
    try:
        record = json.loads((folder / RUN).read_text("utf-8"))
    except (OSError, ValueError):
        record = None
    if not isinstance(record, dict) or not record.keys() >= _PARTS:
        raise SetupError(f"There is no finished run in {folder}. Run `dragoman refine run --out {folder}`.")
    return record


def run_record(run: RefinementRun, file: RefinementFile) -> dict[str, Any]:
    """All that the report needs, as plain JSON. Places are "table.column", or "table" for a table."""
    fit, screened, joint, gold = run.applicability, run.screened, run.joint, run.gold
    return {
        "made_from": asdict(file.made_from),
        "renamed": {_place(place): new for place, new in sorted(run.refinement.names.items())},
        "declined": run.declined,
        "baseline": None
        if fit is None or fit.accuracy is None
        else {
            "accuracy": [fit.accuracy.estimate, fit.accuracy.low, fit.accuracy.high],
            "by_verifier": {name: list(found) for name, found in fit.by_verifier.items()},
        },
        "workload": None
        if fit is None
        else {
            "questions": fit.questions,
            "unjudged": dict(run.unjudged),
            "touched": fit.touched,
            "columns": fit.columns,
            "hardness": dict(fit.hardness),
        },
        "funnel": _funnel(run),
        "notes": list(screened.notes) if screened else [],
        "names": [_name(record) for record in map(asdict, file.records)],
        "bundles": [_bundle(bundle) for bundle in run.bundles],
        "kept_with_keys": {_place(place): why for place, why in (joint.resolved.kept if joint else {}).items()},
        "joint": None
        if joint is None
        else {
            "questions": joint.questions,
            "own_questions": run.own_questions,
            "first": _flips(joint.first),
            "last": _flips(joint.last),
            "dropped": {_place(place): why for place, why in joint.dropped.items()},
        },
        "outside": {name: _flips(found) for name, found in run.outside.items()},
        "gold": None
        if gold is None
        else {
            "same": gold.same,
            **{k: [asdict(u) for u in getattr(gold, k)] for k in ("different", "unread", "unjudged")},
        },
        "answers": {"raced": run.raced, "exhaustive": run.exhaustive},
        "spent": asdict(run.spent),
    }


def _funnel(run: RefinementRun) -> list[list[Any]]:
    if run.screened is None:
        return []
    screened, proposed = run.screened, {p.place for p in run.proposals if p.names}
    tried = {v.place for v in run.verifications if v.names} | {p for b in run.bundles for p in b.places}
    won = {v.place for v in run.verifications if v.chosen} | {p for b in run.bundles for p in b.names}
    inherited = run.joint.resolved.inherited if run.joint else {}
    return [
        ["columns and tables of the schema", screened.columns + screened.tables],
        ["looked at after structural exclusion and screening", len(screened.kept)],
        ["with names proposed", len(proposed)],
        ["of which a name was tried", len(tried)],
        ["of which a name passed the threshold", len(won)],
        ["renamed in the end", len(run.refinement.names)],
        ["of these by the key they refer to", len(inherited)],
    ]


def _bundle(found: Bundle) -> dict[str, Any]:
    """Tables tried as a whole. `outcome` says in a sentence what became of it."""
    given = ", ".join(f"{_place(place)} becomes {name}" for place, name in found.names.items())
    dropped = ", ".join(f"{name} for {_place(place)}" for place, name in found.dropped.items())
    outcome = f"{given}{f'; not {dropped}, whose questions lost by it' if dropped else ''}" if given else ""
    return {
        "table": ", ".join(found.tables),
        "original": found.contest.original,
        "scores": [asdict(scored) for scored in found.contest.names],
        "outcome": outcome or found.reason,
    }


def _name(record: dict[str, Any]) -> dict[str, Any]:
    return {**record, "place": _place(record["place"])}


def _place(place: Any) -> str:
    return ".".join(filter(None, place))


def _flips(found: Flips) -> dict[str, int]:
    repaired, broken = len(found.repaired), len(found.broken)
    return {
        "answers": found.answers,
        "before": found.before,
        "after": found.after,
        "repaired": repaired,
        "broken": broken,
    }
