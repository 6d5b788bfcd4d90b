"""Names are kept only where solvers that see the new names alone answer more right; the paper's traps among them."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.databases import Database, connect
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.ensemble import Voting, vote
from dragoman.errors import QueryError, Refused
from dragoman.questions import Example, Question
from dragoman.refine.contest import Court
from dragoman.refine.propagate import Keys
from dragoman.refine.query_index import query_index
from dragoman.refine.refinement import Place, Refinement
from dragoman.refine.threshold import Threshold
from dragoman.refine.trials import Trials, TrialSettings, Verifier
from dragoman.refine.verdict_store import VerdictStore
from dragoman.refine.verify import NO_NAMES, NO_QUESTIONS, UNSCORABLE, Verification, verify
from dragoman.solver import Answer, Draw, Failure, Solver

STATEMENTS = [
    "CREATE TABLE clients (c_id INTEGER PRIMARY KEY, nm TEXT, twn TEXT, x TEXT)",
    "CREATE TABLE bills (b_id INTEGER PRIMARY KEY, c_id INTEGER REFERENCES clients (c_id), amt INTEGER)",
    "CREATE TABLE dunning (b_id INTEGER PRIMARY KEY REFERENCES bills (b_id), c_id INTEGER REFERENCES clients (c_id))",
    "INSERT INTO clients VALUES (1, 'Ada', 'York', 'p'), (2, 'Bo', 'Leeds', 'q'), (3, 'Cy', 'York', 'r')",
    "INSERT INTO bills VALUES (10, 1, 7), (11, 1, 8), (12, 2, 9)",
    "INSERT INTO dunning VALUES (10, 1), (12, 2)",
]
TOWNS = [
    Example(Question("Who lives in York?", id="q1"), "SELECT nm FROM clients WHERE twn = 'York'"),
    Example(Question("How many towns are there?", id="q2"), "SELECT count(DISTINCT twn) FROM clients"),
    Example(Question("Which towns?", id="q3"), "SELECT DISTINCT twn FROM clients"),
    Example(Question("How many clients?", id="q4"), "SELECT count(*) FROM clients"),
]


@pytest.fixture
def base(tmp_path: Path) -> Iterator[GuardedDatabase]:
    path = tmp_path / "town.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        for statement in STATEMENTS:
            connection.execute(statement)
        connection.commit()
    database = connect(str(path))
    assert isinstance(database, GuardedDatabase)
    yield database
    database.close()


def executing(
    write: Callable[[Question, Draw, Database], str], asked: Counter[str] | None = None
) -> Callable[..., Solver]:
    """A solver that runs on its database what `write` gives, as one that guesses names from the question would."""

    def bind(database: Database) -> Solver:
        def solve(question: Question, draw: Draw) -> Answer:
            if asked is not None:
                asked[f"{question.id} {sorted(c.name for t in database.schema() for c in t.columns)}"] += 1
            sql = write(question, draw, database)
            try:
                return Answer(sql, database.execute(sql))
            except (QueryError, Refused) as error:
                return Answer(sql, error=Failure(error.code, str(error)))

        return solve

    return bind


def guessing(question: Question, draw: Draw, database: Database) -> str:
    """Writes `town` where the question speaks of towns, whatever the schema says."""
    return {
        "q1": "SELECT nm FROM clients WHERE town = 'York'",
        "q2": "SELECT count(DISTINCT town) FROM clients",
        "q3": "SELECT DISTINCT town FROM clients",
        "q4": "SELECT count(*) FROM clients",
    }[question.id]


def old_hand(question: Question, draw: Draw, database: Database) -> str:
    """Knows the old name by heart and writes it."""
    return guessing(question, draw, database).replace("town", "twn")


def court(base: GuardedDatabase, *verifiers: Verifier, **given: object) -> Court:
    store = given.pop("store", VerdictStore())
    examples = given.pop("examples", TOWNS)
    trials = Trials(base, verifiers, store, given.pop("settings", TrialSettings()))  # type: ignore[arg-type]
    keys = Keys(base.schema())

    def names(place: Place, name: str) -> Refinement:
        return keys.propagate(place, Refinement({place: name}))

    unjudged = {n: why for n, e in enumerate(examples) if (why := trials.unjudged(e))}  # type: ignore[arg-type, var-annotated]
    index = query_index(examples, base.schema())  # type: ignore[arg-type]
    return Court(trials, examples, index, unjudged, names, **given)  # type: ignore[arg-type]


TWN = ("clients", "twn")


def test_a_query_that_succeeds_only_with_the_new_name_scores(base: GuardedDatabase) -> None:
    found = verify(court(base, Verifier("guess", executing(guessing))), TWN, ["place", "town"])
    assert (found.chosen, found.reason, found.questions) == ("town", "", 3)
    assert found.original == 0.0
    place, town = found.names
    assert (town.score, town.repaired, town.broken) == (1.0, ("guess: q1", "guess: q2", "guess: q3"), ())
    assert (place.score, place.lost, place.asked) == (None, "another name is better", 1)
    assert found.gain == 1.0
    assert found.need == 2


def test_old_names_are_no_way_to_score(base: GuardedDatabase) -> None:
    """A solver that runs the old names finds them gone, so a name cannot win by being ignored."""
    found = verify(court(base, Verifier("old", executing(old_hand))), TWN, ["town"])
    assert found.chosen == ""
    assert found.original == 1.0
    assert found.reason == "0 of 3 answers are wrong under the old name, too few to gain 2"


def test_verifiers_are_averaged(base: GuardedDatabase) -> None:
    both = court(base, Verifier("guess", executing(guessing)), Verifier("old", executing(old_hand)))
    found = verify(both, TWN, ["town"])
    assert (found.chosen, found.original, found.answers) == ("", 0.5, 6)
    assert found.need == 4, "two questions, in the mean over two verifiers"
    assert found.reason == "3 of 6 answers are wrong under the old name, too few to gain 4"


def test_a_vote_runs_inside_the_views(base: GuardedDatabase) -> None:
    """C3's trap: a vote by execution in which samples that use the new name fail would go to those that avoid it."""

    def wavering(question: Question, draw: Draw, database: Database) -> str:
        return (guessing if draw.sample else old_hand)(question, draw, database)

    def voting(database: Database) -> Solver:
        return vote(executing(wavering)(database), database, Voting(3, 0.7))

    found = verify(court(base, Verifier("vote", voting)), TWN, ["town"])
    assert found.original == 1.0
    trials = court(base, Verifier("vote", voting)).trials
    both = court(base, Verifier("vote", voting))
    verdicts = trials.ask(Refinement({TWN: "town"}), both.cells([0, 1, 2]))
    assert [v.correct for v in verdicts if v] == [True] * 3
    assert all(v is not None and "town" in v.sql for v in verdicts)


