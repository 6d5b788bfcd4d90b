"""The plan of a run of learning, for somebody who decides whether to pay for it."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.agent.skills import Skill
from dragoman.learn import Split
from dragoman.learn.plan import Plan
from dragoman.models import ModelsByRole
from dragoman.report import Column, Report, Section, Table


def plan_report(made: Plan, parts: Split, pool: Sequence[Skill], models: ModelsByRole) -> Report:
    """As it is shown: runs by purpose, and, where runs were seen, tokens and money by the prices of the models."""
    columns = (Column("What"), Column("Likely", ",d"), Column("Never more than", ",d"))
    likely, most = made.likely, made.most
    rows = (
        ("runs on minibatches (the paper's metric calls)", likely.minibatch, most.minibatch),
        ("runs that choose among texts", likely.validation, most.validation),
        ("fresh paired runs that accept or refuse", likely.comparison, most.comparison),
        ("runs of the agent in all", likely.runs, most.runs),
        ("reflections", likely.reflections, most.reflections),
        *_spending(made, models),
    )
    held = "whole databases" if parts.by_database else "questions of the same databases"
    summary = (
        f"{len(pool)} skills, {len(parts.batches)} batches of {' and '.join(str(len(b)) for b in parts.batches)} "
        f"questions, {len(parts.held_out)} held out ({held}). Likely means that a skill gets {made.assumed:.0%} right "
        "of what it faces."
    )
    note = "" if made.tokens else "Tokens and money are known once runs were seen: --seen FOLDER of an earlier run."
    return Report("Plan of learning", summary, (Section("", (Table("", columns, rows, note),)),))


def _spending(made: Plan, models: ModelsByRole) -> list[tuple[str, int | None, int | None]]:
    used = [made.usage(amount) for amount in (made.likely, made.most)]
    known = [both for both in used if both is not None]
    if not known:
        return []
    whole = [runs + reflections for runs, reflections in known]
    rows: list[tuple[str, int | None, int | None]] = [
        ("tokens read", whole[0].prompt_tokens, whole[1].prompt_tokens),
        ("tokens written", whole[0].completion_tokens, whole[1].completion_tokens),
    ]
    agent, reflector = models.for_role("generator"), models.for_role("reflector")
    prices = [(agent.price(runs), reflector.price(reflections)) for runs, reflections in known]
    cents = [round(100 * (one + other)) for one, other in prices if one is not None and other is not None]
    if len(cents) == len(known):
        rows.append(("US cents", cents[0], cents[1]))
    return rows
