"""What a run leaves behind: a record of every name, and why it is as it is."""

from __future__ import annotations

from dragoman.refine.bundles import Bundle
from dragoman.refine.contest import Contest, Scored
from dragoman.refine.file_of_run import file_of_run
from dragoman.refine.flips import Flips
from dragoman.refine.joint_check import JointCheck
from dragoman.refine.propose import Proposal, Proposed
from dragoman.refine.refine import RefinementRun
from dragoman.refine.refinement import Refinement
from dragoman.refine.refinement_file import MadeFrom, NameRecord
from dragoman.refine.resolve_conflicts import Resolved
from dragoman.refine.schema_outline import Outline
from dragoman.refine.screen import Screened
from dragoman.refine.verify import Verification

NO, NM, SZ, FK = ("CST", "no"), ("CST", "nm"), ("CST", "sz"), ("ORD", "cst_no")
MADE = MadeFrom(Outline())


def test_every_place_has_a_record_with_its_reason() -> None:
    refinement = Refinement({NO: "customer_number", FK: "customer_number"})
    resolved = Resolved(refinement, {NM: "CST.nm cannot become size: CST.sz has or had that name."}, {FK: NO})
    run = RefinementRun(
        refinement,
        screened=Screened((NO, NM, SZ), {FK: "part of a foreign key"}, {NO: ("S5",)}),
        proposals=(
            Proposal(NO, (Proposed("customer_number", "no is short for number."),), (Proposed("nm", "taken"),)),
            Proposal(NM, (Proposed("size", "r"),)),
        ),
        verifications=(
            Verification(NO, "customer_number", "", 4, names=(Scored("customer_number", 4, 4, 0.75, 0.75, ("a",)),)),
            Verification(NM, "size", "", 3),
            Verification(SZ, "", "no question of the workload reads it"),
        ),
        resolved=resolved,
        joint=JointCheck(resolved, 3, Flips(), Flips(), {SZ: "together with the others it broke more"}),
    )
    found = file_of_run(run, MADE)
    assert (found.refinement, found.made_from) == (refinement, MADE)
    records = {record.place: record for record in found.records}
    assert list(records) == [NM, NO, SZ, FK]
    number = records[NO]
    assert (number.decision, number.reason, number.signals) == ("customer_number", "no is short for number.", ("S5",))
    assert (number.questions, number.scores[0].repaired, number.rejects) == (4, ("a",), (Proposed("nm", "taken"),))
    assert records[FK] == NameRecord(FK, "customer_number", "It follows CST.no.")
    assert (records[NM].decision, records[NM].reason) == ("", resolved.lost[NM])
    assert records[SZ].reason == "together with the others it broke more"


def test_a_run_that_tried_nothing_has_no_records() -> None:
    assert file_of_run(RefinementRun(Refinement(), "too few questions"), MADE).records == ()


def test_what_follows_a_key_that_was_given_up_in_the_end_says_so() -> None:
    bundle = Bundle(("CST",), (NO, NM), Contest(1, "", 4, 2, 0.5, ()), {NO: "number", NM: "name"}, (FK,), net=2)
    kept = Resolved(Refinement({NM: "name"}))
    run = RefinementRun(
        kept.refinement,
        screened=Screened((NO, NM, FK)),
        bundles=(bundle,),
        joint=JointCheck(kept, 3, Flips(), Flips(), {NO: "all names together lost 1 of 4 answers"}),
    )
    reasons = {record.place: record.reason for record in file_of_run(run, MADE).records}
    assert reasons[FK] == "the key that it refers to keeps its old name"
    assert reasons[NO] == "all names together lost 1 of 4 answers"
    assert reasons[NM].startswith("with its table: together they gain +0.500 of the score")
