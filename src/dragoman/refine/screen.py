"""Phase 1: which names are worth the cost of proposing and verifying (EGRefine, section III-B)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dragoman.errors import SetupError
from dragoman.refine.refinement import Place, tables_by_key
from dragoman.refine.structural_exclusion import structural_exclusion
from dragoman.refine.subject import Subject
from dragoman.schema import Schema
from dragoman.solver import Step


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a name is worth refining. `signals` say what speaks for it; `step` is the call that decided, if one."""

    refine: bool
    signals: tuple[str, ...] = ()
    step: Step | None = None


Judge = Callable[[Sequence[Subject]], Sequence[Judgement]]
"""One judgement for each subject, in order. See `screen_by_model` and `screen_by_rule`."""


@dataclass(frozen=True, slots=True)
class Screened:
    """`kept` are the places worth refining, in the schema's order. `dropped` says of every other place why not.

    `signals` says of those kept why. `notes` are sentences on what was not looked at. `columns` and `tables` count what
    the schema has.
    """

    kept: tuple[Place, ...]
    dropped: Mapping[Place, str] = field(default_factory=dict)
    signals: Mapping[Place, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    columns: int = 0
    tables: int = 0
    steps: tuple[Step, ...] = ()

    @property
    def compression(self) -> float:
        """The share of all columns that is kept."""
        return sum(1 for _, column in self.kept if column) / self.columns if self.columns else 0.0


def open_places(schema: Schema, only: Iterable[str] = (), *, tables: bool = True) -> tuple[Place, ...]:
    """The columns that structure does not exclude, and the tables (not views) if `tables`, a table before its columns.

    `only` narrows it to tables of these names, whatever the case; none means all. Raises `SetupError` for a name that
    no table has.
    """
    excluded = structural_exclusion(schema)
    wanted = {name.lower() for name in only}
    if unknown := wanted - {name.lower() for key, table in tables_by_key(schema).items() for name in (key, table.name)}:
        raise SetupError(f"There is no table {min(unknown)} to refine. `dragoman schema` lists them.")
    found: list[Place] = []
    for key, table in tables_by_key(schema).items():
        if table.kind != "table" or (wanted and not wanted & {key.lower(), table.name.lower()}):
            continue
        if tables:
            found.append((key, ""))
        found += [(key, column.name) for column in table.columns if (key, column.name) not in excluded]
    return tuple(found)


def screen(schema: Schema, subjects: Sequence[Subject], judge: Judge, notes: Iterable[str] = ()) -> Screened:
    """Screen the subjects, which are those of `open_places`, by a judge."""
    judgements = judge(subjects)
    judged = {subject.place: judgement for subject, judgement in zip(subjects, judgements, strict=True)}
    dropped = dict(structural_exclusion(schema))
    dropped |= {place: "its name is clear" for place, found in judged.items() if not found.refine}
    kept = tuple(place for place, found in judged.items() if found.refine)
    return Screened(
        kept,
        dropped,
        {place: judged[place].signals for place in kept},
        tuple(notes),
        sum(len(table.columns) for table in schema),
        len(schema.tables),
        tuple(found.step for found in judged.values() if found.step),
    )
