"""x"""

from pathlib import Path


def tables(folder: Path) -> str:
    return ""
