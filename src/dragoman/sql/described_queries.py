"""All queries of a reply that holds several, each with what is said of it in a comment before it."""

from __future__ import annotations

import re
from typing import NamedTuple

from dragoman.sql.extract import extract, without_thoughts
from dragoman.sql.statements import split

_BLOCK = re.compile(
    r"^[ \t>]*(?P<mark>`{3,}|~{3,})[^\n]*\n(?P<body>.*?)(?:^[ \t>]*(?P=mark)|\Z)", re.DOTALL | re.MULTILINE
)
_COMMENT = re.compile(r"--[ \t]*(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/", re.DOTALL)
_LABEL = re.compile(r"\A(?:description|purpose|query \d+|step \d+|\d+)\s*[:.)]\s*", re.IGNORECASE)


class DescribedQuery(NamedTuple):
    """One statement without its semicolon, and the comment before it on one line, "" if there is none."""

    sql: str
    about: str


def described_queries(reply: str, dialect: str) -> tuple[DescribedQuery, ...]:
    """The statements in the fenced blocks of a reply, in order and once; without a block, the one that it holds.

    What cannot be read as tokens is left out, everything else is for the guard and the engine to judge.
    """
    text = without_thoughts(reply.replace("\r\n", "\n"))
    blocks = [match["body"] for match in _BLOCK.finditer(text)]
    found = [query for block in blocks for query in _of_block(block, dialect)]
    if not found and (alone := extract(text, dialect).sql):
        found = [DescribedQuery(alone, "")]
    return tuple({query.sql: query for query in reversed(found)}.values())[::-1]


def _of_block(block: str, dialect: str) -> list[DescribedQuery]:
    found: list[DescribedQuery] = []
    position = 0
    for sql in split(block, dialect):
        start = block.find(sql, position)
        before = block[position:start] if start >= 0 else ""
        position = start + len(sql) if start >= 0 else position
        found.append(DescribedQuery(sql, _said(before)))
    return found


def _said(comments: str) -> str:
    lines = (match["line"] or match["block"] or "" for match in _COMMENT.finditer(comments))
    return _LABEL.sub("", " ".join(" ".join(lines).split()))
