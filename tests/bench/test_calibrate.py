"""Confidence fitted to a run, and whether it means what it says on other databases."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.bench.accuracy import is_right
from dragoman.bench.calibrate import fit_calibration, held_out_confidence, known
from dragoman.bench.confidence import confidence_section
from dragoman.bench.fit_selector import fit_selector
from dragoman.ensemble.confidence import calibration_record, read_calibration
from dragoman.ensemble.selector import Selector, read_selector
from dragoman.errors import SetupError
from dragoman.statistics import accuracy_at, calibration_error
from dragoman.statistics.boosting import Boosting
from tests.bench.lines import line
from tests.bench.made_pools import made_lines


@pytest.fixture(scope="module")
def selector() -> Selector:
    return fit_selector(made_lines(300, 0), Boosting(rounds=30))


def test_confidence_means_what_it_says_on_databases_not_seen(selector: Selector) -> None:
    lines = made_lines(300, 1)
    confidences = held_out_confidence(lines, selector)
    values, right = [confidences[one.key] for one in lines], [is_right(one) for one in lines]
    assert calibration_error(values, right) < 0.06
    mean = sum(right) / len(right)
    assert accuracy_at(values, right, 0.5) >= (mean + min(1.0, 2 * mean)) / 2


def test_an_answer_without_a_result_has_no_chance(selector: Selector) -> None:
    failed = line("f", "no_answer", sql="", failure="model", slots=())
    lines = [*made_lines(60, 2), failed]
    assert held_out_confidence(lines, selector)[failed.key] == 0.0
    assert {one.id: signals for one, signals in known(lines, selector)}["f"] is None


def test_too_few_answers_fit_nothing(selector: Selector) -> None:
    with pytest.raises(SetupError, match="30 answers"):
        fit_calibration(made_lines(10, 0), selector, {})
    assert held_out_confidence(made_lines(10, 0), selector) == {}


def test_a_calibration_survives_its_file_and_knows_its_selector(tmp_path: Path, selector: Selector) -> None:
    lines = made_lines(100, 3)
    found = fit_calibration(lines, selector, {"questions": 100})
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps(calibration_record(found)))
    assert read_calibration(path, selector) == found
    other = replace(selector, model=replace(selector.model, start=9.0))
    with pytest.raises(SetupError, match="another selector"):
        read_calibration(path, other)
    path.write_text("{}")
    with pytest.raises(SetupError, match="dragoman bench calibrate"):
        read_calibration(path, selector)


def test_the_report_shows_confidence_that_is_fitted_to_other_databases() -> None:
    section = confidence_section(made_lines(80, 4))
    assert section is not None
    titles = [part.title for part in section.parts if not isinstance(part, str)]
    assert "By confidence fitted to other databases" in titles
    assert "Risk against coverage by confidence fitted to other databases" in titles


def test_the_report_fits_nothing_to_databases_that_the_selector_was_trained_on() -> None:
    seen = read_selector().provenance["databases"][0]
    section = confidence_section([replace(one, database=seen) for one in made_lines(80, 4)])
    assert section is not None
    assert not any("fitted" in part.title for part in section.parts if not isinstance(part, str))
