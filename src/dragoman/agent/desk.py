"""What a run of the agent works with, and what a tool hands back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dragoman.agent.documents import Document
from dragoman.agent.templates import Template
from dragoman.databases import Database, Limits
from dragoman.errors import QueryError, Refused
from dragoman.models import Model
from dragoman.models.fence import Fence
from dragoman.questions import Question
from dragoman.schema import Schema
from dragoman.solver import Candidate, Draw, Failure, Step
from dragoman.sql.parse import parse
from dragoman.sql.references import Unresolved, unresolved

Match = Callable[[str], Sequence[tuple[str, str, str]]]
"""Finds (table, column, value) in the database that a text names."""

MOST_NAMES = 5
"""Unknown names that one error message lists."""


@dataclass(frozen=True, slots=True)
class AgentLimits:
    """What one run may use: model replies, executions of SQL, replies in a row that call no tool.

    `returns` is how many submissions that do not run are sent back. `rows`, `cell` and
    `observation` (characters) bound what is shown of a result, `schema` (tokens) of the schema; `tokens` caps a reply.
    """

    turns: int = 12
    executions: int = 20
    malformed: int = 3
    returns: int = 1
    rows: int = 20
    cell: int = 160
    observation: int = 5000
    schema: int = 3000
    tokens: int = 8000


@dataclass(frozen=True, slots=True)
class Toolbox:
    """What the six tools draw on beside the database. Skills cannot change it.

    `reviewer` is the critic, the agent's own model if None. `values` False keeps cells out of every prompt. `limits`
    bound each query; `consent` is asked before one runs. `text_protocol` is for models without tool calls. `today`
    is the date as prompts show it.
    """

    today: str
    reviewer: Model | None = None
    documents: tuple[Document, ...] = ()
    templates: tuple[Template, ...] = ()
    match: Match | None = None
    values: bool = True
    limits: Limits = Limits()
    consent: Callable[[str], bool] | None = None
    text_protocol: bool = False


@dataclass(frozen=True, slots=True)
class Desk:
    """One question on the desk. `ran` remembers what each query gave, so that none runs twice."""

    database: Database
    schema: Schema
    question: Question
    draw: Draw
    fence: Fence
    toolbox: Toolbox
    limits: AgentLimits
    reviewer: Model
    ran: dict[str, Candidate] = field(default_factory=dict)

    def run(self, sql: str) -> Candidate:
        """Check the names of a query and run it within the limits. What fails is a value.

        A query that the user does not let run has neither rows nor an error.
        """
        if sql not in self.ran:
            self.ran[sql] = self._run(sql)
        return self.ran[sql]

    def _run(self, sql: str) -> Candidate:
        try:
            unknown = unresolved(parse(sql, self.schema.dialect), self.schema)
            if unknown:
                message = " ".join(f"{name}{_owners(name, self.schema)}" for name in unknown[:MOST_NAMES])
                return Candidate(sql, error=Failure("unresolved", message), source="agent")
            if self.toolbox.consent and not self.toolbox.consent(sql):
                return Candidate(sql, source="agent")
            return Candidate(sql, self.database.execute(sql, self.toolbox.limits), source="agent")
        except (QueryError, Refused) as error:
            return Candidate(sql, error=Failure(error.code, str(error)), source="agent")


def _owners(unknown: Unresolved, schema: Schema) -> str:
    """Which tables have a column of that name, where the one that was asked for has not."""
    if unknown.table:
        return ""
    name = unknown.name.rpartition(".")[2]
    owners = [table.name for table in schema if table.column(name)]
    more = " and others" if len(owners) > MOST_NAMES else ""
    return f" {name} is a column of {', '.join(owners[:MOST_NAMES])}{more}." if owners else ""


@dataclass(frozen=True, slots=True)
class Observation:
    """What a tool hands back: `text` for the model, with everything from outside fenced.

    `outcome` is "ok" or the code of what went wrong. `candidate` is the query that was run, drafted or handed in;
    `reply` a sentence handed in instead of one. `steps` are the tool's own calls of models.
    """

    text: str
    outcome: str = "ok"
    candidate: Candidate | None = None
    reply: str = ""
    final: bool = False
    steps: tuple[Step, ...] = ()
