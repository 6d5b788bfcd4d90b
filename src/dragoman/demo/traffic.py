"""What happened on the website in 2025: sessions, and their events in one table a month."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from dragoman.demo.calendar import END, YEAR_2025, stamp
from dragoman.demo.dice import Bag, Dice
from dragoman.demo.records import Customer, Product
from dragoman.demo.sales import Sale

MONTHS = tuple(f"2025_{month:02d}" for month in range(1, 13))
EXPERIMENT_MONTH = "2025_11"

_BROWSING = 10_000
_DEVICES = Bag(("phone", 58), ("desktop", 33), ("tablet", 9))
_BROWSERS = Bag(("Chrome", 52), ("Safari", 27), ("Firefox", 12), ("Edge", 9))
_SOURCES = Bag(("search engine", 38), (None, 25), ("newsletter", 14), ("social media", 14), ("affiliate", 7))
_STEPS = Bag(("page_view", 58), ("search", 22), ("add_to_cart", 20))

Visit = tuple[int, Customer | None, Sale | None]


class Session(NamedTuple):
    """One visit to the website: a row of `web_sessions`."""

    session_id: int
    customer_id: int | None
    order_id: int | None
    started_at: str
    duration_seconds: int
    device: str
    browser: str
    source: str | None
    country_code: str | None


class Event(NamedTuple):
    """One step of a visit: a row of the table of its month."""

    event_id: int
    session_id: int
    occurred_at: str
    event_type: str
    page: str
    product_id: int | None
    search_term: str | None
    value_cents: int | None


class EventInExperiment(NamedTuple):
    """The shape of the one month that has a column more."""

    event_id: int
    session_id: int
    occurred_at: str
    event_type: str
    page: str
    product_id: int | None
    search_term: str | None
    value_cents: int | None
    experiment: str | None


def sessions(dice: Dice, sold: list[Sale], people: list[Customer]) -> list[tuple[Session, Visit]]:
    """Visits in the order of time: those that end in an order, and others, most of them not logged in."""
    buying: list[Visit] = [
        (sale.second - dice.between(120, 3000), sale.customer, sale)
        for sale in sold
        if sale.second >= YEAR_2025 + 3600 and sale.order.channel in ("web", "app") and dice.chance(0.85)
    ]
    browsing: list[Visit] = [
        (dice.between(YEAR_2025, END - 7200), dice.pick(people) if dice.chance(0.35) else None, None)
        for _ in range(_BROWSING)
    ]
    visits = sorted(buying + browsing, key=lambda visit: visit[0])
    return [(_session(dice, people, number, *visit), visit) for number, visit in enumerate(visits, 1)]


def _session(
    dice: Dice, people: list[Customer], number: int, second: int, person: Customer | None, sale: Sale | None
) -> Session:
    if person is not None and person.signed_up_at > stamp(second):
        person = None
    country = person.country_code if person else dice.pick(people).country_code if dice.chance(0.8) else None
    return Session(
        number,
        person.customer_id if person else None,
        sale.order.order_id if sale else None,
        stamp(second),
        sale.second - second + 30 if sale else dice.between(3, 60) * (1 + dice.low(30)),
        dice.weighted(_DEVICES),
        dice.weighted(_BROWSERS),
        dice.weighted(_SOURCES),
        country,
    )


def events(
    dice: Dice, service: Any, popular: list[Product], visits: list[tuple[Session, Visit]]
) -> dict[str, list[Event | EventInExperiment]]:
    """The events of every month, by table name."""
    months: dict[str, list[Event | EventInExperiment]] = {f"events_{month}": [] for month in MONTHS}
    for session, (second, _, sale) in visits:
        for at, kind, product, term, cents in _steps(dice, service, popular, second, sale):
            time = stamp(min(at, END - 1))
            table = months[f"events_{time[:4]}_{time[5:7]}"]
            page = {"page_view": f"/p/{product}", "search": "/search", "add_to_cart": f"/p/{product}"}
            event = Event(
                len(table) + 1, session.session_id, time, kind, page.get(kind, f"/{kind}"), product, term, cents
            )
            if time[:7].replace("-", "_") == EXPERIMENT_MONTH:
                variant = ("A", "B", None)[session.session_id % 3]
                table.append(EventInExperiment(*event, variant))
            else:
                table.append(event)
    return months


Step = tuple[int, str, int | None, str | None, int | None]


def _steps(dice: Dice, service: Any, popular: list[Product], second: int, sale: Sale | None) -> Iterator[Step]:
    """(second, event type, product, search term, euro cents) of one visit."""
    for place in range(1 + dice.low(7)):
        kind = dice.weighted(_STEPS)
        product = popular[dice.low(len(popular))]
        if kind == "search":
            yield second + 20 * place, kind, None, dice.pick(service["searches"]), None
        else:
            cents = product.price_cents if kind == "add_to_cart" else None
            yield second + 20 * place, kind, product.product_id, None, cents
    if sale is not None:
        yield sale.second - 40, "checkout", None, None, None
        yield sale.second, "purchase", None, None, sale.total_cents
