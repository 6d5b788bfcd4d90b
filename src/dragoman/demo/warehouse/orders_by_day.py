"""The orders of the web shop in 2024 with their lines."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dragoman.demo.warehouse.draw import Row

WEB = "W"


@dataclass(frozen=True, slots=True)
class Bought:
    """An order: its row and those of its lines."""

    header: Row
    lines: Sequence[Row]

    @property
    def cents(self) -> int:
        """What the goods cost, before discounts."""
        return int(sum(100 * line["qty"] * line["unt_prc"] for line in self.lines))


def orders_by_day(tables: Mapping[str, Sequence[Row]]) -> Mapping[datetime.date, list[Bought]]:
    """Those that have lines, by the day they were placed."""
    lines: defaultdict[int, list[Row]] = defaultdict(list)
    for line in tables["sales.ord_ln_2024"]:
        lines[line["ord_no"]].append(line)
    found: defaultdict[datetime.date, list[Bought]] = defaultdict(list)
    for header in tables["sales.ord_hdr_2024"]:
        if header["chnl_cd"] == WEB and lines[header["ord_no"]]:
            found[header["ord_dt"]].append(Bought(header, lines[header["ord_no"]]))
    return found
