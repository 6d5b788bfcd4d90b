"""Where Dragoman keeps what it can fetch or compute again."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """The cache folder, which may not exist yet: DRAGOMAN_CACHE, else the platform's own place for caches."""
    chosen = os.environ.get("DRAGOMAN_CACHE")
    if chosen:
        return Path(chosen).expanduser().absolute()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "dragoman" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "dragoman"
    xdg = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(xdg) if os.path.isabs(xdg) else Path.home() / ".cache") / "dragoman"
