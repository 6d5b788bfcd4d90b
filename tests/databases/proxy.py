"""A wire between an engine and its server that can go dead, as networks do: nothing arrives, nothing is refused."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Proxy:
    """Forwards connections of 127.0.0.1:`port` until `die`; then it accepts them and says nothing."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._dead = threading.Event()
        self._server = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = [self._server]
        self.port = self._server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def die(self) -> None:
        self._dead.set()

    def close(self) -> None:
        self.die()
        for each in self._open:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                here, _ = self._server.accept()
                self._open.append(here)
                if not self._dead.is_set():
                    there = socket.create_connection(self._target)
                    self._open.append(there)
                    for pair in ((here, there), (there, here)):
                        threading.Thread(target=self._forward, args=pair, daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if not self._dead.is_set():
                    target.sendall(data)
            target.shutdown(socket.SHUT_WR)


@contextmanager
def proxy(host: str, port: int) -> Iterator[Proxy]:
    """A proxy that is closed at the end."""
    made = Proxy(host, port)
    try:
        yield made
    finally:
        made.close()
