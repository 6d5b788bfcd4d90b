"""A network that goes dead: no query and no connection hangs."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from dragoman.databases.connect import open_engine
from dragoman.databases.url import parse_url
from dragoman.errors import DragomanError, QueryTimeout, SetupError
from tests.databases.places import PLACES
from tests.databases.proxy import proxy
from tests.databases.servers import is_embedded

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["postgres", "mariadb"])
def test_a_dead_network_hangs_nothing(name: str, tmp_path: Path) -> None:
    if name == "postgres" and is_embedded():
        pytest.skip("the packaged PostgreSQL has no network; make services has one")
    with PLACES[name](tmp_path) as place:
        url = parse_url(place.url)
        with proxy(url.host, int(url.port)) as wire:
            there = place.url.replace(f":{url.port}/", f":{wire.port}/")
            engine = open_engine(there)
            with engine.stream("SELECT 1", 20) as stream:
                assert [tuple(row) for batch in stream for row in batch] == [(1,)]
            started = time.monotonic()

            def query() -> None:
                with engine.stream(place.endless, 1) as stream:
                    wire.die()
                    list(stream)

            if name == "mariadb":  # it answers only when the count is done, so the wire dies beforehand
                wire.die()
                with pytest.raises(DragomanError):
                    query()
            else:
                with pytest.raises(QueryTimeout):
                    query()
            assert time.monotonic() - started < 60
            with pytest.raises(SetupError):
                open_engine(there)
            assert time.monotonic() - started < 120
            engine.close()
