"""Which columns are seen when not all fit: the most useful for the question first, whatever their table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dragoman.linking.ranking import FullName, Ranking
from dragoman.linking.table_text import Item

UNASKED = 0.2
"""What a column that the question does not speak of is worth, beside one that it does, in the same table."""
JOINING = 0.35
"""What a key is worth that the question does not speak of."""
SHARE_OF_NOTES = 0.15
"""Of the room, for comments on the best columns."""
_SENTENCE_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)\. ")
SHORT_NOTE = 60
"""Characters of a comment that is cut."""
COMMA, NEW_LINE, MORE = 1, 3, 8
"""Tokens that part two columns, that a line of its own takes, and that say how many columns of a table are not seen."""


@dataclass(slots=True)
class Fitted:
    """What is seen: places of items by table, and notes by table and column.

    `order` and `noted` are the items and the columns with notes in the order in which they came in.
    """

    places: dict[FullName, set[int]] = field(default_factory=dict)
    notes: dict[FullName, dict[str, str]] = field(default_factory=dict)
    order: list[tuple[FullName, int]] = field(default_factory=list)
    noted: list[tuple[FullName, str]] = field(default_factory=list)

    def drop_last(self, share: float) -> None:
        """Take back half of the notes, or where there are none the least useful `share` of the items, at least one."""
        if self.noted:
            for _ in range((len(self.noted) + 1) // 2):
                name, column = self.noted.pop()
                del self.notes[name][column]
            return
        for _ in range(max(1, int(len(self.order) * share))):
            name, place = self.order.pop()
            self.places[name].discard(place)
            if not self.places[name]:
                del self.places[name]


def fit_columns(
    items: Mapping[FullName, Sequence[Item]],
    headings: Mapping[FullName, str],
    notes: Mapping[FullName, Mapping[str, str]],
    ranking: Ranking,
    room: int,
    count: Callable[[str], int],
) -> Fitted:
    """The items that fit into `room` (tokens by `count`), and short notes on the best of them in a share of it."""
    fitted = Fitted()
    noted = any(notes.values())
    room_for_columns = room * (1 - SHARE_OF_NOTES) if noted else room
    spent: float = 0
    cost_of = _remembering(count)
    for name, place in _most_useful_first(items, ranking):
        item = items[name][place]
        taken = fitted.places.get(name, set())
        follows = item.run and place - 1 in taken and items[name][place - 1].run == item.run
        cost = 0 if follows else cost_of(item.text) + COMMA
        if not taken:
            cost += cost_of(headings[name]) + MORE
        if spent + cost <= room_for_columns:
            spent += cost
            fitted.places.setdefault(name, set()).add(place)
            fitted.order.append((name, place))
    for name, place in fitted.order:
        column = items[name][place].column
        note = shortened(notes[name].get(column, ""))
        if note and column not in fitted.notes.get(name, {}):
            cost = cost_of(note) + NEW_LINE
            if spent + cost > room:
                break
            spent += cost
            fitted.notes.setdefault(name, {})[column] = note
            fitted.noted.append((name, column))
    return fitted


def shortened(note: str) -> str:
    """The first sentence of a note, or its beginning."""
    first = _SENTENCE_END.split(note, maxsplit=1)[0]
    if len(first) <= SHORT_NOTE:
        return first
    return first[:SHORT_NOTE].rsplit(" ", 1)[0].rstrip(",;:. ") + "..."


def _most_useful_first(items: Mapping[FullName, Sequence[Item]], ranking: Ranking) -> Iterable[tuple[FullName, int]]:
    worth: list[tuple[float, int, FullName, int]] = []
    for name, found in items.items():
        of_table = ranking.tables.get(name, 0.0)
        for place, item in enumerate(found):
            least = JOINING if item.key else UNASKED
            of_column = least + (1 - least) * ranking.columns.get((name, item.path), 0.0)
            worth.append((of_table * of_column, len(worth), name, place))
    worth.sort(key=lambda entry: (-entry[0], entry[1]))
    return ((name, place) for _, _, name, place in worth)


def _remembering(count: Callable[[str], int]) -> Callable[[str], int]:
    known: dict[str, int] = {}

    def cost(text: str) -> int:
        if text not in known:
            known[text] = count(text)
        return known[text]

    return cost
