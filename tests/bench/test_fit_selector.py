"""A selector trained on runs, and measured on databases that it has not seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dragoman.bench.fit_selector import Selected, by_fold, choices, fit_selector, folds
from dragoman.bench.line import Slot
from dragoman.ensemble.selector import read_selector, selector_record
from dragoman.errors import SetupError
from dragoman.statistics.boosting import Boosting
from tests.bench.lines import line
from tests.bench.made_pools import made_lines

HOW = Boosting(rounds=30)


def right(found: list[Selected], way: str) -> float:
    return sum(getattr(one, way) for one in found) / len(found)


def test_what_can_be_learned_is_learned_and_holds_on_other_databases() -> None:
    found = list(choices(made_lines(300, 1), fit_selector(made_lines(300, 0), HOW)))
    assert right(found, "vote") + 0.1 < right(found, "learned") <= right(found, "oracle")
    assert right(found, "vote") == right(found, "run")


def test_folds_share_no_database_and_hold_every_line_out_once() -> None:
    lines = made_lines(100, 0, databases=7)
    parts = list(folds(lines))
    assert sorted(one.id for _, held in parts for one in held) == sorted(one.id for one in lines)
    for rest, held in parts:
        assert not {one.database for one in rest} & {one.database for one in held}
    alone = list(folds(made_lines(20, 0, databases=1)))
    assert [len(held) for _, held in alone] == [4] * 5
    assert list(folds([line("q")])) == []


def test_every_line_is_chosen_for_by_a_selector_that_has_not_seen_its_database() -> None:
    lines = made_lines(60, 0)
    seen: list[set[str]] = []

    def fit(rest):  # type: ignore[no-untyped-def]
        seen.append({one.database for one in rest})
        return fit_selector(rest, HOW)

    found = list(by_fold(lines, fit))
    assert len(found) == 60
    assert all(len(databases) < 12 for databases in seen)


def test_a_selector_survives_its_file(tmp_path: Path) -> None:
    selector = fit_selector(made_lines(100, 0), HOW, {"questions": 100})
    path = tmp_path / "selector.json"
    path.write_text(json.dumps(selector_record(selector)))
    again = read_selector(path)
    assert again.provenance == {"questions": 100}
    held = made_lines(30, 1)
    assert [c.learned for c in choices(held, again)] == [c.learned for c in choices(held, selector)]


@pytest.mark.parametrize("text", ["", "{}", '{"kind": "dragoman selector 1"}', '{"kind": "other"}', "[1]"])
def test_another_file_is_no_selector(tmp_path: Path, text: str) -> None:
    (tmp_path / "s.json").write_text(text)
    with pytest.raises(SetupError, match="dragoman bench selector"):
        read_selector(tmp_path / "s.json")


def test_a_selector_of_features_that_are_not_measured_is_told(tmp_path: Path) -> None:
    record = selector_record(fit_selector(made_lines(100, 0), HOW))
    (tmp_path / "s.json").write_text(json.dumps({**record, "features": ["phase of the moon"]}))
    with pytest.raises(SetupError, match="phase of the moon"):
        read_selector(tmp_path / "s.json")
    with pytest.raises(SetupError, match="--candidates"):
        fit_selector([line("q")])
    with pytest.raises(SetupError, match="several candidates"):
        fit_selector([line("q", slots=(Slot("SELECT 1", "correct", rows=1),))])


def test_the_selector_that_comes_along_can_be_read_and_says_where_it_is_from() -> None:
    shipped = read_selector()
    assert shipped.provenance["databases"]
    assert all("train" in run["dataset"] for run in shipped.provenance["runs"])
