"""CHASE-SQL as its authors describe it: three generators, a fixer, and a selector that compares candidates in pairs.

After Pourreza et al. 2024, "CHASE-SQL: Multi-Path Reasoning and Preference Optimized Candidate Selection in
Text-to-SQL". The adaptation that DivSkill-SQL compares itself with is `chase_agentic`. What differs is told in
docs/methods.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from dragoman.databases import Database
from dragoman.ensemble import pool_of, settle
from dragoman.ensemble.at_once import at_once
from dragoman.ensemble.model_judge import Judging, model_judge
from dragoman.errors import BudgetSpent, ModelError
from dragoman.models import ModelsByRole
from dragoman.schema import ddl
from dragoman.solver import Answer, Failure, Solver
from dragoman.workflows.chase_examples import Synthetic, plan_examples, split_examples, synthetic_examples
from dragoman.workflows.chase_selector import by_points
from dragoman.workflows.chase_values import Lookup, look_up
from dragoman.workflows.mend import Mending, mend, read_whole
from dragoman.workflows.sample_values import with_values
from dragoman.workflows.shuffled_schema import shuffled_schema
from dragoman.workflows.stages import Sampling, Stages, staged
from dragoman.workflows.zero_shot import Asking

ROLES = ("linker", "generator", "corrector", "judge")
GENERATORS = ("divide", "plan", "synthetic")


@dataclass(frozen=True, slots=True)
class Chase:
    """`candidates` are drawn of each generator in `generators` at `temperature`, all but the first over a schema whose
    tables and columns are shuffled.

    The fixer is asked at most `fixes` times for each. `values` sample values are shown of each column. `lookup` is how
    values are found, and `synthetic` how many examples are made up. `workers` candidates, and judgements, are made at
    the same time.
    """

    generators: tuple[str, ...] = GENERATORS
    candidates: int = 7
    temperature: float = 1.0
    fixes: int = 3
    values: int = 3
    lookup: Lookup = Lookup()
    synthetic: Synthetic = Synthetic()
    workers: int = 8


def chase(database: Database, models: ModelsByRole, asking: Asking, how: Chase = Chase()) -> Solver:
    """A solver of 21 candidates: a call for keywords, one for columns and two for examples, then one for each candidate
    and up to three more to mend it; a judgement for each ordered pair of different results.

    Everything runs on `database`. Raises `SetupError`, when bound, for a model that writes SQL only.
    """
    cells = asking.values or all(models.for_role(role).local for role in ROLES)

    def solve(stages: Stages) -> Answer:
        stages.hints = look_up(stages, how.lookup)
        examples = _examples(stages, how)
        kinds = [(kind, number) for kind in how.generators for number in range(how.candidates)]
        calls = [
            partial(_candidate, replace(stages, candidate=place, steps=[], ran={}), kind, number, examples[kind], how)
            for place, (kind, number) in enumerate(kinds, 1)
        ]
        answers = at_once(calls, how.workers)
        names = [f"{kind} {number + 1}" for kind, number in kinds]
        pool = pool_of(stages.question, stages.draw, answers, database, names)
        judge = model_judge(database, models.for_role("judge"), Judging(asking.today, cells))
        answer = settle(pool, by_points(judge, how.workers)(pool))
        return replace(answer, steps=(*stages.steps, *answer.steps))

    return staged("chase", ROLES, (database, models, asking), solve)


def _examples(stages: Stages, how: Chase) -> Mapping[str, str]:
    """What each generator shows; the made-up examples are asked for once, for all its candidates."""
    dialect = stages.schema.dialect
    return {
        "divide": split_examples(dialect) if "divide" in how.generators else "",
        "plan": plan_examples(dialect) if "plan" in how.generators else "",
        "synthetic": synthetic_examples(stages, how.synthetic) if "synthetic" in how.generators else "",
    }


def _candidate(own: Stages, kind: str, number: int, examples: str, how: Chase) -> Answer:
    """One query of one generator, mended. What fails is a failed candidate."""
    if number:
        own.schema = shuffled_schema(own.schema, own.draw.seed, number)
    shown = own.fence(ddl(with_values(own.schema, own.values, how.values)), "schema")
    try:
        sampling = Sampling(1, how.temperature, number)
        (reply,) = own.ask("generator", f"chase/{kind}", {"schema": shown, "examples": examples}, sampling)
        found = read_whole(own, reply)
        if not found.sql:
            return own.answer(None, found.text)
        return mend(own, shown, found.sql, Mending("chase/fix", how.fixes))
    except BudgetSpent:
        raise
    except ModelError as error:
        return Answer(error=Failure(error.code, str(error)), steps=tuple(own.steps))
