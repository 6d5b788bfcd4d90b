"""Names that help only together are tried together; what was tried is kept, but for names whose questions lost."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.databases import Database, connect
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.questions import Example, Question
from dragoman.refine.bundles import NOT_WITH_OTHERS, Bundle, When, bundles, is_cryptic
from dragoman.refine.contest import Court
from dragoman.refine.file_of_run import file_of_run
from dragoman.refine.propose import Proposal, Proposed
from dragoman.refine.refine import WITH_TABLE, RefinementRun, Ways, refine
from dragoman.refine.refinement import Place
from dragoman.refine.refinement_file import MadeFrom
from dragoman.refine.report import refinement_report, unscored_sentences
from dragoman.refine.run_record import run_record
from dragoman.refine.schema_outline import outline
from dragoman.refine.screen import Screened
from dragoman.refine.trials import TrialSettings, Verifier
from dragoman.refine.verdict_store import VerdictStore
from dragoman.refine.verify import HELD_OUT, verify
from dragoman.solver import Draw
from tests.refine.test_refine import ASKED, SETTINGS, everything, proposing
from tests.refine.test_verify import base, court, executing

__all__ = ["base"]

NM, TWN, TABLE = ("clients", "nm"), ("clients", "twn"), ("clients", "")
NAMES = {"clients": ["customers"], "nm": ["name", "label"], "twn": ["town", "place"], "x": ["extra"]}
PLACES = {TABLE: "clients", NM: "nm", TWN: "twn"}


def needs(*wanted: str) -> object:
    """A solver that gets along only where all these names are there, whatever else is."""

    def write(question: Question, draw: Draw, database: Database) -> str:
        there = {t.name for t in database.schema()} | {c.name for t in database.schema() for c in t.columns}
        if not there.issuperset(wanted):
            return "SELECT 'no idea'"
        gold = next(e.sql for e in ASKED if e.question.id == question.id)
        for old, names in NAMES.items():
            gold = gold.replace(old, next((name for name in names if name in there), old))
        return gold

    return write


def proposals(names: Mapping[str, Sequence[str]] = NAMES) -> list[Proposal]:
    return [Proposal(p, tuple(Proposed(n, "") for n in names[old])) for p, old in PLACES.items() if old in names]


def tried(
    base: GuardedDatabase,
    *wanted: str,
    names: Mapping[str, Sequence[str]] = NAMES,
    when: When = "always",
    workers: int = 1,
) -> tuple[Bundle, ...]:
    held = court(base, Verifier("v", executing(needs(*wanted))), examples=ASKED, settings=TrialSettings(workers))  # type: ignore[arg-type]
    return bundles(held, base.schema(), Screened(tuple(PLACES)), proposals(names), when)


@pytest.mark.parametrize("workers", [1, 4])
def test_only_the_bundle_helps_and_what_was_tried_is_kept(base: GuardedDatabase, workers: int) -> None:
    (found,) = tried(base, "name", "town", workers=workers)
    assert found.names == {TABLE: "customers", NM: "name", TWN: "town"}
    assert (found.dropped, found.taken, found.gain) == ({}, found.contest.answers, 1.0)
    assert [(s.name, s.lost) for s in found.contest.names] == [("customers, name, town", "")]


def test_a_name_whose_own_questions_lose_goes_if_the_rest_does_as_well(base: GuardedDatabase) -> None:
    more = [
        Example(Question("Who is last?"), "SELECT max(nm) FROM clients"),
        Example(Question("How many names?"), "SELECT count(nm) FROM clients"),
    ]
    asked = [*ASKED, *more]

    def write(question: Question, draw: Draw, database: Database) -> str:
        there = {column.name for table in database.schema() for column in table.columns}
        gold = next(e.sql for e in asked if e.question.text == question.text)
        reads_town, reads_name = "twn" in gold, "nm" in gold
        if (reads_town and not reads_name and "town" in there) or (reads_name and not reads_town and "nm" in there):
            return "SELECT 'no idea'"
        for old, new in {"nm": "name", "twn": "town"}.items():
            gold = gold.replace(old, new) if new in there else gold
        return gold

    held = court(base, Verifier("v", executing(write)), examples=asked)
    names = {"nm": ["name"], "twn": ["town"]}
    (found,) = bundles(held, base.schema(), Screened((NM, TWN)), proposals(names), "always")
    assert (found.names, found.dropped) == ({NM: "name"}, {TWN: "town"})
    assert found.taken == 2 * found.contest.answers
    assert found.gain == 4 / found.contest.answers


def test_a_bundle_that_does_not_help_changes_nothing(base: GuardedDatabase) -> None:
    (found,) = tried(base, "nobody")
    assert (found.names, found.dropped) == ({}, {})
    assert found.contest.reason == "no name gains 2 of 7 answers"


def test_names_that_help_alone_are_tried_alone_where_the_table_as_a_whole_loses(base: GuardedDatabase) -> None:
    def write(question: Question, draw: Draw, database: Database) -> str:
        there = {column.name for table in database.schema() for column in table.columns}
        if {"name", "town"} <= there:
            return "SELECT 'no idea'"
        return str(needs("name")(question, draw, database))  # type: ignore[operator]

    ways = Ways(everything, proposing({"nm": ["name"], "twn": ["town"]}), [Verifier("v", executing(write))])
    found = refine(base, ASKED, ways, replace(SETTINGS, bundles="auto"))
    assert [bundle.names for bundle in found.bundles] == [{}]
    assert found.refinement.columns == {NM: "name"}


def test_which_tables_are_cryptic(base: GuardedDatabase) -> None:
    schema = base.schema()
    assert is_cryptic(schema, Screened((NM, TWN)), "clients")
    assert not is_cryptic(schema, Screened((TABLE, NM)), "clients")
    assert not is_cryptic(schema, Screened(()), "bills")
    assert tried(base, "name", "town", when="never") == ()
    assert len(tried(base, "name", "town", when="auto")) == 1


def test_one_name_is_no_bundle(base: GuardedDatabase) -> None:
    assert tried(base, "town", names={"twn": ["town"]}) == ()


def whole(base: GuardedDatabase, store: VerdictStore, workers: int, asked: Counter[str]) -> RefinementRun:
    ways = Ways(everything, proposing(NAMES), [Verifier("v", executing(needs("name", "town"), asked))])  # type: ignore[arg-type]
    settings = replace(SETTINGS, bundles="auto", trial=TrialSettings(workers, at_once=workers))
    return refine(base, ASKED, ways, settings, store)


def test_a_run_keeps_the_bundle_and_asks_nothing_twice(base: GuardedDatabase, tmp_path: Path) -> None:
    first, second = Counter[str](), Counter[str]()
    store = VerdictStore(tmp_path / "v.jsonl")
    found = whole(base, store, 1, first)
    store.close()
    wanted: dict[Place, str] = {NM: "name", TWN: "town", ("clients", "x"): "extra"}
    assert (found.refinement.columns, found.refinement.tables) == (wanted, {"clients": "customers"})
    assert all(not v.chosen for v in found.verifications)
    assert first.total() == found.spent.asked == len(store)
    store = VerdictStore(tmp_path / "v.jsonl")
    again = whole(base, store, 1, second)
    store.close()
    assert second.total() == 0
    assert replace(again, spent=found.spent) == found
    many = whole(base, VerdictStore(), 4, Counter())
    assert (many.refinement, many.resolved) == (found.refinement, found.resolved)
    assert (found.raced, found.exhaustive) == (14, 14), "a set is always asked everything"


def test_the_report_tells_what_came_of_the_table(base: GuardedDatabase) -> None:
    found = whole(base, VerdictStore(), 1, Counter())
    file = file_of_run(found, MadeFrom(outline(base.schema())))
    reasons = {record.place: record.reason for record in file.records}
    assert reasons[NM] == reasons[TWN] == "with its table: together they gain +1.000 of the score"
    record = run_record(found, file)
    (bundle,) = record["bundles"]
    assert bundle["outcome"] == (
        "clients becomes customers, clients.nm becomes name, clients.twn becomes town, clients.x becomes extra"
    )
    funnel = dict(record["funnel"])
    assert funnel["of which a name was tried"] >= 3
    assert funnel["of which a name passed the threshold"] == funnel["renamed in the end"] == 4
    assert "Tables tried as a whole" in [section.title for section in refinement_report(record).sections]


def test_a_place_that_no_set_has_a_name_for_is_tried_alone(base: GuardedDatabase) -> None:
    both = {"nm": ["name"], "twn": ["name"], "x": ["extra"]}
    ways = Ways(everything, proposing(both), [Verifier("v", executing(needs("name")))])  # type: ignore[arg-type]
    found = refine(base, ASKED, ways, replace(SETTINGS, bundles="always"))
    reasons = {v.place: v.reason for v in found.verifications}
    assert reasons[NM] == WITH_TABLE
    assert reasons[TWN] == "no name gains 2 of 3 answers"


def test_a_bundle_is_tried_on_questions_that_choose_alone(base: GuardedDatabase) -> None:
    verifier = Verifier("v", executing(needs("name", "town")))  # type: ignore[arg-type]
    held = court(base, verifier, examples=ASKED, held_out=frozenset({0, 1}))
    (found,) = bundles(held, base.schema(), Screened(tuple(PLACES)), proposals(), "always")
    assert found.contest.answers == 5


def test_cryptic_tables_are_tried_all_together_first(base: GuardedDatabase) -> None:
    bills = [
        Proposal(("bills", ""), (Proposed("invoices", ""),)),
        Proposal(("bills", "amt"), (Proposed("amount", ""),)),
    ]
    screened = Screened((*PLACES, ("bills", ""), ("bills", "amt")))

    def found(*wanted: str) -> tuple[Bundle, ...]:
        held = court(base, Verifier("v", executing(needs(*wanted))), examples=ASKED)  # type: ignore[arg-type]
        return bundles(held, base.schema(), screened, [*proposals(), *bills], "always")

    (both,) = found("town", "amount")
    assert both.tables == ("clients", "bills")
    assert both.names[TWN] == "town"
    assert both.names["bills", "amt"] == "amount"
    assert [(one.tables, bool(one.names)) for one in found("nobody")] == [
        (("clients", "bills"), False),
        (("clients",), False),
        (("bills",), False),
    ]


def test_a_whole_table_is_renamed_with_the_columns_that_no_question_reads(base: GuardedDatabase) -> None:
    found = whole(base, VerdictStore(), 1, Counter())
    assert found.refinement.columns["clients", "x"] == "extra"
    file = file_of_run(found, MadeFrom(outline(base.schema())))
    (record,) = [record for record in file.records if record.place == ("clients", "x")]
    assert record.reason.endswith("no question that chose reads it")


def test_a_name_that_only_adds_words_is_left_to_be_tried_alone(base: GuardedDatabase) -> None:
    names = {"clients": ["customers"], "nm": ["name"], "twn": ["client_twn", "town"]}
    (found,) = tried(base, "name", names=names)
    assert found.names == {TABLE: "customers", NM: "name"}
    assert TWN not in found.places


def asked_of(base: GuardedDatabase, right: Callable[[Example, set[str]], bool], asked: Sequence[Example]) -> Court:
    """A court whose solver is right where `right` says so of the question and of the names that are there."""

    def write(question: Question, draw: Draw, database: Database) -> str:
        example = next(e for e in asked if e.question.text == question.text)
        there = {t.name for t in database.schema()} | {c.name for t in database.schema() for c in t.columns}
        if not right(example, there):
            return "SELECT 'no idea'"
        gold = example.sql
        for old, new in RENAMED.items():
            gold = re.sub(rf"\b{old}\b", new, gold) if new in there else gold
        return gold

    return court(base, Verifier("v", executing(write)), examples=asked)


RENAMED = {
    "clients": "customers",
    "bills": "invoices",
    "nm": "name",
    "twn": "town",
    "amt": "amount",
    "b_id": "bill_number",
}


def test_tables_that_win_alone_and_not_together_are_not_both_renamed(base: GuardedDatabase) -> None:
    joins = [f"SELECT nm, amt FROM clients JOIN bills USING (c_id) WHERE amt > {n}" for n in range(8)]
    of_clients = [f"SELECT nm, twn FROM clients LIMIT {n}" for n in range(1, 4)]
    of_bills = [f"SELECT amt, b_id FROM bills LIMIT {n}" for n in range(1, 5)]
    asked = [Example(Question(sql), sql) for sql in (*joins, *of_clients, *of_bills)]

    def right(example: Example, there: set[str]) -> bool:
        if "JOIN" in example.sql:
            return not ({"name", "town"} & there and {"amount", "bill_number"} & there)
        return ("name" if "clients" in example.sql else "amount") in there

    held = asked_of(base, right, asked)
    named = [
        *proposals({"nm": ["name"], "twn": ["town"]}),
        Proposal(("bills", "amt"), (Proposed("amount", ""),)),
        Proposal(("bills", "b_id"), (Proposed("bill_number", ""),)),
    ]
    places = tuple(proposal.place for proposal in named)
    together, clients, bills = bundles(held, base.schema(), Screened(places), named, "always")
    assert not together.names
    assert (clients.names, clients.reason) == ({}, NOT_WITH_OTHERS)
    assert bills.names == {("bills", "amt"): "amount", ("bills", "b_id"): "bill_number"}
    assert clients.settled == {NM, TWN}


def over_clients(counts: Mapping[str, int]) -> list[Example]:
    """So many questions of each expression."""
    written = [f"SELECT {what} FROM clients WHERE c_id > {n}" for what, count in counts.items() for n in range(count)]
    return [Example(Question(sql), sql) for sql in written]


def test_a_set_keeps_the_table_and_gives_up_the_columns_that_lose(base: GuardedDatabase) -> None:
    asked = over_clients({"nm": 2, "twn": 2, "count(*)": 3})

    def right(example: Example, there: set[str]) -> bool:
        if "count" in example.sql:
            return "customers" in there
        return not {"name", "town"} & there

    names = {"clients": ["customers"], "nm": ["name"], "twn": ["town"]}
    (found,) = bundles(asked_of(base, right, asked), base.schema(), Screened(tuple(PLACES)), proposals(names), "always")
    assert found.names == {TABLE: "customers"}
    assert found.dropped == {NM: "name", TWN: "town"}
    assert (found.net, found.taken) == (3, 3 * found.contest.answers)


def test_a_name_found_alone_takes_none_from_a_set(base: GuardedDatabase) -> None:
    """`x` gains more by `client_name` alone than the set does as a whole, which has the name for `nm`."""
    of_set = [
        "SELECT nm FROM clients",
        "SELECT twn FROM clients",
        "SELECT min(nm) FROM clients",
        "SELECT nm, twn FROM clients",
    ]
    of_x = ["SELECT x FROM clients", "SELECT max(x) FROM clients"]
    asked = [Example(Question(sql), sql) for sql in (*of_set, *of_x)]

    def write(question: Question, draw: Draw, database: Database) -> str:
        there = {column.name for table in database.schema() for column in table.columns}
        if question.text in of_x:
            return (
                question.text.replace("x", "client_name").replace("maclient_name", "max") if "x" not in there else "no"
            )
        known = {"client_name", "town"} <= there and question.text != of_set[-1]
        return question.text.replace("nm", "client_name").replace("twn", "town") if known else "SELECT 'no idea'"

    names = {"nm": ["client_name"], "twn": ["town"], "x": ["x_client", "client_name"]}
    ways = Ways(everything, proposing({**names, "x": ["client_name"]}), [Verifier("v", executing(write))])
    alone = refine(base, asked, ways, replace(SETTINGS, bundles="never"))
    assert alone.refinement.columns["clients", "x"] == "client_name"
    ways = Ways(everything, proposing(names), [Verifier("v", executing(write))])
    found = refine(base, asked, ways, replace(SETTINGS, bundles="auto"))
    assert 0 < found.bundles[0].gain < 1
    assert found.refinement.columns[NM] == "client_name"
    assert found.refinement.columns[TWN] == "town"


def test_columns_that_only_follow_each_other_are_no_set(tmp_path: Path) -> None:
    path = tmp_path / "circle.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE aa (xq INTEGER PRIMARY KEY REFERENCES bb (xz), v TEXT)")
        connection.execute("CREATE TABLE bb (xz INTEGER PRIMARY KEY REFERENCES aa (xq), w TEXT)")
        connection.commit()
    database = connect(str(path))
    assert isinstance(database, GuardedDatabase)
    asked = [Example(Question(sql), sql) for sql in ("SELECT count(xq) FROM aa", "SELECT count(xz) FROM bb")]
    named = [Proposal(("aa", "xq"), (Proposed("one", ""),)), Proposal(("bb", "xz"), (Proposed("two", ""),))]
    held = asked_of(database, lambda example, there: False, asked)
    assert bundles(held, database.schema(), Screened((("aa", "xq"), ("bb", "xz"))), named, "always") == ()
    database.close()


def test_a_set_gives_up_the_name_of_its_table_where_all_columns_lose_by_it(base: GuardedDatabase) -> None:
    asked = over_clients({"nm": 3, "twn": 3, "count(*)": 2})

    def right(example: Example, there: set[str]) -> bool:
        if "count" in example.sql:
            return "customers" not in there
        old = {"nm", "twn"} & there and example.sql.endswith("0")
        return "customers" not in there and ({"name", "town"} <= there or bool(old))

    names = {"clients": ["customers"], "nm": ["name"], "twn": ["town"]}
    (found,) = bundles(asked_of(base, right, asked), base.schema(), Screened(tuple(PLACES)), proposals(names), "always")
    assert found.names == {NM: "name", TWN: "town"}
    assert found.dropped == {TABLE: "customers"}


def test_every_name_of_a_set_has_the_score_of_its_own_questions(base: GuardedDatabase) -> None:
    found = whole(base, VerdictStore(), 1, Counter())
    file = file_of_run(found, MadeFrom(outline(base.schema())))
    (record,) = [record for record in file.records if record.place == TWN]
    (score,) = record.scores
    assert (record.original, score.name, score.score) == (0.0, "town", 1.0)
    assert score.repaired == ("v: q1", "v: q2", "v: q3")
    report = refinement_report(run_record(found, file))
    assert any("clients.twn" in str(section) for section in report.sections)


def test_a_column_whose_questions_are_held_out_says_so(base: GuardedDatabase) -> None:
    held = court(base, Verifier("v", executing(needs("nobody"))), examples=ASKED, held_out=frozenset({0, 1}))  # type: ignore[arg-type]
    assert (
        verify(held, TWN, ["town"]).reason
        == "only 1 question reads it (2 more are held out), and 2 are the least to judge by"
    )
    all_held = court(base, Verifier("v", executing(needs("nobody"))), examples=ASKED, held_out=frozenset({0, 1, 2}))  # type: ignore[arg-type]
    assert verify(all_held, TWN, ["town"]).reason == HELD_OUT


def test_the_report_tells_what_was_left_out_and_who_chose(base: GuardedDatabase) -> None:
    asked = [*ASKED, Example(Question("Broken?", id="q99"), "SELECT nope FROM clients")]
    ways = Ways(everything, proposing(NAMES), [Verifier("v", executing(needs("name", "town")))])  # type: ignore[arg-type]
    found = refine(base, asked, ways, replace(SETTINGS, bundles="auto"))
    report = refinement_report(run_record(found, file_of_run(found, MadeFrom(outline(base.schema())))))
    assert report.summary.endswith("on the questions that chose them.")
    assert any("Questions that were left out" in str(section) and "q99" in str(section) for section in report.sections)


def test_answers_that_could_not_be_scored_are_counted_by_their_reason() -> None:
    said = unscored_sentences({"unscored": ["no reply", "too late", "no reply"]})
    assert said == ["2 answers could not be scored: no reply", "1 answer could not be scored: too late"]


def test_what_is_asked_again_in_a_run_is_not_known_from_before(base: GuardedDatabase) -> None:
    store = VerdictStore()
    assert whole(base, store, 1, Counter()).spent.known == 0
    assert whole(base, store, 1, Counter()).spent.known == len(store)
