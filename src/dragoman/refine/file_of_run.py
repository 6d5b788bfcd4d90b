"""The refinement file that a run leaves behind."""

from __future__ import annotations

from dataclasses import replace

from dragoman.refine.propose import Proposal
from dragoman.refine.refine import RefinementRun
from dragoman.refine.refinement import Place
from dragoman.refine.refinement_file import MadeFrom, NameRecord, NameScore, RefinementFile
from dragoman.refine.verify import Verification


def file_of_run(run: RefinementRun, made_from: MadeFrom) -> RefinementFile:
    """A record of every place that the run looked at, with what became of it in the end: conflicts, keys, joint check.

    Columns that structure leaves alone have a record with the reason; so have those that inherit a name.
    """
    screened = run.screened
    if screened is None:
        return RefinementFile(run.refinement, made_from)
    proposals = {proposal.place: proposal for proposal in run.proposals}
    verified = {verification.place: verification for verification in run.verifications}
    records = {place: NameRecord(place, reason=why) for place, why in screened.dropped.items()}
    for place in screened.kept:
        signals = screened.signals.get(place, ())
        records[place] = _record(place, signals, proposals.get(place), verified.get(place))
    for place, name in run.refinement.names.items():
        records[place] = replace(records.get(place, NameRecord(place)), decision=name)
    for bundle in run.bundles:
        whole = "its table" if len(bundle.tables) == 1 else f"the tables {', '.join(bundle.tables)}"
        reason = f"with {whole}: together they gain {bundle.gain:+.3f} of the score"
        for place in bundle.names.keys() & records.keys():
            if records[place].decision == bundle.names[place]:  # not another one, found alone after a conflict
                unread = "" if records[place].questions else "; no question that chose reads it"
                records[place] = replace(records[place], reason=reason + unread)
        for place in bundle.inherited:
            if place in records and not records[place].decision:
                records[place] = replace(records[place], reason="the key that it refers to keeps its old name")
        for place in bundle.dropped:
            told = bundle.reason or f"its own questions lost answers when it was renamed with {whole}"
            records[place] = replace(records[place], reason=told)
    final = run.joint.resolved if run.joint else run.resolved
    if final:
        for place, key in final.inherited.items():
            records[place] = replace(records.get(place, NameRecord(place)), reason=f"It follows {'.'.join(key)}.")
        before = run.resolved.lost if run.resolved else {}
        for place, why in {**before, **final.lost, **final.kept}.items():
            if place in records and not records[place].decision:
                records[place] = replace(records[place], reason=why)
    for place, why in (run.joint.dropped if run.joint else {}).items():
        records[place] = replace(records[place], decision="", reason=why)
    return RefinementFile(run.refinement, made_from, tuple(records[place] for place in sorted(records)))


def _record(
    place: Place, signals: tuple[str, ...], proposal: Proposal | None, verified: Verification | None
) -> NameRecord:
    record = NameRecord(place, signals=signals)
    if proposal:
        record = replace(record, candidates=proposal.names, rejects=proposal.rejects, reason=proposal.failure)
    if verified is None:
        return record
    scores = tuple(NameScore(name.name, name.score, name.repaired, name.broken, name.lost) for name in verified.names)
    reason = verified.reason or next((name.reason for name in record.candidates if name.name == verified.chosen), "")
    return replace(record, reason=reason, questions=verified.questions, original=verified.original, scores=scores)
