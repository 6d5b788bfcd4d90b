"""A refinement as a file: what was decided, of what, by whom, and why; as JSON that people can read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dragoman.errors import SetupError
from dragoman.refine.propose import Proposed
from dragoman.refine.refinement import Place, Refinement
from dragoman.refine.schema_outline import Outline

FORMAT, VERSION = "dragoman refinement", 1


@dataclass(frozen=True, slots=True)
class NameScore:
    """What verification found of one name. `score` is a share of right answers from 0 to 1, None if it is not known.

    `repaired` and `broken` name the questions that were answered right under one of the two names only.
    """

    name: str
    score: float | None = None
    repaired: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    lost: str = ""


@dataclass(frozen=True, slots=True)
class NameRecord:
    """How one column or table (`place[1]` is "") came by its name. `decision` is the new one, "" where the old stays.

    `signals` say why it was looked at; `questions` of the workload read it; `original` is the score of the old name.
    """

    place: Place
    decision: str = ""
    reason: str = ""
    signals: tuple[str, ...] = ()
    candidates: tuple[Proposed, ...] = ()
    rejects: tuple[Proposed, ...] = ()
    questions: int = 0
    original: float | None = None
    scores: tuple[NameScore, ...] = ()


@dataclass(frozen=True, slots=True)
class MadeFrom:
    """What a refinement was made from and by whom, so that a change can be told.

    `workload` is its digest (`workload_digest`). `verifiers` and `held_out` are identities, `models` names by role.
    `domain` is the sentence on what the database is about, `domain_by` who made it.
    """

    schema: Outline
    workload: str = ""
    questions: int = 0
    verifiers: tuple[str, ...] = ()
    held_out: tuple[str, ...] = ()
    models: Mapping[str, str] = field(default_factory=dict)
    domain: str = ""
    domain_by: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RefinementFile:
    """A refinement with what it was made from and a record of every name that was looked at."""

    refinement: Refinement
    made_from: MadeFrom
    records: tuple[NameRecord, ...] = ()


def write_refinement(file: RefinementFile, path: Path) -> None:
    """Write the file in one piece; `read_refinement` gives the same back. Raises `SetupError` where it cannot."""
    record = {
        "format": FORMAT,
        "version": VERSION,
        "tables": _nested(file.refinement),
        "made_from": asdict(file.made_from),
        "records": [asdict(record) for record in file.records],
    }
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise SetupError(f"Cannot write {path}: {error.strerror}. Choose another place.") from None


def read_refinement(path: Path) -> RefinementFile:
    """The refinement in a file. Raises `SetupError` where it is none, or of another version."""
    try:
        record = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SetupError(f"Cannot read the refinement {path}: {error.strerror}. Check the path.") from None
    except ValueError:
        raise SetupError(f"{path} is not JSON. Give a file that `dragoman refine run` wrote.") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise SetupError(f"{path} is no refinement. Give a file that `dragoman refine run` wrote.")
    if record.get("version") != VERSION:
        raise SetupError(
            f"{path} is of version {record.get('version')}, not {VERSION}. Run `dragoman refine run` again."
        )
    try:
        return RefinementFile(
            _flat(record["tables"]), _made_from(record["made_from"]), tuple(map(_name_record, record["records"]))
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SetupError(f"{path} is not whole ({error!r}). Run `dragoman refine run` again.") from None


def _nested(refinement: Refinement) -> dict[str, dict[str, Any]]:
    """The names by table, as people look for them."""
    found: dict[str, dict[str, Any]] = {}
    for table in sorted({key for key, _ in (*refinement.names, *refinement.descriptions)}):
        columns = {column: new for (key, column), new in refinement.columns.items() if key == table}
        told = {column: text for (key, column), text in refinement.descriptions.items() if key == table}
        entry = {"name": refinement.tables.get(table), "columns": columns, "descriptions": told}
        found[table] = {key: value for key, value in entry.items() if value}
    return found


def _flat(tables: Mapping[str, Mapping[str, Any]]) -> Refinement:
    return Refinement(
        {(t, c): _text(new) for t, entry in tables.items() for c, new in entry.get("columns", {}).items()},
        {t: _text(entry["name"]) for t, entry in tables.items() if "name" in entry},
        {(t, c): _text(text) for t, entry in tables.items() for c, text in entry.get("descriptions", {}).items()},
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _made_from(record: Mapping[str, Any]) -> MadeFrom:
    given = dict(record)
    given["schema"] = Outline(**record["schema"])
    given["verifiers"], given["held_out"] = tuple(record["verifiers"]), tuple(record["held_out"])
    return MadeFrom(**given)


def _name_record(record: Mapping[str, Any]) -> NameRecord:
    given = dict(record)
    table, column = record["place"]
    given["place"] = (str(table), str(column))
    given["signals"] = tuple(record["signals"])
    given["candidates"] = _proposed(record["candidates"])
    given["rejects"] = _proposed(record["rejects"])
    given["scores"] = tuple(
        NameScore(**{**score, "repaired": tuple(score["repaired"]), "broken": tuple(score["broken"])})
        for score in record["scores"]
    )
    return NameRecord(**given)


def _proposed(records: Sequence[Mapping[str, str]]) -> tuple[Proposed, ...]:
    return tuple(Proposed(**record) for record in records)
