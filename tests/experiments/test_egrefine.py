"""The experiment in small: all questions in every arm, halves that do not see each other, recovery only where it is."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from experiments.egrefine.arms import Court, cross_fitted, original_names, unverified
from experiments.egrefine.grounds import Ground, Size, chosen_databases, degraded, ground
from experiments.egrefine.measure import STAGES, Models, measure
from experiments.egrefine.plan import cost, plan_lines
from experiments.egrefine.power import Rates, chance_to_pass
from experiments.egrefine.scores import change, read_scores, recovered
from experiments.egrefine.slope import lines, observations
from experiments.egrefine.tables import tables

from dragoman.bench.dataset import Dataset
from dragoman.bench.datasets.load import load
from dragoman.bench.perturb.rename_dataset import rename_dataset
from dragoman.databases import Database
from dragoman.errors import SetupError
from dragoman.models import ScriptedModel
from dragoman.models.request import Request
from dragoman.questions import Example, Question
from dragoman.refine.refine import RefinementRun
from dragoman.refine.trials import Verifier
from dragoman.refine.verdict_store import VerdictStore
from dragoman.solver import Draw
from tests.refine.test_verify import executing
from tests.shared_data import shared_data

GOOD = {"customer": "cstmr", "amount": "amt", "city": "cty"}
STATEMENTS = [
    "CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, customer TEXT, amount INTEGER, city TEXT)",
    "INSERT INTO bills VALUES (1, 'Ada', 7, 'York'), (2, 'Bo', 8, 'Leeds'), (3, 'Ada', 9, 'York')",
    "INSERT INTO bills VALUES (4, 'Cy', 1, 'Bath')",
]
GOLD = [
    *(f"SELECT customer FROM bills WHERE bill_id > {n}" for n in range(4)),
    *(f"SELECT bill_id FROM bills WHERE amount > {n}" for n in range(5, 9)),
    *(f"SELECT count(*) FROM bills WHERE bill_id < {n}" for n in range(2, 6)),
]
SIZE = Size(databases=1, questions=12)


def by_good_names(question: Question, draw: Draw, database: Database) -> str:
    """Finds a column only by the name that people have for it."""
    there = {column.name for table in database.schema() for column in table.columns}
    sql = GOLD[int(question.id)]
    return sql if all(name not in sql or name in there for name in GOOD) else "SELECT 'what is that?'"


SOLVERS = {name: Verifier(name, executing(by_good_names)) for name in ("greedy", "vote")}


@contextmanager
def small(folder: Path) -> Iterator[Ground]:
    path = folder / "bills.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        for statement in STATEMENTS:
            connection.execute(statement)
        connection.commit()
    examples = tuple(
        Example(Question(f"Question {n}?", id=str(n)), sql, database="bills") for n, sql in enumerate(GOLD)
    )
    clean = Dataset("small", "dev", examples, {"bills": str(path)})
    names = {("bills", old): new for old, new in GOOD.items()}
    worse = rename_dataset(clean, lambda name, schema: names, folder / "worse")
    with ground(clean, worse, "bills", SIZE) as found:
        yield found


def test_every_arm_asks_every_question_and_the_tables_are_made_of_the_records_alone(tmp_path: Path) -> None:
    store = VerdictStore(tmp_path / "verdicts.jsonl")
    models = Models(SOLVERS, SOLVERS, ScriptedModel(lambda request: "What it is."))
    with small(tmp_path) as found:
        for stage in STAGES:
            measure(found, stage, models, store, tmp_path)
        known = len(store)
        for stage in STAGES:
            measure(found, stage, models, store, tmp_path)
        assert len(store) == known
        lines = plan_lines([cost(found)])
    store.close()
    assert "bills: 12, 4 (3, " in lines[1]
    main = read_scores(tmp_path, "main")
    for arm in main.arms:
        assert all(len(main.right(arm, solver)) == 12 for solver in main.solvers), arm
    right = {arm: sum(main.right(arm, "greedy").values()) for arm in main.arms}
    assert right["clean"] == right["original names"] == 12
    assert right["degraded"] == 4
    assert right["degraded"] < right["refined"] <= right["refined, in loop"] <= 12
    page = tables(tmp_path)
    for heading in ("Right answers", "Where names are touched", "one verifier", "The threshold", "used by another"):
        assert heading in page
    assert "greedy and vote differ in 0 of 84 verdicts" in page


def test_descriptions_are_an_arm_for_those_who_read_them(tmp_path: Path) -> None:
    """The solver reads a description of `amt`, not of the others; nothing is renamed but in the arm that says so."""
    told = {"amt": "The amount of the bill.", "cty": "A place.", "cstmr": "Somebody."}

    def reads(question: Question, draw: Draw, database: Database) -> str:
        sql = GOLD[int(question.id)]
        comments = {column.name: column.comment for table in database.schema() for column in table.columns}
        known = comments.get("amt") == told["amt"] and "amount" in sql
        return sql.replace("amount", "amt") if known else by_good_names(question, draw, database)

    def writes(request: Request) -> str:
        asked = request.messages[0].text
        return next((text for name, text in told.items() if f"Column: bills.{name}," in asked), "A number.")

    solvers = {"greedy": Verifier("greedy", executing(reads))}
    with small(tmp_path) as found:
        measure(found, "descriptions", Models(solvers, writer=ScriptedModel(writes)), VerdictStore(), tmp_path)
        with pytest.raises(SetupError, match="reads no descriptions"):
            measure(found, "descriptions", Models(solvers), VerdictStore(), tmp_path)
    scores = read_scores(tmp_path, "descriptions")
    right = {arm: sum(scores.right(arm, "greedy").values()) for arm in scores.arms}
    assert right["degraded"] == 4
    assert right["described"] == right["described where it helps"] == 8
    arms = scores.records[0]["arms"]
    assert arms["described where it helps"]["described"] == [1, 1]
    assert arms["described where it helps"]["names"] == [[], []]
    assert right["refined and described where it helps"] >= right["refined"]
    assert "Descriptions in place of names" in tables(tmp_path)


def test_runs_of_halves_are_what_a_slope_is_made_of(tmp_path: Path) -> None:
    with small(tmp_path) as found:
        measure(found, "main", Models(SOLVERS), VerdictStore(), tmp_path)
    one, other = observations(tmp_path)
    assert one.answers == other.answers == 12
    assert one.columns == 4
    scores = read_scores(tmp_path, "main")
    gained = sum(scores.right("refined", "greedy").values()) - sum(scores.right("degraded", "greedy").values())
    assert one.gain + other.gain == pytest.approx(100 * gained * 2 / 12)
    assert f"{bool(one.renamed) + bool(other.renamed)} of 2 runs renamed something" in "\n".join(lines([one, other]))


def test_names_for_one_half_are_those_that_the_other_half_chose(tmp_path: Path) -> None:
    with small(tmp_path) as found:
        court = Court(tuple(SOLVERS.values()))
        asked = [_repaired(run) for run in _runs(found, court)]
        halves = [{e.question.id for e in found.half(which)} for which in (0, 1)]
        assert not halves[0] & halves[1]
        for which in (0, 1):
            assert {label.split(": ")[1] for label in asked[which]} <= halves[1 - which]
            assert asked[which]


def _repaired(run: RefinementRun) -> set[str]:
    raced = [*run.verifications, *(bundle.contest for bundle in run.bundles)]
    return {label for race in raced for name in race.names for label in name.repaired}


def _runs(found: Ground, court: Court) -> tuple[RefinementRun, ...]:
    arm = cross_fitted(found, court, VerdictStore())
    assert [run.refinement.columns for run in arm.runs] == [names.columns for names in arm.names]
    return arm.runs


def test_unverified_names_are_the_first_that_were_proposed(tmp_path: Path) -> None:
    with small(tmp_path) as found:
        one, other = unverified(found).names
        assert one == other
        assert one.columns["bills", "amt"] == "amount"
        assert original_names(found).names[0].columns == {("bills", new): old for old, new in GOOD.items()}


def test_recovery_is_stated_only_where_something_was_lost() -> None:
    before = {("d", str(n)): n < 5 for n in range(20)}
    clean = {("d", str(n)): n < 15 for n in range(20)}
    refined = {("d", str(n)): n < 10 for n in range(20)}
    loss, gain = change(before, clean), change(before, refined)
    assert loss is not None
    assert gain is not None
    assert recovered(loss, gain) == pytest.approx(0.5)
    assert (gain.repaired, gain.broken) == (5, 0)
    same = change(before, before)
    assert same is not None
    assert recovered(same, gain) is None
    assert change(before, clean, only=()) is None


def test_the_chance_to_pass_counts_net_questions() -> None:
    assert chance_to_pass(1, Rates(0.3, 0.1)) == 0
    assert chance_to_pass(1, Rates(0.3, 0.1), least=1) == pytest.approx(0.3)
    assert chance_to_pass(2, Rates(0.5, 0.5)) == pytest.approx(0.25)
    assert chance_to_pass(2, Rates(0.2, 0.0)) == pytest.approx(0.2**2)
    assert chance_to_pass(2, Rates(0.2, 0.0), least=1) == pytest.approx(1 - 0.8**2)
    assert chance_to_pass(100, Rates(0.5, 0.0)) == pytest.approx(1.0)
    assert chance_to_pass(60, Rates(0.1, 0.05)) < chance_to_pass(60, Rates(0.1, 0.05), tau=0.0)


def test_databases_questions_and_names_are_drawn_by_the_seed(tmp_path: Path) -> None:
    dataset = load("spider", shared_data("data", "spider").parent, Path())
    size = Size(databases=2, questions=30)
    names = chosen_databases(dataset, size)
    assert names == chosen_databases(dataset, size)
    assert not {*names} & {*chosen_databases(dataset, Size(databases=20, questions=30, without=tuple(names)))}
    clean, worse = degraded(dataset, names[:1], size, tmp_path)
    with ground(clean, worse, names[0], size) as found:
        few, more = (json.dumps([e.question.id for e in found.examples][:count]) for count in (10, 30))
        assert more.startswith(few[:-1])
        assert [e.question.text for e in found.examples] == [e.question.text for e in found.clean_examples]
    with ground(clean, worse, names[0], Size(databases=2, questions=10)) as found:
        assert json.dumps([e.question.id for e in found.examples]) == few
