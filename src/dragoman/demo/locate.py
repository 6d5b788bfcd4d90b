"""Databases that are made by code, by name."""

from __future__ import annotations

import importlib
from pathlib import Path

MADE = {
    "demo": "dragoman.demo.build:open_demo",
    "warehouse": "dragoman.demo.warehouse.build:open_warehouse",
}
"""Name -> "module:function" that takes a cache folder and gives the path of the database, made on first use."""


def locate(db: str, cache_dir: Path) -> str:
    """The path of the database that `db` names below `cache_dir`; anything else is a path or a URL, as it is.

    Raises `SetupError` where the folder cannot be written, or a package that the database needs is absent.
    """
    if db not in MADE:
        return db
    module, _, function = MADE[db].partition(":")
    return str(getattr(importlib.import_module(module), function)(cache_dir))
