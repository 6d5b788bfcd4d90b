"""How the rules agree: python benchmarks/agreement.py SPIDER [--limit N] writes docs/agreement.md

Takes the gold queries of Spider dev, makes wrong copies (mutations.py) and right copies (variants.py) of each, and
asks every rule. What is wrong is not taken on trust: a copy counts as wrong only if its result differs under the
strict rule on the database itself or on one of several databases with other contents. Right copies are right by the
way they are made.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from mutations import MUTATIONS
from neighbours import neighbours
from sqlglot import exp
from variants import VARIANTS

from dragoman.databases import Database, connect
from dragoman.errors import Unreadable
from dragoman.metrics import Bound, Case, GoldCache, Verdict, judge_case
from dragoman.metrics.critic_trial import ex_base
from dragoman.questions import Example, Question
from dragoman.sql.parse import parse
from dragoman.sql.references import resolve_double_quotes

RULES = (
    "strict", "spider_test_suite", "spider_exact_set", "bird_execution", "bird_soft_f1", "spider2", "bird_critic",
    "egrefine",
)  # fmt: skip
LEFT_OUT = ("wta_1",)
NEIGHBOURS = 4
PAGE = Path(__file__).parents[1] / "docs" / "agreement.md"


@dataclass
class Tally:
    """Counts: pairs of each kind, and for each rule how many of them it passed; pairs of rules that agree."""

    made: Counter[str] = field(default_factory=Counter)
    decided: Counter[str] = field(default_factory=Counter)
    passed: Counter[tuple[str, str]] = field(default_factory=Counter)
    same: Counter[tuple[str, str]] = field(default_factory=Counter)
    pairs: int = 0

    def add(self, kind: str, verdicts: dict[str, bool]) -> None:
        self.decided[kind] += 1
        self.pairs += 1
        for rule, passed in verdicts.items():
            self.passed[kind, rule] += passed
            for other, also in verdicts.items():
                self.same[rule, other] += passed is also


@dataclass
class Trial:
    """One gold query with the databases it is tried on; the first is the real one."""

    example: Example
    databases: list[Database]
    path: Path
    gold: GoldCache

    def differs(self, sql: str) -> bool | None:
        """Whether the strict rule tells `sql` from the gold on any database; None where `sql` does not even run."""
        found = [judge_case(Case(self.example, sql, db, self.gold)).verdict for db in self.databases]
        if found[0] not in (Verdict.CORRECT, Verdict.WRONG, Verdict.UNSCORED):
            return None
        return any(verdict not in (Verdict.CORRECT, Verdict.UNSCORED) for verdict in found)

    def verdicts(self, sql: str) -> dict[str, bool]:
        """What each rule says on the real database; whatever is not right is a fail."""
        case = Case(self.example, sql, self.databases[0], self.gold)
        return {rule: self.critic(sql) if rule == "bird_critic" else judge_case(case, rule).correct for rule in RULES}

    def critic(self, sql: str) -> bool:
        """BIRD-Critic's default comparison; queries only, so that no process of its own is needed."""
        connection = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        try:
            return bool(ex_base([sql], [self.example.sql], str(self.path), connection))
        except (sqlite3.Error, UnicodeDecodeError):
            return False
        finally:
            connection.close()


def trials(spider: Path, folder: Path, limit: int | None) -> Iterator[Trial]:
    """Every gold query of Spider dev, its double-quoted strings made strings."""
    opened: dict[str, tuple[Path, list[Database]]] = {}
    gold = GoldCache(Bound(seconds=5.0))
    for record in json.loads((spider / "dev.json").read_text("utf-8"))[:limit]:
        name = record["db_id"]
        if name in LEFT_OUT:
            continue
        if name not in opened:
            path = spider / "database" / name / f"{name}.sqlite"
            real = connect(str(path))
            others = neighbours(path, real.schema(), folder, NEIGHBOURS, seed=11)
            opened[name] = path, [real, *(connect(str(other)) for other in others)]
        path, databases = opened[name]
        yield Trial(Example(Question(record["question"]), record["query"], name), databases, path, gold)


