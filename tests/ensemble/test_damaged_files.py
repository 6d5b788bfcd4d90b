"""Files of selectors and calibrations that somebody damaged are refused when they are read, not when they are used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dragoman.ensemble.confidence import (
    NAMES,
    Judged,
    calibration_record,
    fit_confidence,
    read_calibration,
)
from dragoman.ensemble.selector import read_selector, shipped
from dragoman.errors import SetupError

ODD: tuple[Any, ...] = (None, "x", 3, [None], ["a"], [float("nan")], [1e400], [2, 1], [[]], {"a": 1})


@pytest.mark.parametrize("value", [[], *ODD], ids=repr)
@pytest.mark.parametrize("key", ["names", "weights", "scores", "values"])
def test_a_damaged_calibration(tmp_path: Path, key: str, value: Any) -> None:
    selector = read_selector()
    answers = [Judged((float(number % 2),) * len(NAMES), number % 3 == 0, number % 5) for number in range(60)]
    record = calibration_record(fit_confidence(answers, selector, {}))
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps(record))
    assert calibration_record(read_calibration(path, selector)) == record
    path.write_text(json.dumps({**record, key: value}))
    with pytest.raises(SetupError, match="is not a calibration of this version"):
        read_calibration(path, selector)


@pytest.mark.parametrize("value", [*ODD, [[999, 0, 1, 1]], [[-1, 0, 1, 1]], [[0, 0, 1]], [[0, "x", 1, 1]]], ids=repr)
@pytest.mark.parametrize("key", ["features", "trees"])
def test_a_damaged_selector(tmp_path: Path, key: str, value: Any) -> None:
    record = json.loads(shipped())
    (record if key == "features" else record["model"])[key] = value
    if key == "trees" and value == [2, 1]:
        pytest.skip("trees of one leaf")
    path = tmp_path / "selector.json"
    path.write_text(json.dumps(record))
    with pytest.raises(SetupError, match=r"is not a selector of this version|does not measure"):
        read_selector(path)


@pytest.mark.parametrize("text", ["", "[" * 100_000, "\x00", "[]", "3"], ids=["empty", "deep", "nul", "list", "number"])
def test_what_is_no_such_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(text)
    with pytest.raises(SetupError, match="is not a selector"):
        read_selector(path)
    with pytest.raises(SetupError, match="is not a calibration"):
        read_calibration(path, read_selector())
