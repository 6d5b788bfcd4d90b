"""Examples of the user's workload as templates: their form is kept, their names and values are masked.

Nothing of an evaluation database may stand in a prompt, so whoever makes templates says which databases are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from dragoman.agent.words import best_passages, plain_words
from dragoman.errors import Unreadable
from dragoman.questions import Example
from dragoman.sql.masked import Masked, masked
from dragoman.sql.shape import Shape, shape

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|`[^`]*`|(?<!\w)'[^']*'(?!\w)")
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:[-'’_][^\W\d_]+)*")

_FORMS: tuple[tuple[str, Callable[[Shape], bool]], ...] = (
    ("ranking top limit", lambda s: s.ordered and s.limited),
    ("sorted list", lambda s: s.ordered and not s.limited),
    ("per group", lambda s: s.groups > 0),
    ("single aggregate", lambda s: s.aggregates > 0 and s.groups == 0),
    ("comparison subquery", lambda s: s.subquery),
    ("set operation", lambda s: s.set_operation),
    ("window", lambda s: s.window),
    ("distinct", lambda s: s.distinct),
    ("join", lambda s: s.tables > 1),
    ("filter", lambda s: s.filters > 0),
)


@dataclass(frozen=True, slots=True)
class Template:
    """One masked example. `forms` name the kind of query; nothing else of the example is kept."""

    question: str
    sql: str
    forms: tuple[str, ...]


def make_templates(
    examples: Iterable[Example], dialect: str, leave_out: Collection[str] = frozenset()
) -> tuple[Template, ...]:
    """Templates of the examples whose database is not in `leave_out`, one for each masked query, in order.

    Examples without a query, and those whose query cannot be read in `dialect`, are passed over.
    """
    found: dict[str, Template] = {}
    for example in examples:
        if example.sql and example.database not in leave_out:
            try:
                query, kind = masked(example.sql, dialect), shape(example.sql, dialect)
            except Unreadable:
                continue
            forms = tuple(name for name, holds in _FORMS if holds(kind))
            found.setdefault(query.sql, Template(mask_question(example.question.text, query), query.sql, forms))
    return tuple(found.values())


def find_templates(query: str, templates: tuple[Template, ...], most: int) -> list[Template]:
    """The templates whose form and masked question fit the words of a query, best first."""
    texts = [f"{' '.join(t.forms)} {' '.join(t.forms)} {t.question}" for t in templates]
    return [templates[i] for i in best_passages(query, texts, most)]


def mask_question(text: str, query: Masked) -> str:
    """The question with [value], [number] and [name] for what its query names, and for what looks like a name."""
    text = _NUMBER.sub("[number]", _QUOTED.sub("[value]", text))
    names = {word for name in query.names for word in plain_words(name)}
    values = {word for value in query.values for word in plain_words(value)}

    def replaced(match: re.Match[str]) -> str:
        parts = plain_words(match[0])
        first = not text[: match.start()].strip(" \n¿¡")
        if match[0] in ("value", "number", "name") and text[match.start() - 1 : match.start()] == "[":
            return match[0]
        if values.intersection(parts) or (match[0][:1].isupper() and not first):
            return "[value]"
        return "[name]" if names.intersection(parts) else match[0]

    return re.sub(r"(\[\w+\])(?: \1)+", r"\1", _WORD.sub(replaced, text))
