"""The last look at all names together, the first look at whether to begin, and the check of every gold query."""

from __future__ import annotations

from dragoman.databases import Database
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.questions import Example, Question
from dragoman.refine.applicability import Bounds, applicability
from dragoman.refine.gold_check import check_gold
from dragoman.refine.joint_check import joint_check
from dragoman.refine.refinement import Refinement
from dragoman.refine.resolve_conflicts import Choice
from dragoman.refine.trials import Verifier
from dragoman.solver import Draw
from tests.refine.test_verify import TOWNS, base, court, executing, guessing, old_hand

__all__ = ["base"]

TWN, NM = ("clients", "twn"), ("clients", "nm")


def confused_by_two(question: Question, draw: Draw, database: Database) -> str:
    """Takes `town` alone as it is meant; where `town_name` stands beside it, takes that."""
    names = {c.name for t in database.schema() for c in t.columns}
    sql = guessing(question, draw, database) if "town" in names else old_hand(question, draw, database)
    if {"town", "town_name"} <= names:
        return sql.replace("town", "town_name")
    return sql.replace("SELECT nm", "SELECT town_name") if "town_name" in names else sql


def test_names_that_hurt_together_are_dropped(base: GuardedDatabase) -> None:
    held = court(base, Verifier("v", executing(confused_by_two)))
    choices = [Choice(TWN, (("town", 0.5),)), Choice(NM, (("town_name", 0.25),))]
    found = joint_check(held, base.schema(), choices, range(len(TOWNS)))
    assert (found.first.before, found.first.after, found.first.net) == (4, 1, -3)
    assert found.last.net == 0
    assert list(found.dropped) in ([TWN], [NM], [TWN, NM])
    assert "all names together lost 3 of 4 answers" in found.dropped[next(iter(found.dropped))]
    assert set(found.resolved.refinement.columns) == {TWN, NM} - set(found.dropped)


def test_names_that_do_not_hurt_stay(base: GuardedDatabase) -> None:
    held = court(base, Verifier("v", executing(guessing)))
    found = joint_check(held, base.schema(), [Choice(TWN, (("town", 0.5),))], [0, 1, 3])
    assert (found.dropped, found.questions, found.last.net) == ({}, 3, 2)
    assert found.resolved.refinement == Refinement({TWN: "town"})


def test_a_hopeless_baseline_declines_before_any_name_is_tried(base: GuardedDatabase) -> None:
    many = [
        Example(Question(f"Number {n}?", id="q2"), f"SELECT count(*) + {n} FROM clients WHERE twn > ''")
        for n in range(60)
    ]
    held = court(base, Verifier("v", executing(lambda *_: "SELECT 'no'")), examples=many)
    found = applicability(held, base.schema(), Bounds(sample=50))
    assert not found.applies
    assert "0 of 50 right under the old names, at most 7.1%" in found.reason
    assert held.trials.spent.asked == 50
    assert (found.touched, found.columns, found.hardness) == (1, 9, {"easy": 60})


def test_two_verifiers_that_answer_nothing_right_are_declined_early(base: GuardedDatabase) -> None:
    many = [
        Example(Question(f"Number {n}?", id="q2"), f"SELECT count(*) + {n} FROM clients WHERE twn > ''")
        for n in range(60)
    ]
    wrong = [Verifier(name, executing(lambda *_: "SELECT 'no'")) for name in ("v", "w")]
    held = court(base, *wrong, examples=many)
    assert "0 of 56 right" in applicability(held, base.schema(), Bounds(sample=60)).reason
    assert held.trials.spent.asked == 56


def test_a_baseline_that_surely_passes_is_asked_no_further(base: GuardedDatabase) -> None:
    many = [
        Example(Question(f"Number {n}?", id="q2"), f"SELECT count(*) + {n} FROM clients WHERE twn > ''")
        for n in range(60)
    ]
    gold = {example.question.text: example.sql for example in many}
    held = court(base, Verifier("v", executing(lambda question, *_: gold[question.text])), examples=many)
    found = applicability(held, base.schema())
    assert found.applies
    assert (held.trials.spent.asked, found.by_verifier) == (20, {"v": (20, 20)})
    whole = applicability(held, base.schema(), Bounds(first=40))
    assert whole.by_verifier == {"v": (40, 40)}


def test_a_small_sample_is_no_proof_of_hopelessness(base: GuardedDatabase) -> None:
    held = court(base, Verifier("v", executing(lambda *_: "SELECT 'no'")))
    assert applicability(held, base.schema()).applies


def test_a_workload_that_reads_no_column_declines(base: GuardedDatabase) -> None:
    held = court(base, Verifier("v", executing(guessing)), examples=[TOWNS[3]])
    assert "reads a column" in applicability(held, base.schema()).reason
    assert held.trials.spent.asked == 0


def test_every_gold_query_is_the_same_on_the_views(base: GuardedDatabase) -> None:
    names = Refinement({TWN: "town", ("clients", "c_id"): "order"}, {"bills": "group"})
    examples = [*TOWNS, Example(Question("?", id="bad"), "SELECT nope FROM clients")]
    for how in ("views", "overlay"):
        found = check_gold(base, names, examples, how)  # type: ignore[arg-type]
        assert (found.same, found.checked, found.different, found.unread) == (4, 4, (), ())
        assert [item.id for item in found.unjudged] == ["bad"]
