"""Descriptions are shown to solvers as comments and kept only where they help."""

from __future__ import annotations

import pytest

from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.models import ModelsByRole, ScriptedModel
from dragoman.models.request import Request
from dragoman.refine.refine import RefineSettings, Ways
from dragoman.refine.refinement import Refinement
from dragoman.refine.trials import Verifier
from dragoman.refine.verify_descriptions import verify_descriptions
from dragoman.workflows import METHODS
from dragoman.workflows.zero_shot import Asking
from tests.refine.test_refine import ASKED, everything, proposing
from tests.refine.test_verify import base

__all__ = ["base"]

HELPS, IDLE, HARMS = "The town that a client lives in.", "What a client is called.", "Nobody knows what it is."
OFFERED = Refinement(
    descriptions={("clients", "twn"): HELPS, ("clients", "nm"): IDLE, ("bills", "amt"): HARMS, ("clients", "x"): "?"}
)


def reading_comments(request: Request) -> str:
    """Answers questions about towns only where the prompt says what `twn` is, and is led astray by another comment."""
    text = "\n".join(message.text for message in request.messages)
    example = next(e for e in ASKED if e.question.text in text)
    lost = (HELPS not in text and "twn" in example.sql) or (HARMS in text and "amt" in example.sql)
    return f"```sql\n{'SELECT 1 WHERE 1 = 0' if lost else example.sql}\n```"


@pytest.mark.parametrize("name", ["zero_shot", "c3_unified", "din_sql_unified"])
def test_a_description_is_kept_where_it_helps(base: GuardedDatabase, name: str) -> None:
    models = ModelsByRole(ScriptedModel(reading_comments, local=False))
    asking = Asking("Sunday, 2026-11-29 (UTC, UTC+0000)", values=False)
    ways = Ways(everything, proposing({}), [Verifier(name, lambda database: METHODS[name](database, models, asking))])
    found = verify_descriptions(base, ASKED, OFFERED, ways, RefineSettings(held_out=0.0))
    assert found.refinement == Refinement(descriptions={("clients", "twn"): HELPS})
    assert [v.place[1] for v in found.verifications if v.chosen] == ["twn"]
    assert len(found.verifications) == 4
    assert found.together.net == 3
