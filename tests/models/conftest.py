"""Fixtures of the model tests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer

import pytest

from tests.models.chat_server import ChatServer, Handler


@pytest.fixture
def server() -> Iterator[ChatServer]:
    """A model server on loopback."""

    class Bound(Handler):
        pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Bound)
    http.daemon_threads = True
    chat = ChatServer(http)
    Bound.chat = chat
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield chat
    chat.released.set()
    http.shutdown()
    http.server_close()
    thread.join()
