"""Comments that people write into CREATE TABLE, for engines that store the DDL text and no comments of their own."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""--(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/|(?P<quoted>"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])"""
    r"""|(?P<text>'(?:[^']|'')*')|(?P<word>\w+)|(?P<mark>[(),])|(?P<newline>\n)""",
    re.DOTALL,
)
_CONSTRAINTS = frozenset({"primary", "foreign", "unique", "check", "constraint"})


def column_comments(ddl: str) -> tuple[str, dict[str, str]]:
    """(comment of the table, {column in lower case: comment}).

    A comment belongs to the column whose definition it follows on the same line or stands within; one before the
    first column belongs to the table.
    """
    table: list[str] = []
    comments: dict[str, list[str]] = {}
    depth, column, previous, expect = 0, "", "", False
    for token in _TOKEN.finditer(ddl):
        kind, text = token.lastgroup, token.group()
        if kind in ("line", "block"):
            said = (token["line"] or token["block"] or "").strip()
            owner = column or previous
            (comments.setdefault(owner.lower(), []) if owner else table).append(said)
        elif kind == "mark":
            depth += (text == "(") - (text == ")")
            if depth == 1 and text in "(,":
                previous, column, expect = column, "", True
        elif kind == "newline":
            previous = "" if not column and not expect else previous
        elif expect and kind in ("word", "quoted"):
            name = _bare(text)
            column, previous, expect = ("" if text.lower() in _CONSTRAINTS else name), "", False
    return " ".join(table), {name: " ".join(filter(None, said)) for name, said in comments.items() if any(said)}


def _bare(text: str) -> str:
    mark = text[0]
    if mark in '"`':
        return text[1:-1].replace(mark * 2, mark)
    return text[1:-1] if mark == "[" else text
