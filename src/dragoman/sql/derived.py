"""What a FROM item shows of what is below it, renamed by the column list of its alias."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from dragoman.sql.binding import Columns, Origin, Source


def derived(
    alias: exp.Expr | None, name: str, outputs: Columns, more: bool, joined: Sequence[Source] | None = None
) -> Source:
    """A source with the outputs of a query or a table; `joined` are those of a bracketed join, whose names may clash.

    A renamed column has no origins, for its name is not the schema's; `behind` says what it reads.
    """
    renamed = [c.name for c in (alias.args.get("columns") or ())] if isinstance(alias, exp.TableAlias) else []
    behind: dict[str, tuple[Origin, ...]] = {}
    for source in joined or ():
        for key in source.columns:
            behind[key] = (*behind.get(key, ()), *source.read(key))
    if not renamed:
        return Source(name, dict(outputs), more, behind=behind)
    given = list(outputs.items())
    every = tuple(o for _, (_, origins) in given for o in origins) + tuple(o for os in behind.values() for o in os)
    in_order = not more and (joined is None or len(joined) == 1)
    shown: Columns = {}
    read: dict[str, tuple[Origin, ...]] = {}
    for position, new in enumerate(renamed):
        shown[new.lower()] = (new, ())
        exact = in_order and position < len(given)
        read[new.lower()] = (*given[position][1][1], *behind.get(given[position][0], ())) if exact else every
    for key, value in given[len(renamed) :]:
        shown[key] = value
        read[key] = (*read.get(key, ()), *(behind.get(key, ()) if in_order else every))
    return Source(name, shown, more, behind=read)


def joined_columns(sources: Sequence[Source]) -> Columns:
    """The columns of several sources by their folded names; where names clash, the first counts."""
    columns: Columns = {}
    for source in sources:
        for key, value in source.columns.items():
            columns.setdefault(key, value)
    return columns
