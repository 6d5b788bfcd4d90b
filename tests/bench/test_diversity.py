from __future__ import annotations

from dataclasses import replace

import pytest

from dragoman.bench.diversity import diversity, diversity_section
from dragoman.bench.line import Line, Slot, line_record, read_line
from dragoman.report import Report, html_page, markdown


def line(id: str, *trajectories: tuple[str, ...], repeat: int = 0, sources: tuple[str, ...] = ()) -> Line:
    names = sources or tuple(f"skill{n}" for n in range(len(trajectories)))
    slots = [Slot("SELECT 1", "correct", s, actions=t) for s, t in zip(names, trajectories, strict=True)]
    return Line(id, repeat, "shop", "sqlite", "", "?", "SELECT 1", "SELECT 1", "correct", slots=tuple(slots))


FAST, SLOW = ("draft_execute", "submit"), ("schema_inspect", "value_probe", "draft_execute", "submit")


def test_agents_are_the_places_of_the_pool() -> None:
    found = diversity([line("a", FAST, SLOW), line("b", FAST, FAST)])
    assert found is not None
    assert list(found.runs) == ["skill0", "skill1"]
    assert found.matrix == ((1.0, 0.75), (0.75, 1.0))
    assert found.pairs == (0.5, 1.0)
    assert (found.mean, found.histogram) == (0.75, (0, 0, 0, 0, 0, 1, 0, 0, 0, 1))


def test_one_agent_is_compared_with_itself_over_repeats() -> None:
    found = diversity([line("a", FAST), line("a", SLOW, repeat=1), line("a", SLOW, repeat=2)])
    assert found is not None
    assert list(found.runs) == ["repeat 1", "repeat 2", "repeat 3"]
    assert sorted(found.pairs) == [0.5, 0.5, 1.0]


def test_agents_of_one_skill_are_numbered_and_those_that_failed_left_out() -> None:
    found = diversity([line("a", FAST, SLOW, (), sources=("plain", "plain", "plain"))])
    assert found is not None
    assert list(found.runs) == ["plain 1", "plain 2"]


def test_there_is_none_without_two_agents() -> None:
    assert diversity([]) is None
    assert diversity([line("a", FAST)]) is None
    assert diversity_section([line("a", (), ())]) is None


def test_the_section_reads_as_html_and_markdown() -> None:
    section = diversity_section([line("a", FAST, SLOW)])
    assert section is not None
    page = Report("Run", "", (section,))
    for text in (html_page(page), markdown(page)):
        assert "0.50 alike on average" in text
        assert "Likeness of two agents" in text
        assert "value probe" in text
        assert "0.5 to 0.6" in text


@pytest.mark.parametrize("actions", [(), FAST])
def test_a_line_is_read_as_it_was_written(actions: tuple[str, ...]) -> None:
    written = replace(line("a", actions))
    assert read_line(line_record(written)) == written
    old = line_record(written)
    for slot in old["slots"]:
        slot.pop("actions")
    assert read_line(old).slots[0].actions == ()
