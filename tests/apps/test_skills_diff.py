"""Two skills side by side, as one reviews code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dragoman.agent.skills import find_skill, skill_text
from dragoman.apps.cli import app
from dragoman.errors import SetupError


@pytest.fixture
def learned(tmp_path: Path) -> Path:
    """A folder with a later version of a seed."""
    plain = find_skill("plain")
    later = replace(plain, body=f"{plain.body}\n8. Count the rows.", version=1, parent=plain.id)
    (tmp_path / "plain.md").write_text(skill_text(later), "utf-8")
    return tmp_path


def diff(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["skills", "diff", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_seed_and_what_was_learned_from_it(learned: Path) -> None:
    seed = Path(str(learned / "seed.md"))
    seed.write_text(skill_text(find_skill("plain")), "utf-8")
    lines = diff(str(seed), str(learned / "plain.md")).splitlines()
    assert [line for line in lines[2:] if line[0] in "+-"] == [
        "-version = 0",
        '-parent = ""',
        "+version = 1",
        f'+parent = "{find_skill("plain").id}"',
        "+8. Count the rows.",
    ]


def test_names_and_labels(learned: Path) -> None:
    assert diff("plain", "plain") == ""
    assert "+8. Count the rows." in diff("balanced", "plain_r1", "--folder", str(learned))


def test_an_unknown_skill_is_said(learned: Path) -> None:
    with pytest.raises(SetupError, match="No skill is called nobody"):
        diff("plain", "nobody")
