"""The visits to the web shop in 2024, day by day, as an analytics export nests them."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from dragoman.demo.dice import Bag, Dice
from dragoman.demo.warehouse.draw import Row, words
from dragoman.demo.warehouse.orders_by_day import Bought, orders_by_day

MICROS = 1_000_000
"""Amounts of money are in millionths of a euro, as such exports have them."""

_CHANNELS = Bag(("c1", 36), ("c2", 14), ("c3", 20), ("c4", 12), ("c5", 5), ("c6", 8), ("c7", 5))
_SOURCES: Mapping[str, tuple[Bag[str], Bag[str]]] = {
    "c1": (Bag(("seekly", 7), ("findit", 2), ("duckling", 1)), Bag(("organic", 1))),
    "c2": (Bag(("seekly", 8), ("findit", 2)), Bag(("cpc", 7), ("ppc", 2), ("CPC", 1))),
    "c3": (Bag(("(direct)", 1)), Bag(("(none)", 1))),
    "c4": (Bag(("newsletter", 6), ("crm", 3)), Bag(("email", 6), ("e-mail", 3), ("Email", 1))),
    "c5": (Bag(("couponfox", 5), ("testlab", 4)), Bag(("affiliate", 1))),
    "c6": (Bag(("picto", 5), ("threadly", 3), ("vidtube", 4)), Bag(("social", 5), ("paid-social", 3))),
    "c7": (Bag(("kitchenmag.example", 3), ("toolforum.example", 4)), Bag(("referral", 1))),
}
_DEVICES = Bag(("mobile", 55), ("desktop", 36), ("tablet", 9))
_SYSTEMS = {
    "mobile": Bag(("Android", 6), ("iOS", 5)),
    "desktop": Bag(("Windows", 7), ("macOS", 3), ("Linux", 1)),
    "tablet": Bag(("iPadOS", 5), ("Android", 4)),
}
_BROWSERS = Bag(("Chrome", 52), ("Safari", 27), ("Firefox", 12), ("Edge", 9))
_COUNTRIES = {
    "DE": ("Germany", "Western Europe"), "FR": ("France", "Western Europe"), "SE": ("Sweden", "Northern Europe"),
    "PL": ("Poland", "Eastern Europe"), "IT": ("Italy", "Southern Europe"), "CZ": ("Czechia", "Eastern Europe"),
    "DK": ("Denmark", "Northern Europe"), "AT": ("Austria", "Western Europe"),
    "GB": ("United Kingdom", "Northern Europe"), "CH": ("Switzerland", "Western Europe"),
}  # fmt: skip
_SECTIONS = Bag(("/k/", 30), ("/w/", 26), ("/g/", 12), ("/svc/", 14), ("/acc/", 8), ("/mag/", 10))
_STOCK = Bag(("IN", 7), ("LOW", 2), ("OUT", 1))
_EVENTS = Bag(
    (("vid", "play"), 4), (("vid", "done"), 2), (("pdf", "open"), 3), (("chat", "start"), 1), (("cfg", "done"), 2)
)  # fmt: skip
_ACTIONS = Bag(("2", 60), ("1", 20), ("3", 15), ("4", 5))
_TIER_MOVES = "20240601"
_TIMES_FROM = "20240701"
_SCORES_FROM = "20241001"
_CONSENT_FROM = "20240408"
_EXPERIMENTS = {"X11": ("20240205", "20240225"), "X18": ("20240902", "20240915"), "X17": ("20241111", "20241124")}


def visits(dice: Dice, tables: Mapping[str, Sequence[Row]]) -> Mapping[str, list[Row]]:
    """Rows by day ("20240101"): visits that end in an order of the web shop, and many more that do not."""
    bought = orders_by_day(tables)
    people = tables["sales.cust_mst"]
    by_number = {person["cust_no"]: person for person in people}
    items = dice.shuffled(item["sku"] for item in tables["prod.itm_mst"])
    teller = _Teller(dice, {item["sku"]: item for item in tables["prod.itm_mst"]}, items)
    found: dict[str, list[Row]] = {}
    for number in range(366):
        date = datetime.date(2024, 1, 1) + datetime.timedelta(number)
        buying = bought.get(date, [])
        browsing = 8 + dice.below(5) + (4 if date.weekday() >= 5 else 0) + (6 if date.month in (11, 12) else 0)
        who: list[tuple[Row, Bought | None]] = [(by_number[order.header["cust_no"]], order) for order in buying]
        who += [(dice.pick(people), None) for _ in range(browsing)]
        rows = [teller.visit(date, person, order) for person, order in who]
        rows.sort(key=lambda row: row["begin"])
        found[f"{date:%Y%m%d}"] = [_numbered(row, date, place) for place, row in enumerate(rows)]
    return found


def _numbered(row: Row, date: datetime.date, place: int) -> Row:
    begin: datetime.datetime = row.pop("begin")
    day = f"{date:%Y%m%d}"
    seconds = int((begin - datetime.datetime(1970, 1, 1)).total_seconds())
    return {
        "visit_id": int(day) * 1000 + place,
        "visit_start": begin if day >= _TIMES_FROM else seconds,
        "visit_date": day,
    } | row


class _Teller:
    """Tells what happened in one visit after the other."""

    def __init__(self, dice: Dice, items: Mapping[str, Row], popular: Sequence[str]) -> None:
        self.dice, self.items, self.popular = dice, items, popular
        self.searches: list[str] = words("searches")
        self.pages: Mapping[str, list[str]] = words("pages")
        self.cities: list[str] = words("cities")
        self.times: defaultdict[int, int] = defaultdict(int)

    def visit(self, date: datetime.date, person: Row, order: Bought | None) -> Row:
        """One visit of the person; `begin` is its time."""
        dice, day = self.dice, f"{date:%Y%m%d}"
        number: int = person["cust_no"]
        self.times[number] += 1
        known = order is not None or dice.chance(0.3)
        channel = dice.weighted(_CHANNELS)
        begin = datetime.datetime(date.year, date.month, date.day) + datetime.timedelta(seconds=dice.below(80_000))
        hits = list(self._hits(begin, day, order))
        pages = sum(hit["type"] == "PAGE" for hit in hits)
        seconds = hits[-1]["ms"] // 1000
        totals = {
            "visits": 1, "hits": len(hits), "page_views": pages, "seconds_on_site": seconds,
            "bounces": 1 if pages == 1 else None, "orders": 1 if order else None,
            "revenue": order.cents * MICROS // 100 if order else None,
            "first_visits": 1 if self.times[number] == 1 else None,
        }  # fmt: skip
        if day >= _SCORES_FROM:
            totals["session_score"] = dice.between(1, 100)
        return {
            "begin": begin,
            "visitor_id": f"{number * 7919 % 1_000_003:06d}.{number % 97:02d}",
            "visit_no": self.times[number],
            "channel_cd": channel,
            "totals": totals,
            "traffic": self._traffic(channel),
            "device": self._device(),
            "geo": self._geo(person),
            "custom_dims": self._dimensions(day, person, known),
            "hits": hits,
            "user_id": f"U{number}" if known else None,
            "consent": {"ads": dice.chance(0.4), "analytics": True, "policy": "3.1" if date.month < 9 else "3.2"}
            if day >= _CONSENT_FROM
            else None,
            "exp_arm": "AB"[number % 2],
        }

    def _traffic(self, channel: str) -> Row:
        sources, media = _SOURCES[channel]
        found: Row = {"source": self.dice.weighted(sources), "medium": self.dice.weighted(media)}
        found["is_direct"] = channel == "c3"
        if channel in ("c2", "c4", "c6"):
            found["campaign"] = f"cmp-{self.dice.between(1, 60)}"
        if channel == "c2":
            found["keyword"] = self.dice.pick(self.searches)
            found["ad_click"] = {
                "campaign_id": int(found["campaign"][4:]), "group_id": self.dice.between(1, 9),
                "creative_id": self.dice.between(100, 140), "network": "search",
                "slot": self.dice.pick(("Top", "RHS")), "page": 1, "is_video": False,
            }  # fmt: skip
        if channel == "c7":
            found["referral_path"] = "/tests/"
        return found

    def _device(self) -> Row:
        category = self.dice.weighted(_DEVICES)
        return {
            "category": category,
            "browser": self.dice.weighted(_BROWSERS),
            "browser_version": f"{self.dice.between(110, 131)}.0",
            "os": self.dice.weighted(_SYSTEMS[category]),
            "is_mobile": category != "desktop",
            "language": self.dice.pick(("de-de", "fr-fr", "sv-se", "pl-pl", "en-gb")),
            "screen_size": self.dice.pick(("390x844", "1920x1080", "1440x900", "820x1180")),
        }

    def _geo(self, person: Row) -> Row:
        if self.dice.chance(0.05):
            return {"continent": "(not set)", "country": "(not set)", "city": "(not set)"}
        country, part = _COUNTRIES[person["ctry_cd"]]
        city = self.dice.pick(self.cities) if self.dice.chance(0.8) else "(hidden)"
        return {"continent": "Europe", "sub_continent": part, "country": country, "city": city}

    def _dimensions(self, day: str, person: Row, known: bool) -> list[Row]:
        """Slots of the visit; the tier of a customer moves from slot 2 to slot 9 in June."""
        moved = day >= _TIER_MOVES
        found: list[Row] = [{"idx": 1, "val": "in" if known else "out"}]
        if moved:
            found.append({"idx": 2, "val": person["pref_lang"]})
        if known:
            found.append({"idx": 9 if moved else 2, "val": person["tier_cd"]})
        found.append({"idx": 4, "val": person["rgn_cd"]})
        found.append({"idx": 7, "val": "B2B" if person["cust_typ"] in "BD" else "B2C"})
        return found

    def _hits(self, begin: datetime.datetime, day: str, order: Bought | None) -> Iterator[Row]:
        """What the visitor did, in order; an order ends it."""
        dice = self.dice
        running = [name for name, (first, last) in _EXPERIMENTS.items() if first <= day <= last]
        steps = ["browse"] * (1 + dice.low(7)) + (["checkout", "order"] if order else [])
        ms = 0
        for place, step in enumerate(steps):
            at = begin + datetime.timedelta(milliseconds=ms)
            hit: Row = {
                "hit_no": place + 1, "type": "PAGE", "ms": ms, "hour": at.hour, "minute": at.minute,
                "is_entrance": place == 0, "is_exit": place == len(steps) - 1, "is_interaction": True,
                "is_secure": True, "data_source": "web",
            }  # fmt: skip
            if step == "browse":
                self._browse(hit)
            else:
                self._buy(hit, step, order)
            if running and place == 0:
                hit["experiments"] = [{"id": name, "variant": str(dice.below(2))} for name in running]
            if hit["type"] == "PAGE":
                load = dice.between(200, 1200) * (1 + dice.low(4))
                hit["timing"] = {"load_ms": load, "response_ms": load // 4, "sample": 1}
                hit["custom_dims"] = [{"idx": 3, "val": "fast" if load < 1500 else "slow"}]
                hit["custom_metrics"] = [{"idx": 1, "val": dice.between(5, 100)}]
            yield hit
            ms += dice.between(4_000, 90_000)

    def _browse(self, hit: Row) -> None:
        dice = self.dice
        section = dice.weighted(_SECTIONS)
        leaf = dice.pick(self.pages[section])
        hit["page"] = page = {
            "path": f"{section}{leaf}",
            "host": "shop.example",
            "level1": section,
            "level2": f"/{leaf}",
        }
        if hit["hit_no"] > 1 and dice.chance(0.15):
            category, action = dice.weighted(_EVENTS)
            hit["type"] = "EVENT"
            hit["event"] = {"category": category, "action": action, "label": leaf, "value": dice.between(1, 60)}
            if category == "vid":
                hit["custom_metrics"] = [{"idx": 2, "val": dice.between(3, 240)}]
        elif dice.chance(0.12):
            page |= {"search_term": dice.pick(self.searches), "search_category": section.strip("/")}
        elif section in ("/k/", "/w/", "/g/"):
            hit["action"] = {"code": dice.weighted(_ACTIONS), "step": None}
            hit["products"] = [self._product(self.popular[dice.low(len(self.popular))])]
        if dice.chance(0.01):
            hit["error"] = {"text": dice.pick(("image missing", "script timeout")), "is_fatal": dice.chance(0.2)}

    def _buy(self, hit: Row, step: str, order: Bought | None) -> None:
        assert order is not None
        hit["page"] = {"path": "/cart/checkout", "host": "shop.example", "level1": "/cart/", "level2": "/checkout"}
        products = [
            self._product(line["sku"])
            | {"quantity": line["qty"], "revenue": int(line["qty"] * line["unt_prc"] * MICROS), "is_impression": None}
            for line in order.lines
        ]
        hit["products"] = products
        if step == "checkout":
            hit["action"] = {"code": "5", "step": self.dice.between(1, 3), "option": order.header["pay_mt"]}
            return
        hit["action"] = {"code": "6", "step": None}
        hit["trans"] = {
            "id": str(order.header["ord_no"]), "revenue": order.cents * MICROS // 100,
            "tax": order.cents * MICROS // 100 * 19 // 119,
            "shipping": int(order.header["frt_amt"] * MICROS), "affiliation": "web shop",
            "currency": order.header["cur_cd"], "coupon": order.header["vchr_cd"],
        }  # fmt: skip

    def _product(self, sku: str) -> Row:
        item = self.items[sku]
        return {
            "sku": sku,
            "name": item["itm_nm"],
            "line": item["pl_cd"],
            "brand": "(not set)",
            "price": int(item["lst_prc"] * MICROS),
            "is_impression": self.dice.chance(0.3) or None,
            "list_position": self.dice.between(1, 12),
            "custom_dims": [{"idx": 6, "val": self.dice.weighted(_STOCK)}],
            "custom_metrics": [{"idx": 1, "val": self.dice.between(0, 400)}],
        }
