"""What one example of a run leaves behind: a line of results, and a line of times and money."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from dragoman.bench.stages import Stage, executions, read_stage
from dragoman.models.model import Usage
from dragoman.solver import Step

Key = tuple[str, int]
"""(id of the example, number of the repeat from 0)."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One candidate of a pool: its own verdict, and what could be told of it without the gold.

    `group` numbers the class of equal results and `failure` is the code of its own error, "" if it had none; one that
    did not run has neither. `rows` and `columns` count its result as far as it was kept, `nulls` is the share of NULL
    among its cells, `logprob` the mean natural log of the probability of its `tokens`; None where unknown. `actions`
    are what an agent did to find it.
    """

    sql: str
    verdict: str
    source: str = ""
    invalid_reference: bool = False
    missing_function: bool = False
    group: int | None = None
    failure: str = ""
    rows: int | None = None
    columns: int | None = None
    nulls: float | None = None
    logprob: float | None = None
    actions: tuple[str, ...] = ()
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """The answer to one example and its verdict. Nothing in it depends on the clock, the machine or a cache.

    `verdict` is a value of `metrics.Verdict`; `failure` is the code of the answer's own error, "" if it had none.
    `touches` says whether the gold refers to a renamed table or column, `uses` whether the answer does; None where
    nothing was renamed or the SQL cannot be read. `margin` is how far the winner of a tournament lay ahead (0 to 1).
    `usage` counts calls and tokens by role, whether or not a reply came from a cache; `stages` what each stage of a
    method used, for methods that name theirs.
    """

    id: str
    repeat: int
    database: str
    dialect: str
    difficulty: str
    question: str
    gold: str
    sql: str
    verdict: str
    reason: str = ""
    failure: str = ""
    text: str = ""
    slots: tuple[Slot, ...] = ()
    invalid_reference: bool = False
    missing_function: bool = False
    share: float | None = None
    confidence: float | None = None
    margin: float | None = None
    touches: bool | None = None
    uses: bool | None = None
    usage: Mapping[str, Usage] = field(default_factory=dict)
    stages: tuple[Stage, ...] = ()

    @property
    def key(self) -> Key:
        return self.id, self.repeat


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds an example took, and by role the seconds waited for models and the US dollars paid (None unknown).

    `database` are seconds of executions by the stage of the method, for methods that name theirs.
    """

    id: str
    repeat: int
    seconds: float
    waited: Mapping[str, float] = field(default_factory=dict)
    paid: Mapping[str, float | None] = field(default_factory=dict)
    database: Mapping[str, float] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        return self.id, self.repeat


def line_record(line: Line) -> dict[str, Any]:
    """The line as JSON values; `read_line` gives it back."""
    return asdict(line)


def read_line(record: Mapping[str, Any]) -> Line:
    """Raises KeyError or TypeError where the record is not a line."""
    slots = tuple(Slot(**{**slot, "actions": tuple(slot.get("actions", ()))}) for slot in record["slots"])
    usage = {role: Usage(**used) for role, used in record["usage"].items()}
    stages = tuple(map(read_stage, record.get("stages", ())))
    return Line(**{**record, "slots": slots, "usage": usage, "stages": stages})


def read_times(record: Mapping[str, Any]) -> Times:
    """Raises KeyError or TypeError where the record is not one of times."""
    return Times(**record)


def usage_by_role(steps: Iterable[Step]) -> dict[str, Usage]:
    """Calls and tokens of the steps that called a model, roles in order of their names."""
    used: dict[str, Usage] = {}
    for step in steps:
        if step.role or step.usage.calls:
            used[step.role] = used.get(step.role, Usage()) + step.usage
    return dict(sorted(used.items()))


def times_by_role(steps: Iterable[Step]) -> tuple[dict[str, float], dict[str, float | None]]:
    """(seconds waited for models, US dollars paid) by role."""
    waited: dict[str, float] = {}
    paid: dict[str, float | None] = {}
    for step in steps:
        if step.role or step.usage.calls:
            waited[step.role] = waited.get(step.role, 0.0) + step.seconds
            before = paid.get(step.role, 0.0)
            paid[step.role] = None if before is None or step.cost is None else before + step.cost
    return waited, paid


def database_seconds(steps: Iterable[Step]) -> dict[str, float]:
    """Seconds of executions by stage, of the steps that name theirs."""
    taken: dict[str, float] = {}
    for step in steps:
        if "stage" in step.data and executions(step):
            taken[step.data["stage"]] = taken.get(step.data["stage"], 0.0) + step.seconds
    return taken
