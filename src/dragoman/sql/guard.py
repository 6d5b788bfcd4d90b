"""The first lock of the read-only guard: policy on the text, its tokens and its tree, failing closed.

A query passes where it is one statement, SELECT-shaped, made only of node types that `policy/nodes.txt` lists, calls
only functions that its dialect's file knows to compute and nothing else, and reads only tables of the schema. EXPLAIN
passes where the query does; EXPLAIN ANALYZE does not, for it runs the query without the limits on its rows.
"""

from __future__ import annotations

import re
from dataclasses import replace

from sqlglot import exp

from dragoman.errors import Refused
from dragoman.schema import Schema
from dragoman.sql.access import AccessPolicy
from dragoman.sql.binding import Binding, Bound
from dragoman.sql.calls import Call, calls
from dragoman.sql.parse import Tree, parse_tokens, tokenize
from dragoman.sql.policies import policy
from dragoman.sql.references import did_you_mean, nearest_tables
from dragoman.sql.refuse_ambiguity import refuse_ambiguous_text, refuse_ambiguous_tokens
from dragoman.sql.refuse_attribute_calls import refuse_attribute_calls
from dragoman.sql.refuse_writes import refuse_writes
from dragoman.sql.resolve import resolve

_METHODS = frozenset({"value", "query", "exist", "nodes", "stasText", "stdistance", "tostring"})
_NOT_TABLE = re.compile(r"[/\\:*?]|\.\w+$|^@|^~")


def guard(sql: str, schema: Schema, dialect: str, *, allow: AccessPolicy | None = None, catalogs: bool = False) -> None:
    """Return if `sql` is one query that only reads the data of `schema`; raise `Refused`, with one sentence, if not.

    With an empty schema any plain table name passes. `allow` narrows tables and columns (give the whole schema then)
    and adds functions; `catalogs` lets the system catalogues be read, but not what is secret in them.
    """
    if schema.dialect != dialect:
        schema = replace(schema, dialect=dialect)
    refuse_ambiguous_text(sql, dialect)
    tokens = tokenize(sql, dialect)
    refuse_ambiguous_tokens(tokens, sql, dialect)
    tree = parse_tokens(tokens, sql, dialect)
    if isinstance(tree, exp.Describe):
        if tree.args.get("style"):
            raise Refused("EXPLAIN ANALYZE runs the query; use EXPLAIN alone.")
        tree = tree.this
    refuse_writes(tree, dialect)
    for call in calls(tokens, tree):
        _refuse_call(call, schema, dialect, allow)
    binding = resolve(tree, schema)
    _refuse_tables(tree, binding, schema, allow, catalogs=catalogs)
    if dialect in ("postgres", "redshift"):
        refuse_attribute_calls(tree, binding, schema)
    if allow is not None:
        _refuse_denied(binding, allow)


def _refuse_call(call: Call, schema: Schema, dialect: str, allow: AccessPolicy | None) -> None:
    """Refuse a function that is not known to only compute."""
    rules = policy(dialect)
    if allow is not None and allow.allows_function(call.full_name):
        return
    name = call.name if not call.qualifier or _builtin(call, schema, dialect) else call.full_name
    reason = rules.refusal(name)
    if reason is None:
        return
    if reason:
        raise Refused(f"The function {call.full_name} {reason}; only reading the data is allowed.")
    raise Refused(
        f"The function {call.full_name} is not known to only read; if it does, add it to the allowed functions."
    )


def _builtin(call: Call, schema: Schema, dialect: str) -> bool:
    """Whether the qualifier leaves the function one of the engine's own."""
    if call.qualifier in ("pg_catalog", "safe"):
        return (call.qualifier == "safe") == (dialect == "bigquery")
    if dialect == "duckdb":  # x.f() calls f(x) there
        return call.qualifier not in {table.schema.lower() for table in schema}
    return dialect == "tsql" and call.name in _METHODS


def _refuse_tables(tree: Tree, binding: Binding, schema: Schema, allow: AccessPolicy | None, *, catalogs: bool) -> None:
    """Refuse tables that the schema does not have, unless they are catalogues that were asked for."""
    rules = policy(schema.dialect)
    for table in binding.unknown_tables:
        written = ".".join(part.name for part in table.parts)
        names = [".".join(written.lower().split(".")[-parts:]) for parts in (3, 2, 1)]
        catalogue = next((reason for n in names if (reason := rules.catalogues.reason(n)) is not None), None)
        secret = next((reason for n in names if (reason := rules.secrets.reason(n)) is not None), None)
        if secret is not None:
            raise Refused(f"{written} {secret}; it may not be read.")
        if catalogue is not None:
            if catalogs:
                continue
            raise Refused(f"{written} is not data but {catalogue}; it may not be read.")
        if schema.tables:
            readable = tuple(there for there in schema if allow is None or allow.allows_table(there))
            nearest = nearest_tables(table.name, replace(schema, tables=readable))
            raise Refused(f"There is no table {written} in the schema.{did_you_mean(nearest)}")
        names = [part.name.removesuffix("*") if schema.dialect == "bigquery" else part.name for part in table.parts]
        if not isinstance(table.this, exp.Identifier) or any(_NOT_TABLE.search(name) for name in names):
            raise Refused(f"{written} is not the name of a table.")
    seen = binding.visited
    for node in tree.find_all(exp.Table):
        if id(node) not in seen and node.arg_key != "indexed":  # SQLite's INDEXED BY names an index
            raise Refused(f"{node.name} stands where a table is not expected.")


def _left_out(bound: Bound) -> bool:
    """Whether the name only says what a star leaves out."""
    return bound.column is not None and bound.column.arg_key == "except_"


def _refuse_denied(binding: Binding, allow: AccessPolicy) -> None:
    """Refuse tables and columns that the access policy denies, however they are reached."""
    tables = {key: table for _, table, key in binding.tables}
    for key, table in tables.items():
        if not allow.allows_table(table):
            raise Refused(f"The table {key} may not be read.")
    denied = {
        (key, column.name)
        for key, table in tables.items()
        for column in table.columns
        if not allow.allows_column(table, column)
    }
    if not denied:
        return
    read = {o for bound in binding.names if not _left_out(bound) for o in bound.origins} | set(binding.stars)
    read |= set(binding.reads)
    read |= {origin for merge in binding.merges for origins in merge.common.values() for origin in origins}
    folded = {(key, name.lower()) for key, name in denied}  # two columns may differ in case alone
    for table_name, column_name in sorted(o for o in read if (o[0], o[1].lower()) in folded):
        raise Refused(f"The column {table_name}.{column_name} may not be read.")
    for column, _ in binding.unknown_columns:
        raise Refused(f"The column {column.name} is not known, and some columns may not be read.")
    partly = {key for key, _ in denied}
    for bound in binding.names:
        if any(source.node is not None and source.open and not bound.origins for source in bound.sources):
            raise Refused(f"{bound.node.name} is not known, and some columns may not be read.")
    if any(source.open and not source.columns for _, sources in binding.expansions for source in sources):
        raise Refused(f"The star may stand for columns of {', '.join(sorted(partly))} that may not be read.")
