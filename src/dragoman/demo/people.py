"""Where people live, who buys and who works: countries, customers, addresses, departments, employees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dragoman.demo.calendar import DAY, DAYS, END, day, stamp
from dragoman.demo.dice import Bag, Dice
from dragoman.demo.records import Address, Country, Customer, Department, Employee, Region, Warehouse

CUSTOMERS = 6_000

_SEGMENTS = Bag(("private", 86), ("business", 11), ("school", 3))
_STATUSES = Bag(("active", 78), ("dormant", 15), ("deleted", 5), ("blocked", 2))
_SUMMER_TIME = {"Europe", "North America"}
_NO_POSTAL_CODE = {"AE", "EG"}


def countries(places: Any) -> list[Country]:
    """All countries, those without customers included."""
    return [Country(*row[:6]) for row in places["countries"]]


def regions(places: Any) -> list[Region]:
    """Administrative regions of the larger countries."""
    return [Region(country, code, name) for country, code, name, _ in places["regions"]]


def warehouses(places: Any) -> list[Warehouse]:
    """All warehouses; the last one has just opened and is empty."""
    rows = enumerate(places["warehouses"], 1)
    return [Warehouse(number, name, city, code, *more) for number, (name, code, city, *more, _) in rows]


def utc_offset(places: Any, country_code: str, time: str) -> int:
    """Minutes from UTC to local time. Summer time is taken to last from April to September."""
    row = next(row for row in places["countries"] if row[0] == country_code)
    return int(row[7]) + (60 if row[3] in _SUMMER_TIME and "04" <= time[5:7] <= "09" else 0)


def customers(dice: Dice, places: Any, names: Any) -> list[Customer]:
    """Customers in the order in which they signed up."""
    homes = Bag(*((row, row[8]) for row in places["countries"] if row[8]))
    moments = sorted(dice.between(-500 * DAY, END - 3 * DAY) for _ in range(CUSTOMERS))
    return [_customer(dice, dice.weighted(homes), names, number, second) for number, second in enumerate(moments, 1)]


def _customer(dice: Dice, home: Any, names: Any, number: int, second: int) -> Customer:
    language = home[6]
    if dice.chance(0.06):
        language = dice.pick(["en", "de", "fr", "ar", "pl"])
    return Customer(
        number,
        dice.pick(names[language]["given"]),
        dice.pick(names[language]["family"]),
        f"customer{number}@mail.example",
        f"+{dice.between(20, 99)} {dice.between(100_000_000, 999_999_999)}" if dice.chance(0.6) else None,
        day(dice.between(-75 * 365, -16 * 365)) if dice.chance(0.55) else None,
        home[0],
        language,
        dice.weighted(_SEGMENTS),
        dice.weighted(_STATUSES),
        int(dice.chance(0.42)),
        1 + dice.low(number - 1) if number > 50 and dice.chance(0.12) else None,
        stamp(second),
    )


def addresses(dice: Dice, places: Any, people: list[Customer]) -> list[Address]:
    """At least one address a customer, the first one at home."""
    found: list[Address] = []
    cities: dict[str, list[tuple[str, str | None]]] = {}
    for country, code, _, names in places["regions"]:
        cities.setdefault(country, []).extend((name, code) for name in names)
    for country, names in places["cities_without_region"].items():
        cities[country] = [(name, None) for name in names]
    local = {row[0]: row[6] for row in places["countries"]}
    for person in people:
        for kind in _kinds(dice):
            country = person.country_code
            city, region = cities[country][dice.low(len(cities[country]))]
            street = f"{dice.pick(places['streets'][local[country]])} {dice.between(1, 180)}"
            postal = None if country in _NO_POSTAL_CODE else f"{dice.between(1000, 99999):05d}"
            found.append(Address(len(found) + 1, person.customer_id, kind, street, city, postal, country, region))
    return found


def _kinds(dice: Dice) -> Iterator[str]:
    yield "home"
    if dice.chance(0.2):
        yield "work"
    if dice.chance(0.15):
        yield "billing"


def departments(service: Any) -> list[Department]:
    """All departments; the last one has nobody in it yet."""
    return [Department(number, name, centre) for number, (name, centre, _) in enumerate(service["departments"], 1)]


def employees(dice: Dice, places: Any, names: Any, service: Any) -> list[Employee]:
    """A tree of managers: the managing director, heads of department, leads, staff."""
    sites = Bag(*((number, row[6]) for number, row in enumerate(places["warehouses"], 1) if row[6]))
    staff: list[Employee] = []
    for department, (name, _, size) in enumerate(service["departments"], 1):
        head = lead = 1
        for place in range(size):
            number = len(staff) + 1
            manager: int | None = lead
            title = dice.pick(service["titles"][name])
            salary = dice.between(2_600, 6_200) * 10
            if place == 0:
                manager, head, lead = (1 if number > 1 else None), number, number
                title = "Managing Director" if number == 1 else f"Head of {name}"
                salary = dice.between(9_000, 14_000) * 10 + (60_000 if number == 1 else 0)
            elif place % 9 == 1 and size > 10:
                manager, lead, title, salary = head, number, f"{name} Lead", dice.between(4_800, 8_600) * 10
            words = names[dice.pick(["de", "de", "fr", "en", "it", "vi", "el"])]
            hired = dice.between(-7 * 365, DAYS - 40)
            leaves = place > 1 and dice.chance(0.13)
            left = day(dice.between(max(hired + 90, 0), DAYS - 1)) if leaves and hired < DAYS - 200 else None
            site = dice.weighted(sites) if name == "Warehouse" and place else None
            given, family = dice.pick(words["given"]), dice.pick(words["family"])
            cents = dice.pick([0, 0, 0.5])
            staff.append(
                Employee(number, given, family, title, department, manager, site, day(hired), left, salary + cents)
            )
    return staff
