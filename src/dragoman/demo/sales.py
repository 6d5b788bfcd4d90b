"""What was bought: orders with their items, payments, shipments and refunds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dragoman.demo.calendar import DAY, END, second_of, stamp
from dragoman.demo.dice import Bag, Dice
from dragoman.demo.people import utc_offset
from dragoman.demo.records import (
    Address,
    Customer,
    Employee,
    Item,
    Order,
    Payment,
    Product,
    Promotion,
    Refund,
    Shipment,
)

_CHANNELS = Bag(("web", 52), ("app", 30), ("marketplace", 13), ("phone", 5))
_SETTLED = Bag(("delivered", 86), ("cancelled", 6), ("returned", 5), ("shipped", 3))
_ON_THE_WAY = Bag(("shipped", 55), ("delivered", 35), ("processing", 7), ("cancelled", 3))
_FRESH = Bag(("pending", 35), ("processing", 60), ("cancelled", 5))
_METHODS = Bag(("card", 46), ("wallet", 27), ("invoice", 17), ("bank transfer", 10))
_CARRIERS = Bag((1, 45), (2, 30), (3, 16), (4, 7), (5, 2))
_NEAREST_WAREHOUSE = {"FR": 2, "BE": 2, "ES": 2, "PT": 2, "MA": 2, "GB": 3, "US": 4, "CA": 4, "MX": 4, "BR": 4,
                      "JP": 5, "NZ": 5, "VN": 6, "GR": 7, "CY": 7, "EG": 7, "AE": 7}  # fmt: skip
_GIFT_NOTES = ["Happy birthday!", "Alles Gute!", "Joyeux anniversaire", "Chúc mừng sinh nhật", "お誕生日おめでとう",
               "كل عام وأنتم بخير", "Χρόνια πολλά", "Enjoy your new home"]  # fmt: skip


@dataclass(slots=True)
class Sale:
    """An order with what hangs on it. `second` is when it was made."""

    order: Order
    customer: Customer
    second: int
    items: list[Item]
    payments: list[Payment] = field(default_factory=list)
    shipments: list[Shipment] = field(default_factory=list)
    refunds: list[Refund] = field(default_factory=list)

    @property
    def total_cents(self) -> int:
        """Goods and delivery, in euro cents."""
        return sum(item.total_cents for item in self.items) + self.order.shipping_cents


@dataclass(frozen=True, slots=True)
class Shop:
    """What an order draws on. `popular` are the products that can be sold, the best sellers first."""

    places: Any
    popular: list[Product]
    promotions: list[Promotion]


def sales(dice: Dice, shop: Shop, people: list[Customer], homes: list[Address], staff: list[Employee]) -> list[Sale]:
    """All orders in the order of time, each with items, payments, shipments and refunds."""
    addresses: dict[int, list[Address]] = {}
    for address in homes:
        addresses.setdefault(address.customer_id, []).append(address)
    moments = sorted((second, person.customer_id) for person in people for second in _moments(dice, person))
    found = [
        _sale(dice, shop, number, people[customer - 1], addresses[customer], second)
        for number, (second, customer) in enumerate(moments, 1)
    ]
    approvers = [person.employee_id for person in staff if person.job_title == "Senior Support Agent"]
    payments = shipments = refunds = 0
    for sale in found:
        sale.payments = _payments(dice, sale, payments)
        sale.shipments = _shipments(dice, sale, shipments)
        sale.refunds = _refunds(dice, sale, refunds, approvers)
        payments += len(sale.payments)
        shipments += len(sale.shipments)
        refunds += len(sale.refunds)
    return found


def _moments(dice: Dice, person: Customer) -> list[int]:
    """When this person orders: many never, most a few times, businesses sometimes all the time."""
    if dice.chance(0.3):
        return []
    times = 1 + dice.low(6)
    if person.segment != "private" and dice.chance(0.12):
        times += dice.between(10, 34)
    first = max(second_of(person.signed_up_at[:10]) + DAY, 0)
    return [_moment(dice, first) for _ in range(times)]


def _moment(dice: Dice, first: int) -> int:
    second = dice.between(first, END - 1) if first < END else END - 1
    if dice.chance(0.15):
        november = second_of(f"{stamp(second)[:4]}-11-20") + dice.below(34 * DAY)
        return november if november >= first else second
    return second


def _sale(dice: Dice, shop: Shop, number: int, person: Customer, homes: list[Address], second: int) -> Sale:
    time = stamp(second)
    chosen = _choose(dice, shop.popular, time[:10])
    prices = {product: product.price_cents * (92 + 4 * (int(time[:4]) - 2023)) // 100 for product in chosen}
    quantities = {product: dice.between(2, 6) if price < 3000 and dice.chance(0.35) else 1
                  for product, price in prices.items()}  # fmt: skip
    goods = sum(price * quantities[product] for product, price in prices.items())
    promotion = _promotion(dice, shop.promotions, time[:10], goods)
    rate = int(promotion.discount_percent * 10) if promotion else 0
    items = [
        Item(number, line, product.product_id, quantities[product], price, quantities[product] * price * rate // 1000)
        for line, (product, price) in enumerate(prices.items(), 1)
    ]
    age = END - second
    status = dice.weighted(_FRESH if age < 3 * DAY else _ON_THE_WAY if age < 9 * DAY else _SETTLED)
    home = homes[dice.low(len(homes))]
    order = Order(
        number,
        person.customer_id,
        time,
        utc_offset(shop.places, home.country_code, time),
        status,
        dice.weighted(_CHANNELS),
        home.address_id,
        promotion.promotion_id if promotion else None,
        0 if goods >= 9_900 else 490 if home.country_code in ("DE", "FR", "AT") else 990,
        dice.pick(_GIFT_NOTES) if dice.chance(0.07) else None,
    )
    return Sale(order, person, second, items)


def _choose(dice: Dice, popular: list[Product], today: str) -> list[Product]:
    wanted = 1 + dice.low(6)
    chosen: dict[Product, None] = {}
    while len(chosen) < wanted:
        product = popular[dice.low(len(popular))]
        if product.launched_on <= today and (product.discontinued_on is None or product.discontinued_on > today):
            chosen[product] = None
    return list(chosen)


def _promotion(dice: Dice, promotions: list[Promotion], today: str, goods: int) -> Promotion | None:
    for promotion in promotions:
        if promotion.starts_on <= today and (promotion.ends_on is None or promotion.ends_on >= today):
            share = {"STAFF": 0.004, "LOYAL": 0.05}.get(promotion.code, 0.4)
            if goods >= (promotion.minimum_order_cents or 0) and dice.chance(share):
                return promotion
    return None


def _payments(dice: Dice, sale: Sale, before: int) -> list[Payment]:
    order, method = sale.order, dice.weighted(_METHODS)
    parts: list[tuple[str, str, int, int]] = []  # method, status, euro cents, seconds after the order
    if method in ("card", "wallet") and dice.chance(0.12 if order.status == "cancelled" else 0.05):
        parts.append((method, "failed", sale.total_cents, 20))
    if order.status == "pending":
        if method in ("invoice", "bank transfer"):
            parts.append((method, "pending", sale.total_cents, 60))
    elif order.status != "cancelled":
        rest = sale.total_cents
        if rest > 4_000 and dice.chance(0.05):
            voucher = dice.between(1, 3) * 1_000
            parts.append(("gift card", "captured", voucher, 60))
            rest -= voucher
        wait = dice.between(1, 20) * DAY if method == "invoice" else dice.between(30, 900)
        captured = sale.second + 90 + wait < END
        parts.append((method, "captured" if captured else "pending", rest, 90))
        if captured:
            return [
                _payment(before + place, order, part, part[3] + (wait if part[0] == method else 5), sale.second)
                for place, part in enumerate(parts, 1)
            ]
    return [_payment(before + place, order, part, part[3] + 5, sale.second) for place, part in enumerate(parts, 1)]


def _payment(number: int, order: Order, part: tuple[str, str, int, int], wait: int, second: int) -> Payment:
    method, status, cents, after = part
    captured = stamp(second + wait) if status == "captured" else None
    return Payment(number, order.order_id, method, status, cents, stamp(second + after), captured)


def _shipments(dice: Dice, sale: Sale, before: int) -> list[Shipment]:
    if sale.order.status not in ("shipped", "delivered", "returned"):
        return []
    old = END - sale.second >= 9 * DAY
    found = []
    for number in range(2 if len(sale.items) > 1 and dice.chance(0.12) else 1):
        carrier = dice.weighted(_CARRIERS)
        near = _NEAREST_WAREHOUSE.get(sale.customer.country_code, 1)
        left = min(sale.second + dice.between(3 * 3600, 3 * DAY), END - 2 * 3600)
        came = min(left + dice.between(DAY // 2, 3 * DAY) * (1 + dice.low(3)), END - 60)
        status = {"shipped": "lost" if old else "in transit", "delivered": "delivered", "returned": "returned"}
        found.append(
            Shipment(
                before + number + 1,
                sale.order.order_id,
                near if dice.chance(0.88) else 1,
                carrier,
                f"T{dice.between(10**9, 10**10 - 1)}" if carrier <= 3 and dice.chance(0.98) else None,
                status[sale.order.status],
                stamp(left),
                stamp(came) if sale.order.status != "shipped" else None,
            )
        )
    return found


def _refunds(dice: Dice, sale: Sale, before: int, approvers: list[int]) -> list[Refund]:
    status, items = sale.order.status, sale.items
    reason = dice.pick(["damaged", "changed mind", "changed mind", "wrong item", "late delivery"])
    line: int | None = None
    if status == "returned":
        item = dice.pick(items)
        line = item.line_no if dice.chance(0.6) else None
        cents = item.total_cents if line else sale.total_cents
    elif status == "delivered" and dice.chance(0.02):
        item, reason = dice.pick(items), dice.pick(["damaged", "goodwill"])
        line, cents = item.line_no, item.total_cents * dice.pick([20, 50]) // 100
    else:
        return []
    when = sale.second + dice.between(5, 40) * DAY
    approver = dice.pick(approvers) if cents > 10_000 or dice.chance(0.2) else None
    return [Refund(before + 1, sale.order.order_id, line, reason, cents, stamp(min(when, END - 1)), approver)]
