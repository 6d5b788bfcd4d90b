"""A result as an Arrow table, for pandas, Polars, Parquet and all that read Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dragoman.databases.database import Rows
from dragoman.databases.values import to_text, unique_names
from dragoman.errors import SetupError


def to_arrow(rows: Rows) -> Any:
    """`rows` as a `pyarrow.Table`; names are kept apart (id, id_2), NULL is null, and no value is rounded.

    A column takes the narrowest Arrow type that holds all of its values exactly. One whose values have no type in
    common (SQLite allows that), or are beyond Arrow's range, becomes text in the form that tables show; such columns
    carry the field metadata `dragoman.text` = "mixed". Whether the result was truncated is in the table's metadata.
    Raises `SetupError` without the extra `arrow`.
    """
    try:
        import pyarrow
    except ImportError:
        raise SetupError("Arrow tables need one more package. Install it with: pip install 'dragoman[arrow]'") from None
    arrays, fields = [], []
    for index, name in enumerate(unique_names(rows.columns)):
        values = [row[index] for row in rows.rows]
        array, metadata = _array(values, pyarrow)
        arrays.append(array)
        fields.append(pyarrow.field(name, array.type, metadata=metadata))
    schema = pyarrow.schema(fields, metadata={"dragoman.truncated": str(rows.truncated).lower()})
    return pyarrow.Table.from_arrays(arrays, schema=schema)


def _array(values: Sequence[Any], pyarrow: Any) -> tuple[Any, dict[str, str] | None]:
    """The values in their own type if that gives the same values back, else as text."""
    try:
        array = pyarrow.array(values, from_pandas=False)
        if _same(values, array.to_pylist()):
            return array, None
    except (pyarrow.ArrowException, ValueError, TypeError, ArithmeticError):
        pass
    texts = [None if value is None else to_text(value) for value in values]
    return pyarrow.array(texts, pyarrow.string()), {"dragoman.text": "mixed"}


def _same(before: Sequence[Any], after: Sequence[Any]) -> bool:
    return all(
        (a == b or (a != a and b != b)) and isinstance(a, bool) == isinstance(b, bool)
        for a, b in zip(before, after, strict=True)
    )
