"""The paths to what stands in a column: the column itself, or every field below it that has no fields of its own."""

from __future__ import annotations

from collections.abc import Iterator

from dragoman.schema import Column


def column_paths(column: Column) -> Iterator[tuple[str, str]]:
    """(path, type), as in ("hits[].page.title", "STRING"); `[]` stands for the elements of an array."""
    if not column.nested:
        yield column.name, column.type
        return
    inner = [(f"{column.name}{'' if path.startswith('[]') else '.'}{path}", type_) for path, type_ in column.nested]
    for position, (path, type_) in enumerate(inner):
        following = inner[position + 1][0] if position + 1 < len(inner) else ""
        if not following.startswith((f"{path}.", f"{path}[]")):
            yield path, type_