def copies(trial: Trial, makers: dict[str, Callable[..., Iterator[exp.Expr]]]) -> Iterator[tuple[str, str]]:
    """(kind, SQL) of every copy that reads otherwise than the gold; at most two of a kind for one query."""
    schema = trial.databases[0].schema()
    try:
        tree = resolve_double_quotes(parse(trial.example.sql, "sqlite"), schema, gold=True)
    except Unreadable:
        return
    plain = tree.sql("sqlite")
    for kind, maker in makers.items():
        made = [sql for sql in dict.fromkeys(copy.sql("sqlite") for copy in maker(tree, schema)) if sql != plain]
        for sql in made[:2]:
            yield kind, sql


def measure(spider: Path, limit: int | None) -> tuple[Tally, Tally]:
    """Tallies of the wrong and of the right copies."""
    wrong, right = Tally(), Tally()
    seen: set[tuple[str, str]] = set()
    with tempfile.TemporaryDirectory() as folder:
        for trial in trials(spider, Path(folder), limit):
            if (trial.example.database, trial.example.sql) in seen:
                continue
            seen.add((trial.example.database, trial.example.sql))
            for kind, sql in copies(trial, MUTATIONS):
                wrong.made[kind] += 1
                if trial.differs(sql):
                    wrong.add(kind, trial.verdicts(sql))
            for kind, sql in copies(trial, VARIANTS):
                right.made[kind] += 1
                right.add(kind, trial.verdicts(sql))
    return wrong, right


def table(tally: Tally, title: str, passes: bool) -> Iterator[str]:
    """One row for each kind, and all of them: the share that each rule passes, or fails."""
    yield f"| {title} | made | decided | " + " | ".join(RULES) + " |"
    yield "|---|---:|---:|" + "---:|" * len(RULES)
    kinds = sorted(tally.made, key=lambda kind: -tally.decided[kind])
    for kind in [*kinds, "all"]:
        decided = tally.pairs if kind == "all" else tally.decided[kind]
        made = tally.made.total() if kind == "all" else tally.made[kind]
        cells = []
        for rule in RULES:
            passed = sum(tally.passed[k, rule] for k in kinds) if kind == "all" else tally.passed[kind, rule]
            share = (passed if passes else decided - passed) / decided if decided else 0.0
            cells.append(f"{share:.1%}" if decided else "")
        name = f"**{kind}**" if kind == "all" else kind
        yield f"| {name} | {made} | {decided} | " + " | ".join(cells) + " |"


def matrix(wrong: Tally, right: Tally) -> Iterator[str]:
    """How often two rules say the same, over all copies."""
    pairs = wrong.pairs + right.pairs
    yield "| | " + " | ".join(RULES) + " |"
    yield "|---|" + "---:|" * len(RULES)
    for rule in RULES:
        cells = (f"{(wrong.same[rule, other] + right.same[rule, other]) / pairs:.1%}" for other in RULES)
        yield f"| {rule} | " + " | ".join(cells) + " |"


def main() -> None:
    """Measure, and write the page from its template."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spider", type=Path, help="the folder that holds dev.json and database/")
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--page", type=Path, default=PAGE)
    options = parser.parse_args()
    wrong, right = measure(options.spider, options.limit)
    text = Path(__file__).with_name("agreement_page.md").read_text("utf-8")
    parts = {
        "date": str(date.today()),
        "wrong": "\n".join(table(wrong, "mutation", passes=True)),
        "right": "\n".join(table(right, "variant", passes=False)),
        "matrix": "\n".join(matrix(wrong, right)),
    }
    for name, part in parts.items():
        text = text.replace("{" + name + "}", part)
    options.page.parent.mkdir(exist_ok=True)
    options.page.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
