"""The first word of a statement, for engines whose protocol takes one statement at a time."""

from __future__ import annotations

import re

_SKIPPED = re.compile(r"(?:\s+|--[^\n]*(?:\n|$)|\()+")


def first_word(sql: str, nested_comments: bool = True) -> str:
    """The first keyword in upper case, after white space, comments and opening parentheses; "" if there is none.

    Block comments nest in PostgreSQL and not in MariaDB. An executable comment (`/*!`, `/*M!`) is not skipped: its
    content runs.
    """
    position = 0
    while position < len(sql):
        skipped = _SKIPPED.match(sql, position)
        if skipped:
            position = skipped.end()
        elif sql.startswith("/*", position) and not re.match(r"/\*M?!", sql[position : position + 4]):
            position = _end_of_comment(sql, position, nested_comments)
        else:
            break
    word = re.match(r"[A-Za-z]+", sql[position:])
    return word[0].upper() if word else ""


def _end_of_comment(sql: str, position: int, nested: bool) -> int:
    if not nested:
        end = sql.find("*/", position + 2)
        return len(sql) if end < 0 else end + 2
    depth = 0
    for match in re.compile(r"/\*|\*/").finditer(sql, position):
        depth += 1 if match[0] == "/*" else -1
        if depth == 0:
            return match.end()
    return len(sql)
