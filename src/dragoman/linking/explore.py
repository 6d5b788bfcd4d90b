"""Column exploration: bounded probe queries that a model writes, and what they found as notes.

After ReFoRCE (Deng et al. 2025, section 3.2.3 and appendix C). Every loop here is counted: a correction that cannot
be read uses up its attempt, and an exploration that finds nothing comes to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from string import Template

from dragoman.databases import Database, Rows
from dragoman.errors import BudgetSpent, ModelError
from dragoman.linking.chat import Chat
from dragoman.linking.probe import probe
from dragoman.linking.recipes import recipes
from dragoman.models import Message, Model, Settings
from dragoman.solver import Step
from dragoman.sql.described_queries import DescribedQuery, described_queries
from dragoman.sql.extract import extract

Show = Callable[[Rows | str], str]
"""How a result, or what an engine says of a query, is shown to a model: as data."""


@dataclass(frozen=True, slots=True)
class Exploring:
    """The bounds of one exploration, as the paper and its code have them.

    queries   probes at most, those that replace others after a correction included
    fewest    probes that a plan must hold, else it is asked for again, up to `plans` times in all
    rows      of a result that are read
    fixes     corrections of one probe
    failures  probes in a row that found nothing, after which the exploration is aborted (not before one more was run)
    seconds   for one probe
    tokens    of one reply
    """

    queries: int = 10
    fewest: int = 3
    plans: int = 3
    rows: int = 20
    fixes: int = 3
    failures: int = 5
    seconds: float = 30.0
    tokens: int = 3000

    @property
    def most_calls(self) -> int:
        """Model calls that no exploration exceeds: plans, corrections, and their carrying over."""
        return self.plans + self.queries * (self.fixes + 1)


@dataclass(frozen=True, slots=True)
class Subject:
    """What is explored, and for which question with all that is known of it.

    `schema` is its text, fenced; `show` fences what comes back.
    """

    schema: str
    question: str
    today: str
    show: Show


@dataclass(frozen=True, slots=True)
class Note:
    """What one probe found: what it was for, its SQL, and its result as a model may read it."""

    about: str
    sql: str
    shown: str


@dataclass(frozen=True, slots=True)
class Exploration:
    """Notes in order, a step for each reply and each execution, and why it was aborted ("" if it was not)."""

    notes: tuple[Note, ...] = ()
    steps: tuple[Step, ...] = ()
    aborted: str = ""


def explore(
    database: Database,
    model: Model,
    subject: Subject,
    how: Exploring = Exploring(),
    settings: Settings = Settings(temperature=1.0),
) -> Exploration:
    """Let `model` probe the database for what the question needs.

    At most `how.most_calls` calls and `how.queries` times (1 + `how.fixes`) executions. A failing model ends it with
    what was found so far; `BudgetSpent` is passed on.
    """
    system = _prompt("system", dialect=database.dialect, today=subject.today, schema=subject.schema)
    chat = Chat(model, "explorer", replace(settings, max_tokens=how.tokens), [Message("system", system)])
    probing = _Probing(database, subject, how, chat)
    try:
        aborted = probing.run()
    except BudgetSpent:
        raise
    except ModelError as error:
        aborted = str(error)
    return Exploration(tuple(probing.notes), tuple(chat.steps), aborted)


@dataclass
class _Probing:
    """One exploration under way."""

    database: Database
    subject: Subject
    how: Exploring
    chat: Chat
    notes: list[Note] = field(default_factory=list)

    def run(self) -> str:
        """Run the plan. Returns why it was aborted, "" if it was not."""
        waiting = list(self._plan())
        if not waiting:
            return "No query could be read in what the model planned."
        found: list[bool] = []
        while waiting and len(found) < self.how.queries:
            query = waiting.pop(0)
            note, fixed = self._probe(query)
            found.append(note is not None)
            if note is not None:
                self.notes.append(note)
            if note is not None and fixed and waiting:
                waiting = self._carry_over(query.sql, note.sql, waiting)
            if len(found) > self.how.failures and not any(found[-self.how.failures :]):
                return f"The last {self.how.failures} queries found nothing."
        return "" if self.notes else "No query found anything."

    def _plan(self) -> Sequence[DescribedQuery]:
        """The longest plan of those that were asked for, the first one that is long enough."""
        dialect = self.database.dialect
        contains = recipes(dialect).get("contains", "")
        text = _prompt("plan", question=self.subject.question, queries=self.how.queries, rows=self.how.rows)
        text += f"\n{_prompt('contains', contains=contains)}" if contains else ""
        longest: Sequence[DescribedQuery] = ()
        for _ in range(self.how.plans):
            plan = described_queries(self.chat.ask(text).text, dialect)[: self.how.queries]
            longest = max(longest, plan, key=len)
            if len(longest) >= self.how.fewest:
                break
            text = _prompt("more", fewest=self.how.fewest, queries=self.how.queries)
        return longest

    def _probe(self, query: DescribedQuery) -> tuple[Note | None, bool]:
        """What a query found, corrected where it failed or found nothing; whether it had to be."""
        sql, result = query.sql, self._execute(query.sql)
        for attempt in range(self.how.fixes + 1):
            if isinstance(result, Rows) and result.rows:
                return Note(query.about, sql, self.subject.show(result)), attempt > 0
            if attempt == self.how.fixes:
                break
            reply = self.chat.ask(self._complaint(sql, result)).text
            fixed = extract(reply, self.database.dialect).sql
            if fixed and fixed != sql:
                sql, result = fixed, self._execute(fixed)
        return None, True

    def _complaint(self, sql: str, result: Rows | str) -> str:
        if isinstance(result, Rows):
            return _prompt("empty", sql=sql)
        return _prompt("failed", sql=sql, error=self.subject.show(result))

    def _carry_over(self, wrong: str, right: str, waiting: Sequence[DescribedQuery]) -> list[DescribedQuery]:
        """The queries that wait, with the same mistake mended; as they were if fewer than half of them come back."""
        listed = "\n\n".join(f"```sql\n-- {query.about}\n{query.sql}\n```" for query in waiting)
        reply = self.chat.ask(_prompt("carry_over", wrong=wrong, right=right, waiting=listed)).text
        mended = described_queries(reply, self.database.dialect)
        return list(mended if 2 * len(mended) >= len(waiting) else waiting)

    def _execute(self, sql: str) -> Rows | str:
        found, step = probe(self.database, sql, self.how.rows, self.how.seconds)
        self.chat.steps.append(step)
        return found


def _prompt(name: str, **values: object) -> str:
    file = resources.files("dragoman.linking").joinpath(f"prompts/explore_{name}.md")
    return Template(file.read_text("utf-8").strip()).substitute(values)
