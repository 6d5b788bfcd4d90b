"""A run of learning that was answered by hand (experiments/learn_by_hand.py), replayed offline."""

from __future__ import annotations

from pathlib import Path

import pytest
from experiments.learn_arms import arms, measure
from experiments.learn_by_hand import POOL, RECORDED, learn_by_hand
from experiments.recorded_by_hand import RecordedByHand

from dragoman.agent.skills import find_skill, read_skill
from dragoman.errors import SetupError

GOLDEN = RECORDED / "golden"


def files(folder: Path) -> dict[str, str]:
    """All that was learned, by name; run.json says on which machine."""
    found = {p.relative_to(folder).as_posix(): p for p in sorted(folder.rglob("*")) if p.is_file()}
    return {name: path.read_text("utf-8") for name, path in found.items() if name != "run.json"}


def test_it_replays_to_the_golden_folder(warehouse_path: Path, tmp_path: Path) -> None:
    pool = learn_by_hand(RecordedByHand(RECORDED / "hand.jsonl"), warehouse_path, tmp_path / "run")
    assert [skill.label for skill in pool] == ["draft_first_r1", "plain", "explore"]
    assert files(tmp_path / "run") == files(GOLDEN)


def test_a_request_that_was_not_recorded_fails(warehouse_path: Path, tmp_path: Path) -> None:
    lines = (RECORDED / "hand.jsonl").read_text("utf-8").splitlines(keepends=True)
    part = tmp_path / "part.jsonl"
    part.write_text("".join(lines[1:]), "utf-8")
    with pytest.raises(SetupError, match="was not recorded"):
        learn_by_hand(RecordedByHand(part), warehouse_path, tmp_path / "run")


@pytest.mark.slow
def test_arms_on_questions_held_out(warehouse_path: Path, tmp_path: Path) -> None:
    hand = RecordedByHand(RECORDED / "held_out.jsonl")
    found = {name: measure(hand, warehouse_path, tmp_path / name, arm) for name, arm in arms().items()}
    assert found == {"base": "10 of 12", "seeds": "10 of 12", "single": "12 of 12", "learned": "12 of 12"}


def test_what_it_learned() -> None:
    skills = [read_skill(GOLDEN / "pool" / f"{name}.md") for name in POOL]
    assert skills[0].parent == find_skill("draft_first").id
    assert [skill.version for skill in skills] == [1, 0, 0]