def test_a_refiner_that_executes_is_not_told_error_under_the_new_name(base: GuardedDatabase) -> None:
    """MAC-SQL's trap: its refiner repairs what fails, so a correct query in the new names must not fail."""
    errors: list[str] = []

    def refining(database: Database) -> Solver:
        def solve(question: Question, draw: Draw) -> Answer:
            sql = guessing(question, draw, database)
            try:
                return Answer(sql, database.execute(sql))
            except (QueryError, Refused) as error:
                errors.append(str(error))
                return Answer("SELECT 1")

        return solve

    trials = court(base, Verifier("mac", refining))
    found = trials.trials.ask(Refinement({TWN: "town"}), trials.cells([0, 1, 2]))
    assert errors == []
    assert [v.correct for v in found if v] == [True] * 3


def test_a_double_quoted_old_name_is_no_string(base: GuardedDatabase) -> None:
    def quoting(question: Question, draw: Draw, database: Database) -> str:
        return old_hand(question, draw, database).replace("twn", '"twn"')

    trials = court(base, Verifier("quotes", executing(quoting)))
    assert [v.correct for v in trials.trials.ask(Refinement({TWN: "town"}), trials.cells([1, 2])) if v] == [
        False,
        False,
    ]
    assert [v.correct for v in trials.trials.ask(Refinement(), trials.cells([1, 2])) if v] == [True, True]


def test_a_key_is_tried_with_those_that_refer_to_it(base: GuardedDatabase) -> None:
    """What is verified is what would be deployed: chained keys follow before any question is asked."""
    examples = [
        Example(Question("Bills by client?", id="q5"), "SELECT c_id, count(*) FROM bills GROUP BY c_id"),
        Example(Question("Dunned clients?", id="q6"), "SELECT c_id FROM dunning"),
        Example(Question("Client numbers?", id="q7"), "SELECT c_id FROM clients"),
    ]

    def by_client_id(question: Question, draw: Draw, database: Database) -> str:
        return {e.question.id: e.sql.replace("c_id", "client_id") for e in examples}[question.id]

    held = court(base, Verifier("v", executing(by_client_id)), examples=examples, threshold=Threshold(0.05, 1, 1))
    names = held.names(("clients", "c_id"), "client_id").columns
    assert set(names) == {("clients", "c_id"), ("bills", "c_id"), ("dunning", "c_id")}
    found = verify(held, ("clients", "c_id"), ["client_id"])
    assert (found.chosen, found.questions, found.gain) == ("client_id", 1, 1.0)


