"""Lines with candidates whose verdicts follow from signals by known rules, with noise."""

from __future__ import annotations

from random import Random

from dragoman.bench.line import Line, Slot
from tests.bench.lines import line

RIGHT, EMPTY, POPULAR, BROKEN = (
    "SELECT COUNT(*) FROM singer WHERE age > 20",
    "SELECT COUNT(*) FROM singer WHERE age > 999",
    "SELECT name FROM singer WHERE age > 20",
    "SELECT nope FROM singer",
)


def made_lines(count: int, seed: int, databases: int = 12) -> list[Line]:
    """Five candidates a question; where some are right, the popular mistake forgets to count and is less likely."""
    random = Random(seed)
    return [_line(random, number, f"db {number % databases}") for number in range(count)]


def _line(random: Random, number: int, database: str) -> Line:
    solvable = random.random() < 0.6
    drawn = sorted(random.choices((RIGHT if solvable else EMPTY, POPULAR, BROKEN), (2, 3, 1), k=5))
    random.shuffle(drawn)
    groups: dict[str, int] = {}
    slots = tuple(_slot(random, sql, groups) for sql in drawn)
    sizes = {slot.sql: drawn.count(slot.sql) for slot in slots if slot.group is not None}
    chosen = max(sizes, key=lambda sql: sizes[sql]) if sizes else BROKEN
    return line(
        f"q{number}",
        "correct" if chosen == RIGHT else "wrong",
        database=database,
        question="How many singers are older than 20?",
        sql=chosen,
        slots=slots,
        share=drawn.count(chosen) / 5,
    )


def _slot(random: Random, sql: str, groups: dict[str, int]) -> Slot:
    if sql == BROKEN:
        return Slot(sql, "invalid_reference", failure="query", logprob=-1.5)
    group = groups.setdefault(sql, len(groups))
    logprob = random.gauss(-0.2 if sql == RIGHT else -0.6, 0.2)
    verdict = "correct" if sql == RIGHT else "wrong"
    return Slot(sql, verdict, group=group, rows=int(sql != EMPTY), columns=1, nulls=0.0, logprob=logprob)
