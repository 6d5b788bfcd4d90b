"""Turns an answer into its line: the verdict on it, and on every candidate of its pool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dragoman.bench.bindings import Binding
from dragoman.bench.gold_elsewhere import GoldElsewhere
from dragoman.bench.line import Line, Slot, usage_by_role
from dragoman.bench.stages import stages
from dragoman.bench.touched import touches
from dragoman.ensemble.signals import margin_of, signals_of
from dragoman.metrics import GoldCache, Judgement, judge
from dragoman.questions import Example
from dragoman.solver import Answer, Candidate


@dataclass(frozen=True, slots=True)
class Judging:
    """By which rule, with which gold results kept. `extras` are further fields of `metrics.Case`, by example id."""

    rule: str = "strict"
    gold: GoldCache = field(default_factory=GoldCache)
    extras: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def score(example: Example, repeat: int, answer: Answer, binding: Binding, judging: Judging) -> Line:
    """The line of one answer. Every different query of the pool is judged once."""
    judgements: dict[str, Judgement] = {}
    apart = binding.database is not binding.gold
    gold = GoldElsewhere(judging.gold, binding.gold) if apart else judging.gold
    extras = judging.extras.get(example.question.id)

    def judged(sql: str) -> Judgement:
        if sql not in judgements:
            judgements[sql] = judge(example, sql, binding.database, rule=judging.rule, gold=gold, extras=extras)
        return judgements[sql]

    selected = judged(answer.sql)
    return Line(
        id=example.question.id,
        repeat=repeat,
        database=example.database,
        dialect=binding.database.dialect,
        difficulty=example.difficulty,
        question=example.question.text,
        gold=example.sql,
        sql=answer.sql,
        verdict=str(selected.verdict),
        reason=_reason(answer, selected),
        failure=answer.error.code if answer.error else "",
        text=answer.text,
        slots=tuple(slot(candidate, judged(candidate.sql)) for candidate in answer.candidates),
        invalid_reference=selected.invalid_reference,
        missing_function=selected.missing_function,
        share=answer.share,
        confidence=answer.confidence,
        margin=margin_of(answer),
        touches=touches(example.sql, binding.gold.schema(), binding.gold_names),
        uses=touches(answer.sql, binding.database.schema(), binding.names),
        usage=usage_by_role(answer.steps),
        stages=stages(answer.steps),
    )


def _reason(answer: Answer, selected: Judgement) -> str:
    failed = answer.error.message if answer.error else ""
    return selected.detail or failed if answer.sql else failed


def slot(candidate: Candidate, judgement: Judgement) -> Slot:
    """A candidate with its verdict."""
    seen = signals_of(candidate)
    return Slot(
        candidate.sql,
        str(judgement.verdict),
        candidate.source,
        judgement.invalid_reference,
        judgement.missing_function,
        seen.group,
        seen.failure,
        seen.rows,
        seen.columns,
        seen.nulls,
        seen.logprob,
        candidate.actions,
        seen.tokens,
    )