def test_reasons_to_abstain(base: GuardedDatabase) -> None:
    guess = Verifier("guess", executing(guessing))
    assert verify(court(base, guess), ("clients", "x"), ["extra"]).reason == NO_QUESTIONS
    assert verify(court(base, guess), TWN, []).reason == NO_NAMES
    one = verify(court(base, guess), ("clients", "nm"), ["name"])
    assert one.reason == "only 1 question reads it, and 2 are the least to judge by"
    low = verify(court(base, guess, threshold=Threshold(least_baseline=0.1)), TWN, ["town"])
    assert low.reason.startswith("only 0 of 3 answers are right under the old name, and 10%")
    assert low.chosen == ""


def test_a_gold_query_that_fails_is_left_out(base: GuardedDatabase) -> None:
    broken = Example(Question("Broken?", id="q1"), "SELECT nope, twn FROM clients")
    held = court(base, Verifier("guess", executing(guessing)), examples=[*TOWNS, broken])
    assert list(held.unjudged) == [4]
    found = verify(held, TWN, ["town"])
    assert (found.questions, found.unjudged, found.chosen) == (3, 1, "town")
    alone = court(base, Verifier("guess", executing(guessing)), examples=[broken])
    assert verify(alone, TWN, ["town"]).reason == UNSCORABLE


def test_an_original_that_cannot_be_scored_is_kept(base: GuardedDatabase) -> None:
    def failing(database: Database) -> Solver:
        def solve(question: Question, draw: Draw) -> Answer:
            if "town" not in {c.name for t in database.schema() for c in t.columns}:
                return Answer(error=Failure("model_unavailable", "The server is gone."))
            return Answer(guessing(question, draw, database))

        return solve

    held = court(base, Verifier("gone", failing))
    found = verify(held, TWN, ["town"])
    assert (found.chosen, found.original) == ("", None)
    assert found.reason == "the answers under the original name could not be scored"
    assert len(held.trials.store) == 0
    assert set(held.trials.spent.unscored) == {"The server is gone."}


def test_a_killed_run_asks_nothing_again_and_workers_change_nothing(base: GuardedDatabase, tmp_path: Path) -> None:
    def found(store: VerdictStore, workers: int, asked: Counter[str]) -> Verification:
        held = court(
            base, Verifier("guess", executing(guessing, asked)), store=store, settings=TrialSettings(workers=workers)
        )
        return verify(held, TWN, ["place", "town"])

    first, second, third = Counter[str](), Counter[str](), Counter[str]()
    store = VerdictStore(tmp_path / "verdicts.jsonl")
    whole = found(store, 1, first)
    store.close()
    assert first.most_common(1)[0][1] == 1
    lines = (tmp_path / "verdicts.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "verdicts.jsonl").write_bytes(b"".join(lines[:4]) + lines[4][:20])
    store = VerdictStore(tmp_path / "verdicts.jsonl")
    assert found(store, 4, second) == whole
    store.close()
    assert second.total() == len(lines) - 4
    store = VerdictStore(tmp_path / "verdicts.jsonl")
    assert found(store, 2, third) == whole
    store.close()
    assert third.total() == 0


def test_evidence_follows_the_names(base: GuardedDatabase) -> None:
    seen: list[str] = []

    def noting(question: Question, draw: Draw, database: Database) -> str:
        seen.append(question.evidence)
        return "SELECT 1"

    told = replace(TOWNS[0], question=replace(TOWNS[0].question, evidence="York means clients.twn = 'York'"))
    held = court(base, Verifier("v", executing(noting)), examples=[told])
    held.trials.ask(Refinement({TWN: "town"}), held.cells([0]))
    assert seen == ["York means clients.town = 'York'"]


def test_a_table_is_verified_as_a_column_is(base: GuardedDatabase) -> None:
    def customers(question: Question, draw: Draw, database: Database) -> str:
        return old_hand(question, draw, database).replace("clients", "customers")

    held = court(base, Verifier("v", executing(customers)))
    held = replace(held, names=lambda place, name: Refinement({}, {place[0]: name}))
    found = verify(held, ("clients", ""), ["customers"])
    assert (found.chosen, found.questions, found.gain) == ("customers", 4, 1.0)
