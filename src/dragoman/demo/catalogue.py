"""What is sold and where it lies: categories, suppliers, products, translations, promotions, stock."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from dragoman.demo.calendar import DAYS, day
from dragoman.demo.dice import Bag, Dice
from dragoman.demo.records import Carrier, Category, Product, ProductName, Promotion, Stock, Supplier

_SUPPLIERS = 46
_SERIES_PER_KIND = 12
_WITHOUT_PRODUCTS = 4
_STOCK_SHARE = (0.9, 0.75, 0.6, 0.55, 0.45, 0.35, 0.25)
_ORIGINS = Bag(("DE", 9), ("VN", 8), ("IT", 7), ("FR", 6), ("PL", 6), ("JP", 4), ("GR", 3), ("SE", 3), ("KE", 1))


class Kind(NamedTuple):
    """A kind of thing, sold in several series. `names` are in the order of the languages, English first."""

    category: str
    materials: list[str]
    names: list[str]
    price_cents: int
    weight_grams: int


def kinds(goods: Any) -> list[Kind]:
    """All kinds in the order of the word list."""
    return [
        Kind(category, materials, names, price, weight)
        for _, category, materials, things in goods["categories"]
        for *names, price, weight in things
    ]


def categories(goods: Any) -> list[Category]:
    """Main categories and those below them; a few have no products."""
    found: dict[str, Category] = {}

    def add(name: str, parent: str | None) -> None:
        if name not in found:
            found[name] = Category(len(found) + 1, found[parent].category_id if parent else None, name)

    for parent, name, _, _ in goods["categories"]:
        add(parent, None)
        add(name, parent)
    for name, parent in goods["empty_categories"]:
        add(name, parent)
    return list(found.values())


def suppliers(dice: Dice, names: Any) -> list[Supplier]:
    """Makers of the products; the last few deliver nothing yet."""
    words = names["companies"]
    titles = dice.shuffled(f"{first} {second}" for first in words["first"] for second in words["second"])
    return [
        Supplier(
            number,
            title,
            dice.weighted(_ORIGINS),
            f"supply{number}@trade.example" if dice.chance(0.85) else None,
            dice.between(3, 60),
            dice.between(20, 50) / 10 if dice.chance(0.85) else None,
            day(-dice.between(30, 3000)),
        )
        for number, title in enumerate(titles[:_SUPPLIERS], 1)
    ]


def products(dice: Dice, goods: Any, groups: list[Category]) -> list[Product]:
    """Every kind of thing in several series, with prices around the kind's own."""
    by_name = {group.name: group.category_id for group in groups}
    pairs = [(kind, series) for kind in kinds(goods) for series in dice.shuffled(goods["series"])[:_SERIES_PER_KIND]]
    return [
        _product(dice, goods, by_name[kind.category], number, kind, series)
        for number, (kind, series) in enumerate(pairs, 1)
    ]


def _product(dice: Dice, goods: Any, category: int, number: int, kind: Kind, series: str) -> Product:
    price = kind.price_cents * dice.between(75, 160) // 10_000 * 100 + dice.pick([0, 50, 90, 90])
    price = max(price, 390)
    launched = dice.between(-1400, 60) if dice.chance(0.75) else dice.between(60, DAYS - 60)
    status, gone = "active", None
    if dice.chance(0.09):
        status, gone = "discontinued", day(min(max(launched, 0) + dice.between(120, 900), DAYS - 1))
    elif dice.chance(0.02):
        status, launched = "draft", DAYS + dice.between(10, 90)
    return Product(
        number,
        f"{kind.names[0][:2].upper()}-{number:04d}-{dice.between(10, 99)}",
        f"{kind.names[0]} {series}",
        category,
        dice.between(1, _SUPPLIERS - _WITHOUT_PRODUCTS) if dice.chance(0.9) else None,
        price,
        price * dice.between(34, 66) // 100,
        kind.weight_grams * dice.between(85, 120) // 100 if dice.chance(0.93) else None,
        day(launched),
        gone,
        status,
        json.dumps(_attributes(dice, goods, kind.materials), ensure_ascii=False) if dice.chance(0.96) else None,
    )


def _attributes(dice: Dice, goods: Any, materials: list[str]) -> dict[str, Any]:
    attributes: dict[str, Any] = {"color": dice.pick(goods["colors"]), "material": materials[dice.low(len(materials))]}
    if dice.chance(0.5):
        attributes["care"] = [goods["care"][dice.below(2)], goods["care"][2 + dice.below(2)]][: dice.between(1, 2)]
    if dice.chance(0.7):
        attributes["size_cm"] = {"width": dice.between(8, 180), "height": dice.between(5, 200)}
    if dice.chance(0.3):
        attributes["eco"] = True
    return attributes


def product_names(dice: Dice, goods: Any, range_: list[Product]) -> list[ProductName]:
    """Names in other languages; translations are missing here and there."""
    names = {kind.names[0]: kind.names for kind in kinds(goods)}
    found = []
    for product in range_:
        kind, _, series = product.name.rpartition(" ")
        for language, word in zip(goods["languages"][1:], names[kind][1:], strict=True):
            if dice.chance(0.9 if language in ("de", "fr") else 0.5):
                found.append(ProductName(product.product_id, language, f"{word} {series}"))
    return found


def promotions(goods: Any) -> list[Promotion]:
    """All promotions, one of them in the future."""
    return [Promotion(number, *row) for number, row in enumerate(goods["promotions"], 1)]


def carriers(goods: Any) -> list[Carrier]:
    """All carriers; the last one has carried nothing yet."""
    return [Carrier(number, name, tracks) for number, (name, tracks) in enumerate(goods["carriers"], 1)]


def inventory(dice: Dice, range_: list[Product]) -> list[Stock]:
    """What each warehouse keeps. Some shelves are empty, some were never counted."""
    return [
        Stock(
            warehouse,
            product.product_id,
            0 if dice.chance(0.07) else dice.low(240),
            dice.between(1, 8) * 5,
            day(DAYS - dice.between(1, 420)) if dice.chance(0.9) else None,
        )
        for warehouse, share in enumerate(_STOCK_SHARE, 1)
        for product in range_
        if product.status != "draft" and dice.chance(share)
    ]
