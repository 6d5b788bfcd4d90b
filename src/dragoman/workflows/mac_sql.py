"""MAC-SQL: a selector prunes the schema, a decomposer writes the query, a refiner runs it and mends what fails.

After Wang et al. 2025, "MAC-SQL: A Multi-Agent Collaborative Framework for Text-to-SQL"; `UNIFIED_MAC_SQL` is the
zero-shot form in which EGRefine verifies names (section 3.3 there). What differs from the original is told in
docs/methods.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.databases import Database
from dragoman.models import ModelsByRole
from dragoman.schema import ddl
from dragoman.solver import Answer, Solver
from dragoman.workflows.mac_sql_examples import mac_examples
from dragoman.workflows.mac_sql_schema import Pruning, described, prune, select_once
from dragoman.workflows.mend import Mending, mend, read_whole
from dragoman.workflows.sample_values import with_values
from dragoman.workflows.stages import Stages, staged
from dragoman.workflows.zero_shot import Asking

ROLES = ("linker", "generator", "corrector")


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
        found = read_whole(stages, reply)
        if not found.sql:
            return stages.answer(None, found.text)
        return mend(stages, schema, found.sql, Mending("mac_sql/refine", how.fixes, how.on_empty, how.on_null))

    return staged("mac_sql", ROLES, (database, models, asking), solve)


def _shown(stages: Stages, how: MacSql) -> str:
    if how.pruning:
        return described(stages.schema, stages.values, how.values)
    return ddl(with_values(stages.schema, stages.values, how.values))
