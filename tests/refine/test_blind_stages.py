"""Screening, proposing and deploying never see the workload: only verification does."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import dragoman.refine

ROOM = Path(dragoman.refine.__file__).parent
BLIND = ("screen", "screen_by_rule", "screen_by_model", "propose", "propose_by_model", "propose_offline", "domain",
         "subject", "sample_values", "structural_exclusion", "resolve_conflicts", "propagate", "refinement_file",
         "refined_database", "view_sql", "apply", "export", "name_problem", "surroundings")  # fmt: skip
WORKLOAD = ("dragoman.questions", "dragoman.bench", "dragoman.metrics")


def imported(module: str) -> set[str]:
    """What a module of this room imports, over any number of hops inside the room."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        tree = ast.parse((ROOM / f"{waiting.pop()}.py").read_text("utf-8"))
        for node in ast.walk(tree):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in set(names) - found:
                found.add(name)
                if name.startswith("dragoman.refine."):
                    waiting.append(name.rpartition(".")[2])
    return found


@pytest.mark.parametrize("module", BLIND)
def test_no_way_leads_from_a_blind_stage_to_the_workload(module: str) -> None:
    assert not [name for name in imported(module) if name.startswith(WORKLOAD)]


def test_verification_does_see_it() -> None:
    assert "dragoman.questions" in imported("verify")
