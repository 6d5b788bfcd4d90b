"""MAC-SQL: a selector prunes the schema, a decomposer writes the query, a refiner runs it and mends what fails.

After Wang et al. 2025, "MAC-SQL: A Multi-Agent Collaborative Framework for Text-to-SQL"; `UNIFIED_MAC_SQL` is the
zero-shot form in which EGRefine verifies names (section 3.3 there). What differs from the original is told in
docs/methods.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.databases import Database
from dragoman.models import Choice, ModelsByRole
from dragoman.schema import ddl
from dragoman.solver import Answer, Candidate, Solver
from dragoman.sql.extract import Extracted
from dragoman.workflows.mac_sql_examples import mac_examples
from dragoman.workflows.mac_sql_schema import Pruning, described, prune, select_once
from dragoman.workflows.sample_values import with_values
from dragoman.workflows.stages import Stages, fault, say, staged
from dragoman.workflows.zero_shot import Asking

ROLES = ("linker", "generator", "corrector")
FIRST_ROWS = 5
"""Rows in which a NULL counts as a fault."""


@dataclass(frozen=True, slots=True)
class MacSql:
    """`pruning` is when and how the selector prunes, None for one call that names tables and columns of any schema.

    `values` values are shown of each column. `examples` shows worked examples to the decomposer. The refiner is asked
    at most `fixes` times: about errors, about results without rows if `on_empty`, and about a NULL in the first rows
    if `on_null`. The paper's rule for BIRD is the default; for Spider the last two are false.
    """

    pruning: Pruning | None = Pruning()
    values: int = 6
    examples: bool = True
    fixes: int = 3
    on_empty: bool = True
    on_null: bool = True


UNIFIED_MAC_SQL = MacSql(None, values=3, examples=False, fixes=2, on_null=False)


def mac_sql(database: Database, models: ModelsByRole, asking: Asking, how: MacSql = MacSql()) -> Solver:
    """A solver of 1 to 5 model calls at temperature 0 (unified: 2 to 4), whose refiner runs the query on `database`.

    The refiner stops at a result that it has no fault with, at a timeout, and at a reply without another query. The
    answer is the last query that ran, else the last one. Raises `SetupError`, when bound, for a model that writes SQL
    only.
    """

    def solve(stages: Stages) -> Answer:
        stages.schema = prune(stages, how.pruning, how.values) if how.pruning else select_once(stages, how.values)
        schema = stages.fence(_shown(stages, how), "schema")
        examples = mac_examples(stages.schema.dialect) if how.examples else ""
        (reply,) = stages.ask("generator", "mac_sql/decompose", {"schema": schema, "examples": examples})
        found = _query(stages, reply)
        return _refine(stages, schema, found.sql, how) if found.sql else stages.answer(None, found.text)

    return staged("mac_sql", ROLES, (database, models, asking), solve)


def _shown(stages: Stages, how: MacSql) -> str:
    if how.pruning:
        return described(stages.schema, stages.values, how.values)
    return ddl(with_values(stages.schema, stages.values, how.values))


def _refine(stages: Stages, schema: str, sql: str, how: MacSql) -> Answer:
    """Run the query, ask for another where there is a fault, and so on."""
    candidates = [stages.run(sql)]
    for _ in range(how.fixes):
        told = _fault(candidates[-1], how, stages.values is not None)
        if not told:
            break
        words = {
            "schema": schema,
            "draft": stages.fence(candidates[-1].sql, "query"),
            "fault": stages.fence(told, "fault"),
        }
        (reply,) = stages.ask("corrector", "mac_sql/refine", words)
        mended = _query(stages, reply).sql
        stages.note("correct", read=int(bool(mended)), changed=bool(mended) and mended != candidates[-1].sql)
        if not mended or mended == candidates[-1].sql:
            break
        candidates.append(stages.run(mended))
    ran = [candidate for candidate in candidates if candidate.rows is not None]
    answer = stages.answer(ran[-1] if ran else candidates[-1])
    return Answer(answer.sql, answer.rows, error=answer.error, candidates=tuple(candidates), steps=answer.steps)


def _query(stages: Stages, choice: Choice) -> Extracted:
    """The query in a reply; none in one that was cut off, which may hold half of it."""
    return Extracted("", "The reply reached its limit of tokens.") if choice.finish == "length" else stages.read(choice)


def _fault(candidate: Candidate, how: MacSql, cells: bool) -> str:
    """What the refiner is told of a result, "" where there is no fault or nothing that it could mend."""
    if candidate.error is not None:
        return "" if candidate.error.code == "timeout" else fault(candidate, cells)
    if candidate.rows is None:
        return ""
    if how.on_empty and not candidate.rows.rows:
        return say("no_rows")
    if how.on_null and any(cell is None for row in candidate.rows.rows[:FIRST_ROWS] for cell in row):
        return say("null")
    return ""
