"""Tells statements from prose, and finds where a statement ends in text that goes on after it.

None of this decides what may run; the guard does. It decides what is SQL at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise

from sqlglot.tokenizer_core import Token, TokenType

from dragoman.errors import Unreadable
from dragoman.sql.explain import explain
from dragoman.sql.parse import parse, tokenize

_QUOTED = r"\"(?:[^\"]|\"\")*\"|`[^`\n]*`|\[[^\]\n]*\]|--[^\n]*|/\*.*?\*/"
_OPAQUE = re.compile(r"'(?:[^']|'')*'|" + _QUOTED, re.DOTALL)
_OPAQUE_BACKSLASH = re.compile(r"'(?:[^'\\]|\\.|'')*'|" + _QUOTED, re.DOTALL)
_BACKSLASH = frozenset({"mysql", "bigquery", "snowflake", "clickhouse", "databricks", "spark", "hive"})
_PROSE_WORDS = re.compile(r"(?<![.\w])(?:the|an|that|which|your|these|those|please|you)(?![.\w])", re.IGNORECASE)
_OPAQUE_OR_PROSE = re.compile(f"{_OPAQUE.pattern}|(?P<prose>(?i:{_PROSE_WORDS.pattern}))", re.DOTALL)
_NAME = r"(?:[^\W\d]\w*|\"[^\"]+\"|`[^`]+`|\[[^\]]+\])"
_CTE = rf"WITH\s+(?:RECURSIVE\s+)?{_NAME}\s*(?:\([^()]*\)\s*)?AS\s*(?:(?:NOT\s+)?MATERIALIZED\s*)?\("
_QUERY = re.compile(
    rf"\(*\s*(?:SELECT\b(?P<select>.*)|{_CTE}|VALUES\s*\(|EXPLAIN\b.*?\b(?:SELECT|WITH)\b|FROM\s+\S+.*\bSELECT\b"
    r"|(?:UN)?PIVOT\s+\S+.*\bON\b)",
    re.IGNORECASE | re.DOTALL,
)
_CONSTANT = re.compile(r"[\d'\"(*@`]|\b(?:null|true|false|current_\w+)\b", re.IGNORECASE)
_OBJECT = (
    r"(?:TABLE|VIEW|INDEX|SCHEMA|DATABASE|FUNCTION|PROCEDURE|TRIGGER|SEQUENCE|USER|ROLE|EXTENSION|MATERIALIZED|TYPE)"
)
_WRITE = re.compile(
    rf"""(?:INSERT\s+(?:OR\s+\w+\s+|IGNORE\s+)?INTO\b | REPLACE\s+INTO\b | MERGE\s+INTO\b
    | UPDATE\s+\S+(?:\s+\w+)?\s+SET\b | DELETE\s+FROM\b | TRUNCATE\s+(?:TABLE\s+)?\w
    | (?:CREATE|ALTER|DROP)\s+(?:OR\s+REPLACE\s+)?(?:\w+\s+)?{_OBJECT}\b | (?:GRANT|REVOKE)\s+.+\bON\b
    | (?:ATTACH|DETACH)\s+(?:DATABASE\s+)?['"\w] | PRAGMA\s+\w+ | COPY\s+\S+\s+(?:FROM|TO)\b | COPY\s*\(
    | CALL\s+[\w.]+\s*\( | EXEC(?:UTE)?\s+[\w.]+ | SET\s+[@\w.]+\s*(?:=|TO\b) | (?:LOAD|INSTALL)\s+['"\w]
    | (?:VACUUM|BEGIN|COMMIT|ROLLBACK)\s*(?:;|\Z) | DECLARE\s+@?\w+
    | {_CTE}.*\)\s*(?:INSERT|UPDATE|DELETE|MERGE)\b)""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_GOES_ON = re.compile(
    r"\s*(?:[,)(=>+/|%.]|<(?!/?[a-z])|\*(?!\*)|-(?!\s)|(?:FROM|WHERE|GROUP|ORDER|HAVING|LIMIT|OFFSET|FETCH|UNION|INTERSECT|EXCEPT|MINUS|JOIN|LEFT"
    r"|RIGHT|FULL|INNER|OUTER|CROSS|NATURAL|LATERAL|ASOF|ON|USING|AND|OR|NOT|IN|IS|AS|LIKE|ILIKE|BETWEEN|WHEN|THEN|ELSE"
    r"|END|WINDOW|QUALIFY|OVER|PARTITION|SELECT|WITH|VALUES|FOR|DESC|ASC|NULLS|PIVOT|UNPIVOT|TABLESAMPLE|COLLATE)\b)",
    re.IGNORECASE,
)
_PROSE_LINE = re.compile(r"\s*(?:[#*>~`<]|\d+[.)]\s|[A-Z][a-z’']|(?:I|A)\s+[a-z]|[^\x00-\x7f])")
_SENTENCE = re.compile(r"\.(?=\s{1,3}[A-Z\W]|\s*\Z)|(?=</\w)|(?=\s{0,2}\*\*)")
_PLAIN_GAPS = re.compile(r"[\w\s.,()*=<>+]*", re.ASCII)
"""Text in which no comment can start."""
_WIDE_SPACE = re.compile(r"[^\S\x00-\x7f]")
_LINE_END = re.compile(r"\n")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_MAX_CUTS = 300
_HEAD = 500
_FAR = re.compile(r"\(*\s*(?:FROM|EXPLAIN|(?:UN)?PIVOT)\b|WITH\s+\S+\s*\([^()]*\Z", re.IGNORECASE)
"""Starts of which only what comes much later tells whether they are a query."""


def looks_like_query(text: str, *, strict: bool = False) -> bool:
    """Whether text starts like a query and does not read like a sentence. Cheap; says nothing about its syntax.

    `strict` is for text that may well be prose: then SELECT must have a FROM, and a keyword in capitals.
    """
    bare = _OPAQUE.sub(lambda m: " " if m[0].startswith(("--", "/*")) else '""', text).strip()
    match = _QUERY.match(bare)
    if not match or _PROSE_WORDS.search(bare):
        return False
    select = match["select"]
    if select is None:
        return not strict or bare.lstrip("( ")[:2].isupper() or "(" in bare
    has_from = re.search(r"\bFROM\b", select, re.IGNORECASE)
    if strict:
        return bool(re.search(r"\bFROM\b", select)) and bare.lstrip("( ").startswith("SELECT")
    titled = bare.lstrip("( ").startswith("Select")
    return bool(has_from or (_CONSTANT.search(select) and not titled))


def query_reach(text: str, start: int, limit: int) -> int:
    """The offset beyond which nothing that starts at `start` looks like a query; `start` where nothing does at all.

    Tells in one pass what `looks_like_query` would tell of each end.
    """
    words = (found.start() for found in _OPAQUE_OR_PROSE.finditer(text, start, limit) if found["prose"])
    reach = next(words, limit)
    for end in (min(reach, start + _HEAD), reach):  # most starts are told by their first words
        bare = _OPAQUE.sub(lambda m: " " if m[0].startswith(("--", "/*")) else '""', text[start:end]).strip()
        if _QUERY.match(bare):
            return reach
        if bare and not _FAR.match(bare):
            break
    return start


def looks_like_write(text: str) -> bool:
    """Whether text starts like a statement that is not a query (INSERT, DROP TABLE, SET x = ..)."""
    bare = _OPAQUE.sub(lambda m: " " if m[0].startswith(("--", "/*")) else m[0], text).strip()
    return bool(_WRITE.match(bare)) and not _PROSE_WORDS.search(_OPAQUE.sub('""', bare[:200]))


def first_statement(sql: str, dialect: str) -> str:
    """The one statement in `sql` as it was written, without comments, semicolons and spaces around it.

    Between two tokens nothing but white space is left, so that no engine can read as SQL what the parser took for a
    comment; spaces that are not ASCII become plain ones.
    """
    tokens = tokenize(sql, dialect)
    explained = explain(sql)
    text = sql[tokens[0].start : tokens[-1].end + 1]
    if _PLAIN_GAPS.fullmatch(text) is None:
        pieces = _pieces(sql, tokens)
        text = "".join(_white(piece) if gap % 2 else piece for gap, piece in enumerate(pieces))
    return (" ".join(sql[explained.start : tokens[0].start].split()) + " " if explained else "") + text


def split(sql: str, dialect: str) -> list[str]:
    """The statements of a text that holds nothing else, each as written; empty where it cannot be tokenized."""
    try:
        tokens = tokenize(sql, dialect, several=True)
    except Unreadable:
        return []
    groups: list[list[Token]] = [[]]
    for token in tokens:
        if token.token_type == TokenType.SEMICOLON:
            groups.append([])
        else:
            groups[-1].append(token)
    return [_written(sql, group) for group in groups if group]


def _written(sql: str, tokens: list[Token]) -> str:
    text = sql[tokens[0].start : tokens[-1].end + 1]
    if text.isascii():
        return text
    pieces = _pieces(sql, tokens)
    return "".join(_WIDE_SPACE.sub(" ", piece) if gap % 2 else piece for gap, piece in enumerate(pieces))


def _pieces(sql: str, tokens: list[Token]) -> list[str]:
    """Tokens as they are written and the gaps between them, in turn."""
    edges = [edge for token in tokens for edge in (token.start, token.end + 1)]
    return [sql[a:b] for a, b in pairwise(edges)]


def _white(gap: str) -> str:
    if gap.strip(" \t\r\n"):
        return "\n" if "\n" in gap else " "
    return gap


def statement_limit(text: str, start: int, dialect: str) -> int:
    """The offset of the first semicolon after `start` that is outside strings and comments, else the text's end."""
    pattern = _OPAQUE_BACKSLASH if dialect in _BACKSLASH else _OPAQUE
    position = start
    while True:
        semicolon = text.find(";", position)
        if semicolon < 0:
            return len(text)
        opaque = pattern.search(text, position)
        if opaque is None or opaque.start() > semicolon:
            return semicolon
        position = opaque.end()


def statement_ends(text: str, start: int, before: str, dialect: str) -> Iterator[int]:
    """Offsets at which the query that starts at `start` may end, the likeliest first; `before` is what precedes it.

    Never cuts where a mistyped keyword could begin a line: what follows a cut is blank or reads like prose.
    """
    limit = statement_limit(text, start, dialect)
    if before.endswith("`"):
        yield from (start + m.start() for m in re.finditer("`", text[start:limit]))
    yield limit
    lines = [match.start() for match in islice(_LINE_END.finditer(text, start, limit), _MAX_CUTS)]
    for end in lines:
        blank = _BLANK_LINE.match(text, end, limit)
        if _GOES_ON.match(text, end, limit) or not (blank or _PROSE_LINE.match(text, end, limit)):
            continue
        yield end
        yield from _sentence_ends(text, text.rfind("\n", start, end) + 1 or start, end)
    first_line = lines[0] if lines else limit
    yield from _sentence_ends(text, start, first_line)


def early_end(text: str, start: int, dialect: str) -> int:
    """Where a statement with a syntax error is taken to end: a semicolon, a fence, or a blank line before prose."""
    limit = statement_limit(text, start, dialect)
    for match in re.finditer(r"\n[^\S\n]*\n|\n\s*(?:```|~~~)", text[start:limit]):
        if not _GOES_ON.match(text[start + match.end() : limit]):
            return start + match.start()
    return limit


def parses(sql: str, dialect: str) -> bool:
    """Whether `sql` is exactly one query that can be read."""
    try:
        parse(sql, dialect)
    except Unreadable:
        return False
    return True


def _sentence_ends(text: str, line: int, end: int) -> Iterator[int]:
    yield from (line + m.start() for m in _SENTENCE.finditer(text[line:end]) if m.start() > 0)
