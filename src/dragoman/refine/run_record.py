"""The record of a finished run, as it stands in its folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dragoman.errors import SetupError

RUN = "run.json"
_PARTS = frozenset({"made_from", "renamed", "declined", "names", "joint", "spent"})


def read_run(folder: Path) -> dict[str, Any]:
    """What `report.run_record` made of the run in `folder`. Raises `SetupError` where none was finished."""
    try:
        record = json.loads((folder / RUN).read_text("utf-8"))
    except (OSError, ValueError):
        record = None
    if not isinstance(record, dict) or not record.keys() >= _PARTS:
        raise SetupError(f"There is no finished run in {folder}. Run `dragoman refine run --out {folder}`.")
    return record
