"""What customers say: reviews and support tickets."""

from __future__ import annotations

from typing import Any, NamedTuple

from dragoman.demo.calendar import DAY, END, second_of, stamp
from dragoman.demo.dice import Bag, Dice
from dragoman.demo.records import Customer, Employee
from dragoman.demo.sales import Sale

_STARS = Bag((5, 44), (4, 28), (3, 14), (2, 7), (1, 7))
_CHANNELS = Bag(("email", 55), ("chat", 30), ("phone", 15))
_PRIORITIES = Bag(("normal", 62), ("low", 18), ("high", 15), ("urgent", 5))
_SATISFACTION = Bag((5, 38), (4, 26), (3, 14), (2, 10), (1, 12))


class Review(NamedTuple):
    """What a customer says about a product."""

    review_id: int
    product_id: int
    customer_id: int
    rating: int
    body: str | None
    language: str
    helpful_votes: int
    written_at: str


class Ticket(NamedTuple):
    """A request to customer support: a row of `support_tickets`."""

    ticket_id: int
    customer_id: int
    order_id: int | None
    assigned_to: int | None
    topic: str
    channel: str
    priority: str
    status: str
    subject: str
    opened_at: str
    closed_at: str | None
    satisfaction: int | None


def reviews(dice: Dice, service: Any, sold: list[Sale]) -> list[Review]:
    """Reviews of delivered goods, at most one by a customer for a product; some products get worse ones."""
    written: list[tuple[int, int, Sale]] = []
    seen: set[tuple[int, int]] = set()
    for sale in sold:
        for item in sale.items:
            pair = (item.product_id, sale.customer.customer_id)
            if sale.order.status == "delivered" and pair not in seen and dice.chance(0.24):
                seen.add(pair)
                written.append((min(sale.second + dice.between(4, 60) * DAY, END - 1), item.product_id, sale))
    written.sort(key=lambda entry: entry[:2])
    return [
        _review(dice, service["reviews"], number, product, sale, second)
        for number, (second, product, sale) in enumerate(written, 1)
    ]


def _review(dice: Dice, texts: Any, number: int, product: int, sale: Sale, second: int) -> Review:
    stars = dice.weighted(_STARS)
    if product % 17 == 3:
        stars = min(stars, dice.between(1, 5))
    language = sale.customer.language if sale.customer.language in texts else "en"
    body = texts[language][stars - 1] if dice.chance(0.55) else None
    votes = dice.low(30) if body and dice.chance(0.5) else 0
    return Review(number, product, sale.customer.customer_id, stars, body, language, votes, stamp(second))


class Contact(NamedTuple):
    """A customer who writes or calls at a second, about an order or not."""

    second: int
    customer: Customer
    sale: Sale | None


def tickets(dice: Dice, service: Any, sold: list[Sale], people: list[Customer], staff: list[Employee]) -> list[Ticket]:
    """Support tickets, most of them about an order, in the order of time."""
    about_orders = [
        Contact(sale.second + dice.between(1, 25) * DAY // 2, sale.customer, sale)
        for sale in sold
        if dice.chance(0.2 if sale.order.status in ("delivered", "pending") else 0.45)
    ]
    others = [
        Contact(max(second_of(person.signed_up_at[:10]), 0) + dice.below(300 * DAY), person, None)
        for person in people
        if dice.chance(0.09)
    ]
    contacts = sorted(
        (contact for contact in about_orders + others if contact.second < END),
        key=lambda contact: (contact.second, contact.customer.customer_id),
    )
    agents = [person for person in staff if person.job_title in ("Support Agent", "Senior Support Agent")]
    return [
        _ticket(dice, service["ticket_topics"], number, contact, agents) for number, contact in enumerate(contacts, 1)
    ]


def _ticket(dice: Dice, topics: Any, number: int, contact: Contact, agents: list[Employee]) -> Ticket:
    second, person, sale = contact
    fitting = topics[:5] if sale else topics[4:]
    topic, _, subjects = dice.weighted(Bag(*((entry, entry[1]) for entry in fitting)))
    closing = second + dice.between(600, 3 * DAY) * (1 + dice.low(4))
    closed = closing < END and dice.chance(0.97)
    status = "closed" if closed else "new" if END - second < DAY else dice.pick(["open", "waiting"])
    today = stamp(second)[:10]
    present = [a for a in agents if a.hired_on <= today and (a.left_on is None or a.left_on > today)]
    return Ticket(
        number,
        person.customer_id,
        sale.order.order_id if sale else None,
        present[dice.low(len(present))].employee_id if present and status != "new" else None,
        topic,
        dice.weighted(_CHANNELS),
        dice.weighted(_PRIORITIES),
        status,
        subjects.get(person.language, subjects["en"]),
        stamp(second),
        stamp(closing) if closed else None,
        dice.weighted(_SATISFACTION) if closed and dice.chance(0.48) else None,
    )
