"""Proposals kept in a file, so that a run that goes on proposes the same names and asks no model again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dragoman.bench.ledger import Ledger, read_ledger
from dragoman.errors import SetupError
from dragoman.refine.propose import Proposal, Proposed, Proposer
from dragoman.refine.subject import Subject
from dragoman.refine.verdict_store import content_key


def kept_proposals(propose: Proposer, path: Path, identity: str) -> Proposer:
    """`propose` with its proposals in `path`, found again by all that it is told and by its `identity`.

    The steps of a proposal that was kept are not. Raises `SetupError` for a file of another kind.
    """

    def propose_or_recall(subjects: Sequence[Subject]) -> Sequence[Proposal]:
        try:
            known = {record["key"]: _proposal(record) for record in read_ledger(path)}
        except (KeyError, TypeError, ValueError):
            raise SetupError(f"{path} holds no proposals. Give another folder.") from None
        keys = [content_key([identity, repr(subject)]) for subject in subjects]
        missing = [subject for key, subject in zip(keys, subjects, strict=True) if key not in known]
        fresh = {proposal.place: proposal for proposal in propose(missing)} if missing else {}
        path.parent.mkdir(parents=True, exist_ok=True)
        ledger = Ledger(path)
        try:
            for key, subject in zip(keys, subjects, strict=True):
                if key not in known:
                    known[key] = fresh[subject.place]
                    ledger.append(_record(key, fresh[subject.place]))
        finally:
            ledger.close()
        return [known[key] for key in keys]

    return propose_or_recall


def _record(key: str, proposal: Proposal) -> dict[str, Any]:
    return {
        "key": key,
        "place": list(proposal.place),
        "names": [[item.name, item.reason] for item in proposal.names],
        "rejects": [[item.name, item.reason] for item in proposal.rejects],
        "failure": proposal.failure,
    }


def _proposal(record: dict[str, Any]) -> Proposal:
    table, column = record["place"]
    names, rejects = (tuple(Proposed(*item) for item in record[key]) for key in ("names", "rejects"))
    return Proposal((table, column), names, rejects, record["failure"])
