"""All rows of the demo database: three years of a mid-size online shop for home, garden and outdoors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dragoman.demo import catalogue, dealers, people, sales, service, traffic
from dragoman.demo.dice import Dice
from dragoman.demo.words import words

_SEED = 20_250_701


def company() -> Mapping[str, Sequence[NamedTuple]]:
    """Rows by table, tables after those that they refer to. The same rows at every call."""
    places, names, goods, texts = words("places"), words("names"), words("products"), words("service")
    dice = [Dice(_SEED + number) for number in range(12)]
    customers = people.customers(dice[0], places, names)
    addresses = people.addresses(dice[1], places, customers)
    employees = people.employees(dice[2], places, names, texts)
    categories = catalogue.categories(goods)
    products = catalogue.products(dice[3], goods, categories)
    promotions = catalogue.promotions(goods)
    popular = dice[4].shuffled(product for product in products if product.status != "draft")
    sold = sales.sales(dice[5], sales.Shop(places, popular, promotions), customers, addresses, employees)
    visits = traffic.sessions(dice[6], sold, customers)
    return {
        "countries": people.countries(places),
        "regions": people.regions(places),
        "departments": people.departments(texts),
        "warehouses": people.warehouses(places),
        "employees": employees,
        "customers": customers,
        "addresses": addresses,
        "suppliers": catalogue.suppliers(dice[7], names),
        "categories": categories,
        "products": products,
        "product_names": catalogue.product_names(dice[3], goods, products),
        "inventory": catalogue.inventory(dice[8], products),
        "promotions": promotions,
        "orders": [sale.order for sale in sold],
        "order_items": [item for sale in sold for item in sale.items],
        "payments": [payment for sale in sold for payment in sale.payments],
        "refunds": [refund for sale in sold for refund in sale.refunds],
        "carriers": catalogue.carriers(goods),
        "shipments": [shipment for sale in sold for shipment in sale.shipments],
        "reviews": service.reviews(dice[9], texts, sold),
        "support_tickets": service.tickets(dice[9], texts, sold, customers, employees),
        "web_sessions": [session for session, _ in visits],
        "CUST_MST": dealers.dealers(dice[10], places, names, employees, customers),
        **traffic.events(dice[11], texts, popular, visits),
    }
