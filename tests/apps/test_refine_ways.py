"""What a verifier's answers depend on is in its identity, so that a run that goes on takes over no others."""

from __future__ import annotations

from pathlib import Path

from dragoman.apps.refine_ways import EMBEDDED_VERIFIERS, verifiers
from dragoman.compose import SolverSettings
from dragoman.models import ModelsByRole
from dragoman.models.embedded import EmbeddedModel

OTHER = Path(__file__).resolve().parents[2] / "training" / "adapters" / "from-first.gguf"


def test_verifiers_with_another_adapter_are_other_verifiers() -> None:
    shipped, other = (
        verifiers(SolverSettings(), ModelsByRole(EmbeddedModel(adapter=adapter)), EMBEDDED_VERIFIERS)
        for adapter in (None, OTHER)
    )
    identities = [verifier.identity for verifier in (*shipped, *other)]
    assert len(set(identities)) == 4
    assert [verifier.name for verifier in shipped] == list(EMBEDDED_VERIFIERS)
