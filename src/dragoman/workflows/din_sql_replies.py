"""What DIN-SQL reads in the replies of its first two stages."""

from __future__ import annotations

import json
import re

from dragoman.sql.extract import without_thoughts
from dragoman.workflows.worked_examples import Difficulty

LONGEST_LINKS, MOST_QUESTIONS = 3000, 10
"""Characters of all links together; questions that a query is taken apart into."""
LONGEST = 300
"""Characters of one question."""

_LINKS = re.compile(r"schema[_ ]links\W*?:[\s*`]*\[(.*?)\](?![ \t]*[\w.,=\]])", re.IGNORECASE | re.DOTALL)
_QUESTIONS = re.compile(r"questions\W*?[:=][\s*`]*(\[.*?\])", re.IGNORECASE | re.DOTALL)
_LABELS: tuple[tuple[str, Difficulty], ...] = (
    (r"NON[-_ ]?NESTED", "NON-NESTED"),
    (r"EASY|SIMPLE", "EASY"),
    (r"NESTED", "NESTED"),
)


def read_links(text: str) -> str:
    """What stands in brackets after the last "Schema_links:", on one line; "" if nothing does."""
    found = _LINKS.findall(without_thoughts(text))
    return " ".join(found[-1].split())[:LONGEST_LINKS] if found else ""


def read_label(text: str, anywhere: bool = False) -> Difficulty | None:
    """The difficulty after the last "Label:", or anywhere in the reply; None if it names none.

    NON-NESTED is looked for first, since it holds the word NESTED, then EASY or SIMPLE, then NESTED.
    """
    text = without_thoughts(text)
    start = max((match.end() for match in re.finditer(r"label\W*?:", text, re.IGNORECASE)), default=None)
    if start is None and not anywhere:
        return None
    scope = text[start or 0 :]
    return next((label for pattern, label in _LABELS if re.search(rf"\b(?:{pattern})\b", scope, re.IGNORECASE)), None)


def read_questions(text: str) -> tuple[str, ...]:
    """The sub-questions in the JSON list after the last "Questions:"; () if there is none that can be read."""
    found = _QUESTIONS.findall(without_thoughts(text))
    try:
        questions = json.loads(found[-1], strict=False) if found else []
    except (ValueError, RecursionError):
        return ()
    texts = (" ".join(question.split())[:LONGEST] for question in questions if isinstance(question, str))
    return tuple(text for text in texts if text)[:MOST_QUESTIONS]
