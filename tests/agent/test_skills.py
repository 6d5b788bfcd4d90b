from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.agent import AgentLimits
from dragoman.agent.skill_lint import LONGEST, lint_skill, near_duplicates
from dragoman.agent.skills import (
    Skill,
    find_skill,
    new_skill,
    parse_skill,
    read_skill,
    read_skills,
    seed_skills,
    skill_text,
)
from dragoman.agent.trajectory import ACTIONS, trajectory
from dragoman.agent.transcript import read_transcripts, transcript_line, write_transcripts
from dragoman.databases import Database
from dragoman.errors import SetupError
from dragoman.statistics import similarity, similarity_matrix
from tests.agent.conftest import make_database
from tests.agent.script import ASKED, call, run

TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r"), max_size=30)
ACTION = st.lists(st.sampled_from(ACTIONS), max_size=8).map(tuple)


def test_there_are_eight_seeds_and_they_are_general(demo: Database) -> None:
    seeds = seed_skills()
    assert len({skill.id for skill in seeds}) == 8
    assert seeds[0].name == "balanced"
    assert [finding for skill in seeds for finding in lint_skill(skill, [demo.schema()])] == []


@given(
    st.from_regex(r"[a-z][a-z0-9_]{0,9}", fullmatch=True),
    TEXTS.map(str.strip).filter(bool),
    TEXTS,
    st.integers(0, 99),
    st.dictionaries(TEXTS, st.floats(0, 1), max_size=3),
)
def test_a_skill_is_read_as_it_was_written(
    name: str, body: str, when: str, version: int, scores: dict[str, float]
) -> None:
    skill = Skill(name, body, when, version, "abc", scores)
    assert parse_skill(skill_text(skill), "here") == skill


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Just a strategy.", "front matter"),
        ("+++\nname = \n+++\nx", "not TOML"),
        ("+++\nname = 'a'\ntools = 1\n+++\nx", "unknown key tools"),
        ("+++\nname = 'a'\n+++\n\n", "no strategy"),
        ("+++\nname = 'A b'\n+++\nx", "lower-case"),
        ("+++\nwhen = 'x'\n+++\nx", "needs a name"),
        ("+++\nname = 'a'\nversion = 'x'\n+++\nx", "whole version"),
        ("+++\nname = 'a'\n[scores]\nspider = 7\n+++\nx", "from 0 to 1"),
    ],
)
def test_what_is_no_skill_is_said_in_one_sentence(text: str, told: str) -> None:
    with pytest.raises(SetupError, match=told):
        parse_skill(text, "here.md")


def test_own_skills_are_found_before_the_seeds_and_by_path(tmp_path: Path) -> None:
    path = new_skill("plain", "Mine.", tmp_path, find_skill("explore"))
    assert find_skill("plain", tmp_path).when == "Mine."
    assert find_skill(str(path)).parent == find_skill("explore").id
    assert read_skills(tmp_path) == (read_skill(path),)
    (tmp_path / "plain_r2.md").write_text(skill_text(Skill("plain", "Second.", version=2)), "utf-8")
    assert find_skill("plain", tmp_path).body == "Second."
    assert find_skill("plain_r2", tmp_path).label == "plain_r2"
    with pytest.raises(SetupError, match="No skill is called nonsense"):
        find_skill("nonsense", tmp_path)
    with pytest.raises(SetupError, match="exists"):
        new_skill("plain", "", tmp_path, find_skill("plain"))
    with pytest.raises(SetupError, match="lower-case"):
        new_skill("../x", "", tmp_path, find_skill("plain"))


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ("x" * (LONGEST + 1), "length"),
        ("Look at customer_id first.", "name"),
        ("Join orders.total with care.", "name"),
        ("See the orderTotals view.", "name"),
        ("Use the cust mst table.", "name"),
        ("Format dates with strftime.", "function"),
        ("Write MYFUNC(x).", "function"),
        ("Filter with QUALIFY.", "function"),
    ],
)
def test_what_ties_a_skill_to_a_database_or_dialect_is_found(body: str, rule: str, tmp_path: Path) -> None:
    database = make_database(tmp_path / "a.sqlite", 'CREATE TABLE "CUST MST" (id INTEGER)')
    assert {finding.rule for finding in lint_skill(Skill("a", body, "when"), [database.schema()])} == {rule}
    database.close()


