"""An interrupt ends a program that waits for a hosted model, at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.models.chat_server import ChatServer, hang

CODE = """
import sys
from dragoman.models import Message, Settings, open_model
model = open_model("m", base_url=sys.argv[1])
on_text = (lambda text: None) if sys.argv[3] == "streamed" else None
model.complete([Message("user", "hi")], settings=Settings(n=int(sys.argv[2])), on_text=on_text)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize(("samples", "how"), [(1, "streamed"), (3, "whole")])
def test_an_interrupt_does_not_wait_for_the_server(server: ChatServer, samples: int, how: str) -> None:
    server.behaviours += [hang] * samples
    command = [sys.executable, "-c", CODE, server.url, str(samples), how]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while len(server.seen) < samples:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=20)  # the client itself would wait for 60 s
    assert "KeyboardInterrupt" in complaint
