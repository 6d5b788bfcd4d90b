"""The paper's traps with the methods that ship: C3's vote and MAC-SQL's refiner run inside the views."""

from __future__ import annotations

import json

import pytest

from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.models import ModelsByRole, ScriptedModel
from dragoman.models.request import Request
from dragoman.refine.refinement import Refinement
from dragoman.refine.trials import Verifier
from dragoman.refine.verify import verify
from dragoman.workflows import METHODS
from dragoman.workflows.zero_shot import Asking
from tests.refine.test_verify import TOWNS, TWN, base, court, guessing

__all__ = ["base"]

TODAY = "Sunday, 2026-11-29 (UTC, UTC+0000)"
ANSWERS = {example.question.text: example.sql for example in TOWNS}


def text_of(request: Request) -> str:
    return "\n".join(message.text for message in request.messages)


def asked_for(request: Request) -> str:
    """The SQL that a model gives that guesses `town` from the question, whatever the schema says."""
    found = next(example.question for example in TOWNS if example.question.text in text_of(request))
    return guessing(found, None, None)  # type: ignore[arg-type]


def verifier(name: str, model: ScriptedModel) -> Verifier:
    models, asking = ModelsByRole(model), Asking(TODAY, values=True)
    return Verifier(name, lambda database: METHODS[name](database, models, asking))


def c3_model(seen: list[str]) -> ScriptedModel:
    """Links what is there, and guesses `town` in two samples of three; the first, greedy one knows the old name."""

    def reply(request: Request) -> str:
        text = text_of(request)
        seen.append(text)
        if "```sql" not in text and "JSON" in text:
            return json.dumps({"clients": ["nm", "town" if "town " in text or "town)" in text else "twn"]})
        sql = asked_for(request)
        return f"```sql\n{sql.replace('town', 'twn') if request.settings.temperature == 0 else sql}\n```"

    return ScriptedModel(reply, local=False)


def test_the_vote_of_c3_runs_inside_the_views(base: GuardedDatabase) -> None:
    """Two samples of three run under the new name only, and the first under the old one only: what runs wins."""
    seen: list[str] = []
    held = court(base, verifier("c3_unified", c3_model(seen)))
    cells = held.cells([0, 1, 2])
    old, new = (held.trials.ask(names, cells) for names in (Refinement(), Refinement({TWN: "town"})))
    assert [(v.correct, "twn" in v.sql) for v in old if v] == [(True, True)] * 3
    assert [(v.correct, "town" in v.sql) for v in new if v] == [(True, True)] * 3
    assert {v.calls for v in (*old, *new) if v} == {4}
    assert any("town" in text and "twn" not in text for text in seen)


def test_the_refiner_of_mac_sql_runs_inside_the_views(base: GuardedDatabase) -> None:
    """A query in the new name runs at once and is not mended; the old one's error, as the views tell it, is."""
    errors: list[str] = []

    def reply(request: Request) -> str:
        text = text_of(request)
        if "no such column" in text or "is called" in text or "not known" in text or "no column" in text:
            errors.append(text)
        if errors and errors[-1] == text:
            return "```sql\nSELECT 'given up'\n```"
        if "```sql" not in text and "JSON" in text:
            return json.dumps({"clients": "keep_all"})
        return f"```sql\n{asked_for(request)}\n```"

    held = court(base, verifier("mac_sql_unified", ScriptedModel(reply, local=False)))
    cells = held.cells([0, 1, 2])
    new = held.trials.ask(Refinement({TWN: "town"}), cells)
    assert [v.correct for v in new if v] == [True] * 3
    assert errors == []
    old = held.trials.ask(Refinement(), cells)
    assert [v.correct for v in old if v] == [False] * 3
    assert len(errors) == 3


@pytest.mark.parametrize("name", ["mac_sql_unified", "zero_shot"])
def test_a_shipped_method_chooses_the_name_that_it_guesses(base: GuardedDatabase, name: str) -> None:
    def reply(request: Request) -> str:
        text = text_of(request)
        if "```sql" not in text and "JSON" in text:
            return json.dumps({"clients": "keep_all"})
        return f"```sql\n{asked_for(request)}\n```"

    found = verify(court(base, verifier(name, ScriptedModel(reply, local=False))), TWN, ["place", "town"])
    assert (found.chosen, found.gain) == ("town", 1.0)
