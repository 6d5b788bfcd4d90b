"""A model per role."""

from __future__ import annotations

import pytest

from dragoman.errors import SetupError
from dragoman.models import ROLES, Choice, Message, ModelsByRole, Reply, ScriptedModel, Spent, Usage

ASK = [Message("user", "hi")]


def paying(cost: float | None, stored: bool = False) -> ScriptedModel:
    return ScriptedModel(lambda _: Reply((Choice("a"),), Usage(1, 10, 2), cost, 0.5, stored))


def test_roles_have_their_own_model_or_the_default() -> None:
    default, judge = ScriptedModel(["default"]), ScriptedModel(["judge"], name="wise")
    models = ModelsByRole(default, {"judge": judge})
    assert models.for_role("judge").complete(ASK).text == "judge"
    assert models.for_role("linker").complete(ASK).text == "default"
    assert models.for_role("judge").name == "wise"


def test_use_is_reported_by_role() -> None:
    models = ModelsByRole(paying(0.25), {"linker": paying(None), "reviewer": paying(0.0, stored=True)})
    models.for_role("generator").complete(ASK)
    models.for_role("generator").complete(ASK)
    models.for_role("linker").complete(ASK)
    models.for_role("reviewer").complete(ASK)
    assert models.spent == {
        "generator": Spent(Usage(2, 20, 4), Usage(), 0.5, 1.0),
        "linker": Spent(Usage(1, 10, 2), Usage(), None, 0.5),
        "reviewer": Spent(Usage(), Usage(1, 10, 2), 0.0, 0.5),
    }


def test_an_unknown_role_names_the_known_ones() -> None:
    for wrong in (lambda: ModelsByRole(paying(0), {"jugde": paying(0)}), lambda: ModelsByRole(paying(0)).for_role("x")):
        with pytest.raises(SetupError) as caught:
            wrong()
        assert all(role in str(caught.value) for role in ROLES)
