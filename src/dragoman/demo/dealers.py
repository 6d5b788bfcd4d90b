"""The dealer accounts of the old system, in the form in which old systems keep them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from dragoman.demo.calendar import DAYS, day
from dragoman.demo.dice import Bag, Dice
from dragoman.demo.records import Customer, Employee

_DEALERS = 900
_TYPES = Bag(("R", 55), ("W", 25), ("H", 15), ("P", 5))  # retail, wholesale, hotels and restaurants, public bodies
_STATES = Bag(("A", 74), ("H", 11), ("C", 15))  # active, on hold, closed
_AREAS = Bag(("N", 30), ("S", 26), ("E", 12), ("W", 20), (None, 12))  # sales areas
_TERMS = Bag((14, 20), (30, 55), (45, 10), (60, 15))  # days


class Dealer(NamedTuple):
    """A dealer account of the old system: a row of `CUST_MST`."""

    cst_no: int
    cst_nm: str
    cst_typ_cd: str
    cty_nm: str | None
    cntry_cd: str
    rgn_cd: str | None
    slsmn_emp_id: int | None
    crdt_lmt_amt: float
    crdt_bal_amt: float
    pymt_trm_dys: int
    dsc_pct: float | None
    stat_flg: str
    tax_exmt_flg: str
    crt_dt: str
    lst_ord_dt: str | None
    web_cst_id: int | None


@dataclass(frozen=True, slots=True)
class Market:
    """What a dealer account draws on: company words, cities by country, sellers' numbers, customers with a firm."""

    words: Any
    cities: dict[str, list[str]]
    sellers: list[int]
    business: list[Customer]


def dealers(dice: Dice, places: Any, names: Any, staff: list[Employee], people: list[Customer]) -> list[Dealer]:
    """Dealer accounts; some belong to a customer of the web shop, some have nobody who looks after them."""
    forms = names["companies"]["form"]
    homes = Bag(*((row, row[8]) for row in places["countries"] if row[8] and row[0] in forms))
    cities: dict[str, list[str]] = {}
    for country, _, _, towns in places["regions"]:
        cities.setdefault(country, []).extend(towns)
    sellers = [person.employee_id for person in staff if person.job_title.endswith("Account Executive")]
    business = [person for person in people if person.segment == "business"]
    market = Market(names["companies"], cities, sellers, business)
    return [_dealer(dice, market, 70_000 + 13 * number, dice.weighted(homes)[0]) for number in range(1, _DEALERS + 1)]


def _dealer(dice: Dice, market: Market, number: int, country: str) -> Dealer:
    words, cities, sellers = market.words, market.cities, market.sellers
    state = dice.weighted(_STATES)
    limit = dice.pick([1_000, 2_500, 5_000, 5_000, 10_000, 20_000]) * dice.between(1, 5)
    created = dice.between(-4500, DAYS - 30)
    last = dice.between(max(created, -700), DAYS - 1)
    match = [person for person in market.business if person.country_code == country]
    return Dealer(
        number,
        f"{dice.pick(words['first'])} {dice.pick(words['second'])} {words['form'][country]}",
        dice.weighted(_TYPES),
        dice.pick(cities[country]) if country in cities and dice.chance(0.96) else None,
        country,
        dice.weighted(_AREAS),
        sellers[dice.low(len(sellers))] if dice.chance(0.9) else None,
        limit,
        0 if state == "C" else dice.low(limit * 115) / 100,
        dice.weighted(_TERMS),
        dice.between(1, 8) * 2.5 if dice.chance(0.6) else None,
        state,
        "Y" if dice.chance(0.08) else "N",
        day(created).replace("-", ""),
        day(last).replace("-", "") if dice.chance(0.86) else None,
        dice.pick(match).customer_id if match and dice.chance(0.3) else None,
    )
