"""What the stages of a method used over a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dragoman.bench.line import Line, Times
from dragoman.models.model import Usage
from dragoman.report import Column, Section, Table

COLUMNS = (
    Column("Stage"),
    Column("Questions"),
    Column("Calls"),
    Column("Prompt tokens"),
    Column("Completion tokens"),
    Column("Executions"),
    Column("Database seconds", ",.2f"),
)


def stages_section(lines: Sequence[Line], times: Iterable[Times]) -> Section | None:
    """Calls, tokens, executions and seconds of the database by stage; None where the method names no stage.

    `Questions` are those that reached the stage.
    """
    names = dict.fromkeys(stage.name for line in lines for stage in line.stages)
    if not names:
        return None
    seconds: dict[str, float] = {}
    for taken in times:
        for name, spent in taken.database.items():
            seconds[name] = seconds.get(name, 0.0) + spent
    rows = tuple(_row(name, lines, seconds.get(name, 0.0)) for name in names)
    note = "Seconds of the database depend on the machine and on what else it does."
    return Section("What stages used", (Table("", COLUMNS, rows, note),))


def _row(name: str, lines: Sequence[Line], seconds: float) -> tuple[str, int, int, int, int, int, float]:
    found = [[stage for stage in line.stages if stage.name == name] for line in lines]
    used = sum((stage.usage for of_line in found for stage in of_line), Usage())
    executions = sum(stage.executions for of_line in found for stage in of_line)
    reached = sum(map(bool, found))
    return name, reached, used.calls, used.prompt_tokens, used.completion_tokens, executions, seconds
