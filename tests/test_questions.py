"""Workloads as JSON Lines, in and out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import SetupError
from dragoman.questions import Example, Question, read_workload, write_workload

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
EXAMPLES = st.builds(
    Example,
    st.builds(Question, TEXT, TEXT, st.text("abc1", min_size=1)),
    TEXT,
    TEXT,
    TEXT,
    st.lists(TEXT, max_size=2).map(tuple),
)


@given(st.lists(EXAMPLES, max_size=4))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, examples: list[Example]) -> None:
    path = tmp_path_factory.mktemp("w") / "workload.jsonl"
    write_workload(examples, path)
    assert list(read_workload(path)) == examples


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b'{"question": "a", "sql": "b"}\n{"question": "a"}\n', "line 2"),
        (b"[1, 2]", "line 1"),
        (b'{"question": "a", ', "line 1"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "w.jsonl"
    path.write_bytes(content)
    with pytest.raises(SetupError, match=sentence):
        read_workload(path)


def test_an_absent_file_and_the_public_field_names(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="Check the path"):
        read_workload(tmp_path / "absent.jsonl")
    path = tmp_path / "w.jsonl"
    path.write_text('\n{"question": "q", "sql": "s", "db_id": "d", "evidence": null}\n')
    example = read_workload(path).examples[0]
    assert (example.database, example.question.evidence, example.question.id) == ("d", "", "2")


def test_a_question_without_sql_has_none(tmp_path: Path) -> None:
    path = tmp_path / "w.jsonl"
    path.write_text('{"question": "q", "sql": null}\n')
    assert [example.sql for example in read_workload(path).examples] == [""]
