"""DIN-SQL: link, classify, generate by difficulty, correct.

After Pourreza and Rafiei 2023, "DIN-SQL: Decomposed In-Context Learning of Text-to-SQL with Self-Correction";
`UNIFIED_DIN_SQL` is the zero-shot form in which EGRefine verifies names (section 3.3 there). What differs from the
original is told in docs/methods.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.databases import Database
from dragoman.models import ModelsByRole
from dragoman.schema import ddl
from dragoman.solver import Answer, Solver
from dragoman.workflows.din_sql_examples import DinStage, din_examples
from dragoman.workflows.din_sql_replies import read_label, read_links, read_questions
from dragoman.workflows.sample_values import with_values
from dragoman.workflows.schema_forms import listing
from dragoman.workflows.stages import Stages, staged
from dragoman.workflows.worked_examples import Difficulty
from dragoman.workflows.zero_shot import Asking

ROLES = ("linker", "classifier", "generator", "corrector")
GENERATION: dict[Difficulty, DinStage] = {"EASY": "easy", "NON-NESTED": "non_nested", "NESTED": "nested"}


@dataclass(frozen=True, slots=True)
class DinSql:
    """`examples` shows worked examples at every stage, in the asked dialect.

    `as_ddl` shows CREATE statements with types, and `values` values of each column, instead of lists of columns.
    `unclassified` is the difficulty where a reply names none; with `label_anywhere` it need not stand after "Label:".
    """

    examples: bool = True
    as_ddl: bool = False
    values: int = 0
    unclassified: Difficulty = "NESTED"
    label_anywhere: bool = False


UNIFIED_DIN_SQL = DinSql(examples=False, as_ddl=True, unclassified="NON-NESTED", label_anywhere=True)


def din_sql(database: Database, models: ModelsByRole, asking: Asking, how: DinSql = DinSql()) -> Solver:
    """A solver that makes four model calls at temperature 0, one a stage, and runs the query of the last.

    A reply without links links nothing, one without a label leaves the difficulty to `how`, one without sub-questions
    gets the question itself, one without a query hands a bare SELECT to the correction, and a correction without a
    query leaves the draft. Raises `SetupError`, when bound, for a model that writes SQL only.
    """

    def solve(stages: Stages) -> Answer:
        shown = ddl(with_values(stages.schema, stages.values, how.values)) if how.as_ddl else listing(stages.schema)
        schema = stages.fence(shown, "schema")
        links = _link(stages, schema, how)
        difficulty, questions = _classify(stages, schema, links, how)
        words = {
            "schema": schema,
            "links": links,
            "examples": _examples(stages, GENERATION[difficulty], how),
            "questions": stages.fence("\n".join(f"- {question}" for question in questions), "questions"),
        }
        (reply,) = stages.ask("generator", f"din_sql/{GENERATION[difficulty]}", words)
        found = stages.read(reply)
        draft = "" if reply.finish == "length" else found.sql
        sql = _correct(stages, schema, draft) or draft
        return stages.answer(stages.run(sql)) if sql else stages.answer(None, found.text)

    return staged("din_sql", ROLES, (database, models, asking), solve)


def _link(stages: Stages, schema: str, how: DinSql) -> str:
    """The links that the model names, in brackets and as data; `[]` where it names none."""
    (reply,) = stages.ask(
        "linker", "din_sql/linking", {"schema": schema, "examples": _examples(stages, "linking", how)}
    )
    links = read_links(reply.text)
    stages.note("link", read=int(bool(links)), chosen=links)
    return stages.fence(f"[{links}]", "links")


def _classify(stages: Stages, schema: str, links: str, how: DinSql) -> tuple[Difficulty, tuple[str, ...]]:
    """The difficulty, and for a nested query the questions that it is taken apart into."""
    words = {"schema": schema, "links": links, "examples": _examples(stages, "classification", how)}
    (reply,) = stages.ask("classifier", "din_sql/classification", words)
    label = read_label(reply.text, how.label_anywhere)
    difficulty = label or how.unclassified
    questions = (read_questions(reply.text) or (stages.question.text,)) if difficulty == "NESTED" else ()
    stages.note("classify", read=int(label is not None), difficulty=difficulty, questions=list(questions))
    return difficulty, questions


def _correct(stages: Stages, schema: str, draft: str) -> str:
    """The query as the corrector leaves it, "" where its reply holds none."""
    words = {"schema": schema, "draft": stages.fence(draft or "SELECT", "query")}
    (reply,) = stages.ask("corrector", "din_sql/correction", words)
    sql = "" if reply.finish == "length" else stages.read(reply).sql
    stages.note("correct", read=int(bool(sql)), changed=bool(sql) and sql != draft)
    return sql


def _examples(stages: Stages, stage: DinStage, how: DinSql) -> str:
    return din_examples(stage, stages.schema.dialect) if how.examples else ""
