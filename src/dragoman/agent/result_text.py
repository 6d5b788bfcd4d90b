"""A result as text for a model."""

from __future__ import annotations

from typing import Any

from dragoman.databases import Rows

LONGEST_NAME = 60
"""Characters of a column's name; expressions without an alias are their own name."""


def result_text(rows: Rows, most_rows: int, most_cell: int, most: int) -> tuple[str, int]:
    """(text, rows shown): a line of column names, then one line a row, cells between bars.

    At most `most_rows` lines and about `most` characters; cells are cut at `most_cell` characters and say so.
    """
    names = [name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}..." for name in rows.columns]
    lines = [" | ".join(names)[:most]]
    size = len(lines[0])
    for row in rows.rows[:most_rows]:
        line = " | ".join(cell_text(cell, most_cell) for cell in row)
        size += len(line) + 1
        if size > most and len(lines) > 1:
            break
        lines.append(line[:most])
    return "\n".join(lines), len(lines) - 1


def cell_text(cell: Any, most: int) -> str:
    """The cell on one line. NULL is bare; text that could be taken for something else is in quotes."""
    if cell is None:
        return "NULL"
    if isinstance(cell, (bytes, bytearray, memoryview)):
        data = bytes(cell)
        return f"x'{data[:16].hex()}'" + (f"... ({len(data):,} bytes)" if len(data) > 16 else "")
    text = str(cell)
    if isinstance(cell, str) and (text != text.strip() or text in ("", "NULL") or _is_number(text)):
        text = f"'{text}'"
    text = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    return text if len(text) <= most else f"{text[:most]}... ({len(text):,} characters)"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
