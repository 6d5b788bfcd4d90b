"""The whole run: the same outcome whatever the workers and interruptions, and the names that were earned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dragoman.databases import Database
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.questions import Example, Question
from dragoman.refine.propose import Proposal, Proposed, Proposer
from dragoman.refine.refine import RefinementRun, RefineSettings, Ways, refine
from dragoman.refine.refinement import Place, Refinement
from dragoman.refine.screen import Judgement
from dragoman.refine.subject import Subject
from dragoman.refine.threshold import Threshold
from dragoman.refine.trials import TrialSettings, Verifier
from dragoman.refine.verdict_store import VerdictStore
from dragoman.solver import Draw
from tests.refine.test_verify import TOWNS, base, executing

__all__ = ["base"]

BETTER = {"twn": "town", "nm": "name", "amt": "amount", "c_id": "client_number"}
ASKED = [
    *TOWNS,
    Example(Question("What are our clients called?", id="q5"), "SELECT nm FROM clients"),
    Example(Question("Who is first?", id="q6"), "SELECT min(nm) FROM clients"),
    Example(Question("What are all bills worth?", id="q7"), "SELECT sum(amt) FROM bills"),
    Example(Question("What is the largest bill worth?", id="q8"), "SELECT max(amt) FROM bills"),
    Example(Question("Who owes what?", id="q9"), "SELECT c_id, sum(amt) FROM bills GROUP BY c_id"),
    Example(Question("Which numbers have our clients?", id="q10"), "SELECT c_id FROM clients"),
]


def well_spoken(question: Question, draw: Draw, database: Database) -> str:
    """Understands good names only: where the schema has them it writes gold, else names that are not there."""
    sql = next(e.sql for e in ASKED if e.question.id == question.id)
    there = {c.name for t in database.schema() for c in t.columns}
    for old, new in BETTER.items():
        good = {new, "gross" if old == "amt" else new}
        sql = sql.replace(old, next((name for name in sorted(good) if name in there), new if old != "c_id" else old))
    return sql


def proposing(names: Mapping[str, Sequence[str]]) -> Proposer:
    def propose(about: Sequence[Subject]) -> list[Proposal]:
        return [Proposal(s.place, tuple(Proposed(n, "") for n in names.get(s.name, ()))) for s in about]

    return propose


def everything(about: Sequence[Subject]) -> list[Judgement]:
    return [Judgement(True) for _ in about]


NAMES = {"twn": ["place", "town"], "nm": ["label", "name"], "amt": ["volume", "amount"], "c_id": ["client_number"]}
SETTINGS = RefineSettings(Threshold(0.05, 2, 2), held_out=0.0)


def run(base: GuardedDatabase, settings: RefineSettings = SETTINGS, **given: Any) -> RefinementRun:
    asked: Counter[str] | None = given.pop("asked", None)
    names = given.pop("names", NAMES)
    ways = Ways(everything, proposing(names), [Verifier("v", executing(well_spoken, asked))])
    return refine(base, given.pop("examples", ASKED), ways, settings, **given)


def test_names_that_help_are_found_and_others_are_not(base: GuardedDatabase) -> None:
    found = run(base)
    assert found.declined == ""
    assert found.refinement.columns == {
        ("clients", "twn"): "town",
        ("clients", "nm"): "name",
        ("bills", "amt"): "amount",
    }
    reasons = {v.place: v.reason for v in found.verifications if not v.chosen}
    assert reasons["clients", "x"] == "no question of the workload reads it"
    assert reasons["clients", "c_id"] == "only 1 question reads it, and 2 are the least to judge by"
    assert found.gold is not None
    assert (found.gold.same, found.gold.different) == (10, ())
    assert found.joint is not None
    assert found.joint.last.net == found.joint.last.answers - found.joint.last.before > 0
    assert found.own_questions
    assert found.raced < found.exhaustive


def test_the_outcome_does_not_depend_on_workers_or_on_being_killed(base: GuardedDatabase, tmp_path: Path) -> None:
    asked = Counter[str]()
    store = VerdictStore(tmp_path / "v.jsonl")
    first = run(base, store=store, asked=asked)
    store.close()
    assert asked.most_common(1)[0][1] == 1
    lines = (tmp_path / "v.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "v.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    again = Counter[str]()
    store = VerdictStore(tmp_path / "v.jsonl")
    second = run(base, replace(SETTINGS, trial=TrialSettings(workers=4)), store=store, asked=again)
    store.close()
    assert again.total() == len(lines) - len(lines) // 2
    assert replace(second, spent=first.spent) == first
    assert sorted((tmp_path / "v.jsonl").read_bytes().splitlines()) != []


def test_who_finds_a_name_taken_takes_the_next_that_helps(base: GuardedDatabase) -> None:
    """Both columns of one table want `name`; the one that gains less has a second name that helps too."""
    found = run(base, names={"nm": ["name"], "twn": ["name", "town"], "amt": ["gross", "amount"]})
    taken: dict[Place, str] = dict(found.refinement.columns)
    assert taken["clients", "nm"] == "name"
    assert taken["clients", "twn"] == "town"
    assert taken["bills", "amt"] == "gross"


def test_questions_held_out_choose_no_name(base: GuardedDatabase) -> None:
    found = run(base, replace(SETTINGS, held_out=0.5, threshold=Threshold(0.05, 1, 1)))
    assert found.joint is not None
    assert not found.own_questions
    assert 5 <= found.joint.questions < len(ASKED)
    inside = {label for v in found.verifications for s in v.names for label in (*s.repaired, *s.broken)}
    assert len(inside) <= len(ASKED) - found.joint.questions


def test_verifiers_that_chose_nothing_measure_the_outcome(base: GuardedDatabase) -> None:
    ways = Ways(
        everything,
        proposing(NAMES),
        [Verifier("v", executing(well_spoken))],
        [Verifier("old", executing(lambda q, d, b: next(e.sql for e in ASKED if e.question.id == q.id)))],
    )
    found = refine(base, ASKED, ways, SETTINGS)
    assert set(found.outside) == {"old"}
    assert found.outside["old"].before == 10
    assert found.outside["old"].net < 0


def test_a_hopeless_workload_is_declined_before_names_are_proposed(base: GuardedDatabase) -> None:
    def never(about: Sequence[Subject]) -> list[Proposal]:
        raise AssertionError("names were proposed")

    many = [
        Example(Question(f"{n}?", id=f"h{n}"), f"SELECT count(*) + {n} FROM clients WHERE twn > ''") for n in range(40)
    ]
    ways = Ways(everything, never, [Verifier("v", executing(lambda *_: "SELECT 'no'"))])
    found = refine(base, many, ways, replace(SETTINGS, bounds=replace(SETTINGS.bounds, sample=40)))
    assert found.refinement == Refinement()
    assert "0 of 40 right" in found.declined
