"""Which tables join, along what, and which sets of tables a query may use."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dragoman.models.embedded.scopes import Join, joins, repeated, scopes
from dragoman.schema import Column, ForeignKey, Schema, Table


def table(name: str, *columns: str, keys: tuple[ForeignKey, ...] = (), primary: str = "") -> Table:
    return Table(name, tuple(Column(c, primary_key=int(c == primary)) for c in columns), foreign_keys=keys)


def conditions(*tables: Table) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for join in joins(tables, Schema(tables)):
        found.setdefault((tables[join.left].name, tables[join.right].name), set()).add(join.on)
    return found


def test_foreign_keys_in_both_directions_and_composite() -> None:
    order = table("Order", "id", "day", primary="id")
    line = table("line", "no", "on day", keys=(ForeignKey(("no", "on day"), "Order", ("id", "day")),))
    assert conditions(order, line) == {
        ("line", "Order"): {'line.no = "order".id AND line."on day" = "order".day'},
        ("Order", "line"): {'"order".id = line.no AND "order".day = line."on day"'},
    }


def test_names_stand_in_where_there_are_no_keys() -> None:
    trip = table("trip", "id", "start_station_id", "note", primary="id")
    stations = table("stations", "id", "city", "note", primary="id")
    weather = table("weather", "city", "rain")
    found = conditions(trip, stations, weather)
    assert "trip.start_station_id = stations.id" in found["trip", "stations"]
    assert found["stations", "weather"] == {"stations.city = weather.city"}
    assert ("trip", "weather") not in found


def test_any_name_only_between_tables_that_no_keys_connect() -> None:
    key = ForeignKey(("b_id",), "b", ("id",))
    a, b = table("a", "b_id", "name", keys=(key,)), table("b", "id", "name", primary="id")
    c = table("c", "b_id", "name", keys=(key,))
    found = conditions(a, b, c)
    assert found["a", "b"] == {"a.b_id = b.id"}
    assert found["a", "c"] == {"a.b_id = c.b_id"}


def test_keys_to_nowhere_join_nothing() -> None:
    keys = (ForeignKey(("x",), "absent", ("id",)), ForeignKey(("x",), "b", ()))
    assert conditions(table("a", "x", keys=keys), table("b", "id")) == {}


def test_tables_that_occur_twice() -> None:
    team = table("team", "id", "rival_id", keys=(ForeignKey(("rival_id",), "team", ("id",)),))
    ends = tuple(ForeignKey((column,), "team", ("id",)) for column in ("home", "away"))
    tables = (team, table("game", "home", "away", keys=ends))
    froms = [text for each in repeated(tables, Schema(tables)) for text in each.froms]
    assert froms[0] == "team AS t1 JOIN team AS t2 ON t1.rival_id = t2.id"
    assert "game JOIN team AS t2 ON game.home = t2.id JOIN team AS t3 ON game.away = t3.id" in froms


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(1, 4)), max_size=20), st.integers(1, 60))
def test_scopes_are_connected_and_bounded(edges: list[tuple[int, int, int]], most: int) -> None:
    ways = [Join(a, b, "", cost) for one, two, cost in edges for a, b in ((one, two), (two, one)) if one != two]
    found = scopes(8, ways, most)
    assert len(found) == len(set(found)) <= max(most, 8)
    assert set(found[:8]) == {frozenset([number]) for number in range(8)}
    assert all(len(scope) <= 4 for scope in found)
    for scope in found:
        reached = {min(scope)}
        for _ in scope:
            reached |= {way.right for way in ways if way.left in reached and way.right in scope}
        assert reached == scope