def test_general_advice_passes_and_a_missing_when_is_found() -> None:
    body = "Count with COUNT(DISTINCT x) where the name of a customer may repeat; call lookup_docs and execute_sql."
    assert lint_skill(Skill("a", body, "when")) == ()
    assert [finding.rule for finding in lint_skill(Skill("a", body))] == ["when"]


def test_actions_are_read_off_the_steps(shop: Database) -> None:
    final = "SELECT country, SUM(amount) FROM customer JOIN orders USING (customer_id) GROUP BY country"
    replies = [
        call("lookup_docs", "customer"),
        call("execute_sql", "SELECT DISTINCT country FROM customer"),
        call("execute_sql", "SELECT country, COUNT(*) FROM customer GROUP BY country"),
        call("execute_sql", "SELECT COUNT(*) FROM orders WHERE amount > 600"),
        "?",
        call("execute_sql", "PRAGMA table_info(orders)"),
        call("get_sql_pattern", "share"),
        call("get_sql_templates", "share"),
        call("execute_sql", final.replace("amount", "amonut")),
        call("execute_sql", final),
        call("review_sql", final),
        "right",
        call("execute_sql", f"{final} ORDER BY 2 DESC"),
        call("submit_final_sql", final),
    ]
    answer, _ = run(shop, replies, AgentLimits(turns=20))
    assert trajectory(answer.steps, "sqlite") == (
        "docs",
        "value_probe",
        "value_probe",
        "intermediate_execute",
        "schema_inspect",
        "pattern",
        "template",
        "draft_execute",
        "repair",
        "review",
        "draft_execute",
        "submit",
    )


@given(ACTION, ACTION, ACTION)
def test_similarity_is_that_of_an_edit_distance(a: tuple[str, ...], b: tuple[str, ...], c: tuple[str, ...]) -> None:
    assert similarity(a, a) == 1
    assert similarity(a, b) == similarity(b, a)
    assert 0 <= similarity(a, b) <= 1
    assert (similarity(a, b) == 1) == (a == b)

    def distance(x: tuple[str, ...], y: tuple[str, ...]) -> float:
        return (1 - similarity(x, y)) * max(len(x), len(y))

    assert distance(a, c) <= distance(a, b) + distance(b, c) + 1e-9
    assert distance(a, b) >= abs(len(a) - len(b)) - 1e-9


def test_the_matrix_averages_over_shared_questions_and_names_near_duplicates() -> None:
    runs = {
        "one": {"q1": ("docs", "submit"), "q2": ("submit",)},
        "two": {"q1": ("docs", "submit"), "q2": ("docs",)},
        "three": {"q1": ("docs", "submit"), "q2": ("submit",), "q3": ("docs",)},
    }
    matrix = similarity_matrix(runs)
    assert matrix[0] == (1.0, 0.5, 1.0)
    assert matrix[1][0] == matrix[0][1]
    assert [finding.skill for finding in near_duplicates(runs)] == ["three"]


def test_transcripts_are_read_as_they_were_written(shop: Database, tmp_path: Path) -> None:
    answer, _ = run(shop, [call("execute_sql", "SELECT 1"), call("submit_final_sql", "SELECT 1")])
    line = transcript_line("plain", ASKED, "sqlite", answer, 2)
    write_transcripts([line], tmp_path / "runs" / "a.jsonl")
    write_transcripts([line], tmp_path / "runs" / "a.jsonl")
    first, second = read_transcripts(tmp_path / "runs" / "a.jsonl")
    assert first == second
    assert (first.skill, first.question, first.sample, first.sql) == ("plain", ASKED, 2, "SELECT 1")
    assert trajectory(first.steps, "sqlite") == trajectory(answer.steps, "sqlite")
    (tmp_path / "bad.jsonl").write_text("{}\n", "utf-8")
    with pytest.raises(SetupError, match="line 1"):
        read_transcripts(tmp_path / "bad.jsonl")
