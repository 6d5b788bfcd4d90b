"""Data that is not part of the project; tests that use it skip when it is absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def shared_data(*parts: str) -> Path:
    """The path below the shared folder (`DRAGOMAN_SHARED`, else `../shared` beside the checkout), or a skip."""
    root = Path(os.environ.get("DRAGOMAN_SHARED") or Path(__file__).resolve().parents[2] / "shared")
    path = root.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{'/'.join(parts)} is absent; set DRAGOMAN_SHARED to the folder that holds it")
    return path
