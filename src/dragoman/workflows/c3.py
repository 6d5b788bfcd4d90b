"""C3: clear prompting, calibration with hints, and consistency by a vote over results.

After Dong et al. 2023, "C3: Zero-shot Text-to-SQL with ChatGPT"; `UNIFIED_C3` is the form in which EGRefine verifies
names (section 3.3 there). What differs from the original is told in docs/methods.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dragoman.databases import Database
from dragoman.ensemble.group_answers import cut_for_display, group_answers
from dragoman.ensemble.row_orders import first_ordered
from dragoman.errors import Unreadable
from dragoman.models import Choice, ModelsByRole
from dragoman.schema import ddl
from dragoman.solver import Answer, Candidate, Failure, Solver, Step
from dragoman.sql.without_distinct import without_distinct
from dragoman.workflows.c3_linking import Recall, link_once, recall
from dragoman.workflows.sample_values import with_values
from dragoman.workflows.schema_forms import clear_layout
from dragoman.workflows.stages import Sampling, Stages, say, staged
from dragoman.workflows.zero_shot import Asking

ROLES = ("linker", "generator")


@dataclass(frozen=True, slots=True)
class C3:
    """`recall` is how tables and columns are chosen, None for one call that names both.

    `samples` queries are drawn at `temperature`, the first one at 0 if `greedy_first`; all are drawn anew, at most
    `retries` times, while the first of them is a query that does not run, or nothing. With `ignore_distinct` results
    are compared as they would be without DISTINCT. After a recall the schema is shown in the clear layout, and `tips`
    are the calibration hints, as an earlier conversation; else as DDL with `values` values of each column.
    """

    recall: Recall | None = Recall()
    samples: int = 20
    temperature: float = 1.0
    greedy_first: bool = False
    retries: int = 5
    tips: bool = True
    ignore_distinct: bool = True
    values: int = 0


UNIFIED_C3 = C3(
    None, samples=3, temperature=0.7, greedy_first=True, retries=0, tips=False, ignore_distinct=False, values=3
)
"""One linking call, DDL with sample values, three samples; EGRefine evaluates with five (`replace(.., samples=5)`)."""


def c3(database: Database, models: ModelsByRole, asking: Asking, how: C3 = C3()) -> Solver:
    """A solver that links, draws several queries and keeps the first of the largest class of equal results.

    Three requests for replies, of 10, 10 and 20 samples; unified, one reply and three samples. The queries run on
    `database`, so the vote sees a refined database through its views. Raises `SetupError`, when bound, for a model that
    writes SQL only.
    """

    def solve(stages: Stages) -> Answer:
        stages.schema = recall(stages, how.recall) if how.recall else link_once(stages, "c3/link")
        if how.recall is None:
            prompt, schema = "c3/unified", ddl(with_values(stages.schema, stages.values, how.values))
        else:
            prompt = "c3/clear_with_tips" if how.tips else "c3/clear"
            schema = clear_layout(stages.schema, stages.hints)
        words = {"schema": stages.fence(schema, "schema")}
        candidates: list[Candidate] = []
        texts: list[str] = []
        for attempt in range(1 + how.retries):
            choices = _draw(stages, prompt, words, how, attempt * how.samples)
            candidates, texts = _run(stages, choices)
            if candidates[0].error is None or texts[0]:
                break
        return _elected(stages, candidates, texts, how)

    return staged("c3", ROLES, (database, models, asking), solve)


def _draw(stages: Stages, prompt: str, words: dict[str, str], how: C3, first: int) -> tuple[Choice, ...]:
    if not how.greedy_first:
        return stages.ask("generator", prompt, words, Sampling(how.samples, how.temperature, first))
    greedy = stages.ask("generator", prompt, words, Sampling(1, 0.0, first))
    if how.samples == 1:
        return greedy
    return greedy + stages.ask("generator", prompt, words, Sampling(how.samples - 1, how.temperature, first + 1))


def _run(stages: Stages, choices: Sequence[Choice]) -> tuple[list[Candidate], list[str]]:
    """What became of each sample, and the prose of each."""
    candidates, texts = [], []
    for choice in choices:
        found = stages.read(choice)
        texts.append("" if found.sql else found.text)
        if choice.finish == "length":
            candidates.append(Candidate(found.sql, error=Failure("cut_off", say("cut"))))
        elif not found.sql:
            candidates.append(Candidate("", error=Failure("no_sql", "There is no query in the reply.")))
        else:
            candidates.append(stages.run(found.sql))
    return candidates, texts


def _elected(stages: Stages, candidates: Sequence[Candidate], texts: Sequence[str], how: C3) -> Answer:
    """The first candidate of the largest class, of equally large ones of the first; without any, the first candidate.

    In its class one with an ORDER BY goes before those without. A result without rows counts as any other.
    """
    answers = [Answer(c.sql, c.rows, error=c.error) for c in candidates]
    compared = [_plain(stages, answer) if how.ignore_distinct else answer for answer in answers]
    groups = group_answers(compared, stages.database)
    votes = Counter(group for group in groups if group is not None)
    won, size = votes.most_common(1)[0] if votes else (None, 0)
    members = [place for place, group in enumerate(groups) if group is not None and group == won]
    chosen = first_ordered(members or [0], [c.sql for c in candidates], stages.schema.dialect)
    read_again = len(cut_for_display(compared))
    told = {"candidates": len(candidates), "classes": len(votes), "votes": size, "read_again": read_again}
    stages.steps.append(Step("vote", data={"stage": "c3/vote", **told}))
    if not candidates[chosen].sql and texts[chosen]:
        return stages.answer(None, texts[chosen])
    return replace(
        stages.answer(candidates[chosen]),
        candidates=tuple(replace(c, group=group) for c, group in zip(candidates, groups, strict=True)),
        share=size / len(candidates),
    )


def _plain(stages: Stages, answer: Answer) -> Answer:
    """The answer with the rows that its query gives without DISTINCT; as it is where that does not run."""
    if answer.rows is None:
        return answer
    try:
        sql = without_distinct(answer.sql, stages.schema.dialect)
    except Unreadable:
        return answer
    if sql == answer.sql:
        return answer
    plain = stages.run(sql)
    return answer if plain.rows is None else Answer(sql, plain.rows)
