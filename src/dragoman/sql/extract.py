"""Finds the SQL in whatever a language model replied.

The places are tried in this order: the reply as a whole, a JSON object, fenced blocks, and last the bare text, where
a statement may follow a label, a tag or a backtick. In each place the last complete statement wins. Prose is text and
never SQL, even where it starts with "Select" or "With".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dragoman.sql.reply_json import sql_in_json
from dragoman.sql.statements import (
    early_end,
    first_statement,
    looks_like_query,
    looks_like_write,
    parses,
    query_reach,
    split,
    statement_ends,
    statement_limit,
)
from dragoman.sql.unstuck import unstuck


@dataclass(frozen=True, slots=True)
class Extracted:
    """`sql` is one statement without its semicolon, "" where there is none; `text` is the prose around it.

    `sql` may be a statement that the guard will refuse, or one with a syntax error: those are for others to judge.
    Several statements of which one is not a query stay together, so that the guard refuses them together.
    """

    sql: str
    text: str


_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning|scratchpad)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"\A.*</(?:think|thinking|thought|reasoning|scratchpad)>", re.DOTALL | re.IGNORECASE)
_TEMPLATE = re.compile(r"<\|[a-z_]+\|>|</s>|<s>|<end_of_turn>|<start_of_turn>\w*|\[/?INST\]")
_FENCE = re.compile(
    r"^[ \t>]*(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[\w+#.-]*)[^\S\n]*\n?(?P<body>.*?)(?P<end>(?P=mark)|\Z)",
    re.DOTALL | re.MULTILINE,
)
_INLINE_FENCE = re.compile(r"(?P<mark>`{3,})[ \t]*(?P<info>[\w+#.-]*)\s+(?P<body>.*?)(?P<end>(?P=mark)|\Z)", re.DOTALL)
_CODE = frozenset({"python", "py", "bash", "sh", "shell", "javascript", "js", "java", "text", "txt", "csv", "markdown"})
_COMMENTS = r"(?:--[^\n]*\n\s*+|/\*.*?\*/\s*+){0,20}+"
_WORDS = (
    r"SELECT|WITH|VALUES|EXPLAIN|FROM|TABLE|PIVOT|UNPIVOT|INSERT|UPDATE|DELETE|REPLACE|MERGE|CREATE|ALTER|DROP|TRUNCATE|GRANT|REVOKE"
    r"|ATTACH|DETACH|PRAGMA|COPY|CALL|EXEC|EXECUTE|SET|LOAD|INSTALL|VACUUM|BEGIN|COMMIT|ROLLBACK|DECLARE"
)
_START = re.compile(rf"(?P<before>\A|\n|[:：`>\]);]|\*\*)[ \t>*]*(?P<sql>{_COMMENTS}\(*\s*(?:{_WORDS})\b)", re.I | re.S)
_LABEL = re.compile(
    r"[ \t>*#_]*(?:[\w'’-]+[ \t]+){0,6}?"
    r"[\w'’-]*(?:sql|query|queries|answer|statement|requête|consulta|abfrage|语句|查询)"
    r"[\w'’-]*(?:[ \t]+[\w'’-]+){0,4}[ \t]*(?:\*\*)?[ \t]*[:：](?:\*\*)?\s*\Z",
    re.IGNORECASE,
)


_MARKS = re.compile(r"[`~*;>#.\s]*|</?\w+>")


def extract(reply: str, dialect: str = "sqlite") -> Extracted:
    """The SQL and the prose of a reply. Deterministic; never raises; reads nothing but its arguments."""
    whole = unstuck(reply.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "").strip())
    if looks_like_query(whole) and parses(whole, dialect):
        return Extracted(first_statement(whole, dialect), "")
    text = without_thoughts(whole)
    for find in (_from_whole, _from_json, _from_fences, _from_bare_text):
        found = find(text, dialect)
        if found is not None:
            sql, rest = found
            return Extracted(sql, rest)
    return Extracted("", text)


def without_thoughts(text: str) -> str:
    """The reply without what the model thought aloud and without marks of its chat template."""
    text = _THOUGHT.sub("", unstuck(text))
    text = _THOUGHT_END.sub("", text)
    return _TEMPLATE.sub("", text).strip()


def _from_whole(text: str, dialect: str) -> tuple[str, str] | None:
    if looks_like_query(text) and parses(text, dialect):
        return first_statement(text, dialect), ""
    return None


def _from_json(text: str, dialect: str) -> tuple[str, str] | None:
    body = text
    fence = _FENCE.match(text)
    if fence and fence["info"].lower() in ("json", "json5", "jsonc", ""):
        body = fence["body"].strip()
    if not body.startswith(("{", "[")):
        return None
    sql = sql_in_json(body)
    if sql is None:
        return None
    inner = extract(sql, dialect)
    return (inner.sql, inner.text) if inner.sql else None


def _from_fences(text: str, dialect: str) -> tuple[str, str] | None:
    fences = list(_FENCE.finditer(text)) or list(_INLINE_FENCE.finditer(text))
    blocks = [(fence, block) for fence in fences if (block := _block(fence, dialect))]
    if not blocks:
        return None
    complete = [pair for pair in blocks if parses(pair[1], dialect)]
    closed = [pair for pair in blocks if pair[0]["end"]]
    _, sql = (complete or closed or blocks)[-1]
    rest = text
    for fence in reversed(fences):
        rest = rest[: fence.start()] + "\n" + rest[fence.end() :]
    return sql, _prose(rest)


def _block(fence: re.Match[str], dialect: str) -> str:
    """The statement in one fenced block, "" where the block holds something else."""
    body, info = fence["body"].strip(), fence["info"].lower()
    if info in _CODE:
        return ""
    if info.startswith("json") or body.startswith("{"):
        return sql_in_json(body) or ""
    if re.fullmatch(_WORDS, info, re.IGNORECASE):
        body = f"{fence['info']} {body}"
    statements = split(body, dialect)
    if statements and all(parses(statement, dialect) for statement in statements):
        return statements[-1]
    found = _from_bare_text(body, dialect) if len(statements) < 2 else None
    if found:
        return found[0]
    return body.rstrip("; \n") if _START.match(body) and (info or looks_like_query(body)) else ""


def _from_bare_text(text: str, dialect: str) -> tuple[str, str] | None:
    """The last complete statement in text that may hold prose; else the last one that only SQL can look like."""
    found = list(_statements(text, dialect))
    if not found:
        return None
    complete = [item for item in found if item[2]]
    start, end, _ = (complete or found)[-1]
    if len(found) > 1 and any(looks_like_write(text[s:e]) for s, e, _ in found):
        start, end = found[0][0], found[-1][1]
    return _clean(text[start:end], dialect), _prose(text[:start] + "\n" + text[end:])


def _statements(text: str, dialect: str) -> Iterator[tuple[int, int, bool]]:
    """(start, end, complete) of everything in the text that is a statement, from left to right."""
    position = 0
    while match := _START.search(text, position):
        start = match.start("sql")
        labelled = match.start() == 0 or bool(_LABEL.search(text[max(0, start - 200) : start]))
        end = _end(text, start, match["before"], dialect)
        if end is not None:
            yield start, end, True
            position = end
            continue
        end = early_end(text, start, dialect)
        if looks_like_write(text[start:end]) or looks_like_query(text[start:end], strict=not labelled):
            yield start, end, False
            position = end
        else:
            position = match.end("sql")


def _end(text: str, start: int, before: str, dialect: str) -> int | None:
    """Where the query that starts at `start` is complete, None where none is."""
    reach = query_reach(text, start, statement_limit(text, start, dialect))
    if reach == start:
        return None
    for end in statement_ends(text, start, before, dialect):
        candidate = text[start:end]
        if end <= reach and looks_like_query(candidate) and parses(candidate, dialect):
            return end
    return None


def _clean(sql: str, dialect: str) -> str:
    return first_statement(sql, dialect) if parses(sql, dialect) else sql.strip().rstrip("; \n")


def _prose(text: str) -> str:
    """The text without labels and marks that are left alone on their line."""
    lines = [line.rstrip() for line in text.split("\n")]
    kept = [line for line in lines if not line or not (_MARKS.fullmatch(line) or _LABEL.fullmatch(line))]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()
