"""A hard schema with very long queries, made for one purpose: here refinement must abstain (EGRefine's BEAVER)."""

from __future__ import annotations

import datetime
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from string import Template
from typing import Any

from dragoman.questions import Example, Question

_HERE = Path(__file__).parent
_PARTIES, _STATIONS, _WAGONS, _TRAINS, _CONSIGNMENTS = 14, 12, 40, 600, 900
_START = datetime.datetime(2023, 1, 1)


def build_freight(path: Path, seed: int = 0) -> None:
    """Make the database of a freight railway: twelve tables under codes, two years of trains, loads and invoices."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((_HERE / "schema.sql").read_text("utf-8"))
        for table, row in _rows(Random(seed)):
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        connection.commit()


def freight_workload() -> list[Example]:
    """24 questions; their gold queries have 20 lines or so, with windows and several common table expressions."""
    found = []
    for number, template in enumerate(tomllib.loads((_HERE / "questions.toml").read_text("utf-8"))["template"]):
        for case, values in enumerate(template["cases"]):
            text, sql = (Template(template[key]).substitute(values).strip() for key in ("question", "sql"))
            found.append(Example(Question(text, id=f"freight-{number + 1}{'abc'[case]}"), sql))
    return found


def _rows(random: Random) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for n in range(1, _STATIONS + 1):
        yield (
            "stn_ref",
            (n, f"S{n:02}", f"Station {n}", "NESW"[n % 4], random.randrange(900), random.randrange(40, 400)),
        )
    for n in range(1, _PARTIES + 1):
        yield "pty_dir", (n, f"Partner {n}", random.choice(("AT", "CH", "DE", "PL")), "ABC"[n % 3], "2020-01-01")
    for n in range(1, _WAGONS + 1):
        kind = ("TNK", "HOP", "FLT")[n % 3]
        yield "wgn_reg", (n, kind, random.randint(1, 5), 22.5, 90.0, random.randrange(1985, 2022), "2022-05-01")
    for code in "AB":
        for version, (begin, end) in enumerate((("2023-01-01", "2024-01-01"), ("2024-01-01", None)), 1):
            yield "trf_vrs", (code, version, begin, end, 8.0 + version, 250.0, 10.0 + 2 * version)
    for month in range(24):
        for currency in ("CHF", "PLN"):
            rate = random.uniform(0.9, 1.1) if currency == "CHF" else random.uniform(0.2, 0.25)
            yield "fx_dly", (currency, f"{2023 + month // 12}-{month % 12 + 1:02}", round(rate, 4))
    yield from _trains(random)
    yield from _consignments(random)


def _trains(random: Random) -> Iterator[tuple[str, tuple[Any, ...]]]:
    events = 0
    for n in range(1, _TRAINS + 1):
        leaves = _START + datetime.timedelta(minutes=random.randrange(2 * 365 * 1440))
        planned = leaves + datetime.timedelta(minutes=random.randrange(120, 1500))
        origin, target = random.sample(range(1, _STATIONS + 1), 2)
        late = 0
        for stop in range(random.randrange(4)):
            events += 1
            delay = random.choice((0, 3, 8, 15, 25, 45))
            late += delay
            reason = random.choice(("WX", "TRK", "LOC"))
            moment = leaves + datetime.timedelta(minutes=30 * (stop + 1))
            yield "evt_log", (events, n, random.randint(1, _STATIONS), moment.isoformat(" "), delay, reason)
        arrives = planned + datetime.timedelta(minutes=late - random.randrange(20))
        times = [moment.isoformat(" ") for moment in (leaves, leaves, planned, arrives)]
        yield (
            "trn_mst",
            (n, f"T{n}", origin, target, *times, "AB"[n % 2], 1 + n % 3, round(random.uniform(400, 2400), 1)),
        )


def _consignments(random: Random) -> Iterator[tuple[str, tuple[Any, ...]]]:
    payments = 0
    for n in range(1, _CONSIGNMENTS + 1):
        accepted = _START + datetime.timedelta(minutes=random.randrange(2 * 365 * 1440))
        delivered = accepted + datetime.timedelta(hours=random.randrange(20, 200))
        sender, receiver = random.sample(range(1, _PARTIES + 1), 2)
        tons = round(random.uniform(20, 400), 1)
        commodity, tariff = random.choice(("ORE", "GRN", "OIL", "STL")), random.choice("AB")
        times = [moment.isoformat(" ") for moment in (accepted, delivered, delivered)]
        yield (
            "cns_hdr",
            (n, random.randint(1, _TRAINS), sender, receiver, commodity, tons, *times, tariff, random.randint(1, 3)),
        )
        wagons = random.sample(range(1, _WAGONS + 1), random.randint(1, 4))
        for line, wagon in enumerate(wagons, 1):
            hazard = random.choice((None, None, "3", "8"))
            yield "cns_ln", (n, line, wagon, round(tons / len(wagons), 1), hazard)
        billed, due = (accepted + datetime.timedelta(days=days) for days in (10, 40))
        amount = round(tons * random.uniform(8, 14), 2)
        dates = billed.date().isoformat(), due.date().isoformat()
        currency = random.choice(("EUR", "EUR", "CHF", "PLN"))
        yield "inv_hdr", (n, sender, *dates, currency, amount, random.choice("OOOX"))
        yield "inv_ln", (n, 1, n, "FRT", amount)
        if random.random() < 0.7:
            payments += 1
            paid = billed + datetime.timedelta(days=random.randrange(5, 150))
            share = random.choice((1.0, 1.0, 0.5))
            yield "pmt_trx", (payments, n, paid.date().isoformat(), round(amount * share, 2), "WIRE")
