"""Ctrl-C while several agents wait for their model ends all of them at once, and keeps what is finished."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dragoman.agent.transcript import read_transcripts
from tests.models.chat_server import ChatServer, hang, say
from tests.models.conftest import server

__all__ = ["server"]

SUBMIT = say("", (("submit_final_sql", json.dumps({"sql": "SELECT COUNT(*) FROM customer"})),))


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_an_interrupt_ends_all_agents_and_keeps_finished_transcripts(server: ChatServer, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.execute("CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT)")
    connection.close()
    server.behaviours += [SUBMIT, *[hang] * 7]
    command = [sys.executable, "-m", "dragoman", "ask", "How many?", "--db", "shop.db", "--method", "divskill"]
    command += ["--model", "m", "--base-url", server.url, "--transcript", "runs.jsonl"]
    environment = {**os.environ, "DRAGOMAN_CACHE": str(tmp_path / "cache")}
    with (tmp_path / "said").open("w") as said:
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=said, stderr=said)
        while len(server.seen) < 8 or "ended (submitted)" not in (tmp_path / "said").read_text("utf-8"):
            assert process.poll() is None, (tmp_path / "said").read_text("utf-8")
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130  # the agents themselves would wait for 30 s
    text = (tmp_path / "said").read_text("utf-8")
    assert text.rstrip().endswith("dragoman: Interrupted.")
    assert "Traceback" not in text
    assert [run.sql for run in read_transcripts(tmp_path / "runs.jsonl")] == ["SELECT COUNT(*) FROM customer"]
    assert len(server.seen) == 8
