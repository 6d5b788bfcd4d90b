"""What can be told of candidates and answers without knowing which are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dragoman.solver import Answer, Candidate


@dataclass(frozen=True, slots=True)
class Signals:
    """One candidate. `group` numbers its class of equal results, None if it has none; `failure` is an error's code.

    `rows` and `columns` count its result as far as it was kept, `nulls` is the share of NULL among its cells (0 to 1),
    `logprob` the mean natural log of the probability of its `tokens`; None where unknown. `source` names its solver.
    """

    sql: str
    source: str = ""
    group: int | None = None
    failure: str = ""
    rows: int | None = None
    columns: int | None = None
    nulls: float | None = None
    logprob: float | None = None
    tokens: int | None = None

    @property
    def tells(self) -> bool:
        """Whether its result has any value: no rows, or NULL alone, are mostly a condition that nothing meets."""
        return bool(self.rows) and self.nulls != 1.0


def signals_of(candidate: Candidate) -> Signals:
    """The signals of a candidate."""
    rows = candidate.rows
    cells = sum(map(len, rows.rows)) if rows is not None else 0
    empty = sum(cell is None for row in rows.rows for cell in row) if rows is not None else 0
    return Signals(
        candidate.sql,
        candidate.source,
        candidate.group,
        candidate.error.code if candidate.error else "",
        None if rows is None else len(rows),
        None if rows is None else len(rows.columns),
        empty / cells if cells else None,
        candidate.logprob,
        candidate.tokens,
    )


def compared(pool: Sequence[Signals]) -> tuple[Signals, ...]:
    """The signals of a pool in which somebody has numbered the classes of equal results; others get a class.

    Those are the tries of one solver, one after the other: the last one that has a result is a class of its own.
    """
    ran = [place for place, one in enumerate(pool) if one.rows is not None]
    if not ran or any(one.group is not None for one in pool):
        return tuple(pool)
    return tuple(replace(one, group=0) if place == ran[-1] else one for place, one in enumerate(pool))


def margin_of(answer: Answer) -> float | None:
    """How far the winner of the answer's last tournament lay ahead (0 to 1), None without judgements."""
    for step in reversed(answer.steps):
        if step.kind == "tournament":
            margin = step.data.get("margin")
            return None if margin is None else float(margin)
    return None
