"""Does every gold query give on the views, in the new names, what it gives on the base in the old ones?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from dragoman.bench.gold_elsewhere import GoldElsewhere
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.errors import QueryError, Refused, Unreadable
from dragoman.metrics import RULES, Case, GoldCache, GoldFailed
from dragoman.questions import Example
from dragoman.refine.refined_database import How, RefinedDatabase
from dragoman.refine.refinement import Refinement


@dataclass(frozen=True, slots=True)
class Unequal:
    """A gold query that is not the same on the views. `rewritten` is "" where it could not be rewritten."""

    id: str
    sql: str
    rewritten: str
    reason: str


@dataclass(frozen=True, slots=True)
class GoldCheck:
    """`same` gold queries gave the same result, `different` ones did not. `unread` could not be rewritten.

    `unjudged` could not be compared with themselves on the base: they fail there, or are random, or too large.
    """

    same: int = 0
    different: tuple[Unequal, ...] = ()
    unread: tuple[Unequal, ...] = ()
    unjudged: tuple[Unequal, ...] = ()

    @property
    def checked(self) -> int:
        return self.same + len(self.different)


def check_gold(
    base: GuardedDatabase,
    refinement: Refinement,
    examples: Iterable[Example],
    how: How = "auto",
    on_query: Callable[[], None] | None = None,
) -> GoldCheck:
    """Run every gold query, alternatives too, on the base and, rewritten, on the views, and compare the results."""
    cache = GoldCache()
    same = 0
    different: list[Unequal] = []
    unread: list[Unequal] = []
    out: list[Unequal] = []
    refined = RefinedDatabase(base, refinement, how)
    try:
        for example in (single for whole in examples for single in _each(whole)):
            if on_query:
                on_query()
            if why := unjudged(Case(example, example.sql, base, cache)):
                out.append(Unequal(example.question.id, example.sql, "", why))
                continue
            try:
                rewritten = refined.rewritten(example.sql)
            except (Unreadable, Refused) as error:
                unread.append(Unequal(example.question.id, example.sql, "", str(error)))
                continue
            why = unjudged(Case(example, rewritten, refined, GoldElsewhere(cache, base)))
            if why:
                different.append(Unequal(example.question.id, example.sql, rewritten, why))
            else:
                same += 1
    finally:
        refined.close()
    return GoldCheck(same, tuple(different), tuple(unread), tuple(out))


def unjudged(case: Case, rule: str = "strict") -> str:
    """Why the query of a case, gold itself or gold rewritten, is not right by its own measure; "" if it is.

    Unlike `judge` it lets SQLite's double-quoted strings pass, for gold may hold them.
    """
    try:
        outcome = RULES[rule](case)
    except (GoldFailed, QueryError, Refused) as error:
        return str(error)
    return "" if outcome.correct else outcome.detail or "its result is another one when it runs again"


def _each(example: Example) -> Iterable[Example]:
    """One example for every gold query that there is."""
    return (replace(example, sql=sql, alternatives=()) for sql in (example.sql, *example.alternatives) if sql)
