"""Whether a query may give another result each time it runs."""

from __future__ import annotations

from sqlglot import exp

from dragoman.errors import Unreadable
from dragoman.sql.parse import parse

_RANDOM = frozenset({"random", "rand", "randomblob", "gen_random_uuid", "uuid", "newid"})


def is_random(sql: str, dialect: str) -> bool:
    """Whether `sql` calls a function that draws at random; False for text that cannot be read."""
    try:
        tree = parse(sql, dialect)
    except Unreadable:
        return False
    names = (str(call.this).lower() for call in tree.find_all(exp.Anonymous))
    return tree.find(exp.Rand, exp.Randn, exp.Uuid) is not None or not _RANDOM.isdisjoint(names)
