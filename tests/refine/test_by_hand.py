"""The demo's legacy table: screening and proposing answered by hand, replayed, beside the offline proposer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.databases import Database, connect
from dragoman.demo import open_demo
from dragoman.demo.workload import workload
from dragoman.models import RecordedModel
from dragoman.refine.admissible import inadmissible
from dragoman.refine.follow_names import follow_names
from dragoman.refine.refinement import refined_schema
from dragoman.refine.resolve_conflicts import Choice, resolve_conflicts
from dragoman.refine.screen import open_places, screen
from dragoman.refine.screen_by_rule import rule_notes, screen_by_rule
from dragoman.refine.subject import subjects
from tests.refine.by_hand import LEGACY, RECORDED, LegacyRun, legacy_run, record_again


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    found = connect(str(open_demo(tmp_path_factory.mktemp("demo"))))
    yield found
    found.close()


@pytest.fixture(scope="module")
def run(database: Database) -> LegacyRun:
    return legacy_run(database, RecordedModel(RECORDED))


def test_every_legacy_name_is_found_and_gets_three_names(run: LegacyRun) -> None:
    assert run.domain.sentence.startswith("An online retailer's shop data")
    assert [place for place in run.screened.kept if place[0] != "CUST_MST"] == []
    assert len(run.screened.kept) == 14, "the table and all columns that are no foreign keys"
    assert {len(proposal.names) for proposal in run.proposals} == {3}
    first = {proposal.place[1]: proposal.names[0].name for proposal in run.proposals}
    assert first[""] == "dealers"
    assert first["crdt_lmt_amt"] == "credit_limit"
    assert first["rgn_cd"] == "sales_region"


def test_rules_find_the_same_names(run: LegacyRun, database: Database) -> None:
    schema = database.schema()
    about = subjects(open_places(schema, LEGACY), database, schema, "")
    found = screen(schema, about, screen_by_rule(schema), rule_notes())
    assert found.kept == run.screened.kept


def test_the_offline_proposer_has_names_for_all_of_them_and_often_the_same(run: LegacyRun) -> None:
    """Where the two share a name, and where the offline proposer's first is among the three."""
    shared, first = set(), set()
    for by_hand, offline in zip(run.proposals, run.offline, strict=True):
        names = {item.name for item in by_hand.names}
        assert offline.names, offline.place
        if names & {item.name for item in offline.names}:
            shared.add(by_hand.place[1])
        if offline.names[0].name in names:
            first.add(by_hand.place[1])
    assert shared == {proposal.place[1] for proposal in run.proposals}
    assert {proposal.place[1] for proposal in run.proposals} - first == {"cst_typ_cd", "crdt_bal_amt", "stat_flg"}


def test_the_first_choices_make_an_admissible_refinement(run: LegacyRun, database: Database) -> None:
    schema = database.schema()
    for proposals in (run.proposals, run.offline):
        choices = [Choice(p.place, tuple((item.name, 0.1) for item in p.names)) for p in proposals]
        found = resolve_conflicts(schema, choices)
        assert inadmissible(schema, found.refinement) == ()
        assert set(found.refinement.names) == {p.place for p in proposals}
        refined_schema(schema, found.refinement)


def test_evidence_follows_the_names(run: LegacyRun, database: Database) -> None:
    schema = database.schema()
    choices = [Choice(p.place, tuple((item.name, 0.1) for item in p.names[:1])) for p in run.proposals]
    names = resolve_conflicts(schema, choices).refinement.names
    told = [e.question.evidence for e in workload() if e.question.evidence]
    after = {follow_names(text, schema, names) for text in told} - set(told)
    assert "On hold means account_status = 'H'." in after
    assert "What a dealer owes is credit_balance." in after
    assert not [text for text in after for _, old in names if old and old in text.split()]


def test_workers_change_nothing(run: LegacyRun, database: Database) -> None:
    assert legacy_run(database, RecordedModel(RECORDED), workers=8) == run


def test_recording_again_writes_the_same_file(database: Database, tmp_path: Path) -> None:
    record_again(database, tmp_path / "legacy.jsonl")
    assert (tmp_path / "legacy.jsonl").read_bytes() == RECORDED.read_bytes()
