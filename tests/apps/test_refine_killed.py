"""A refinement that is killed outright goes on where it was: the same file, and no call made twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import Any

import pytest

from dragoman.apps.cli import run
from tests.apps.test_refine_cli import EXAMPLES, KNOWING, Place, place
from tests.models.chat_server import Behaviour, ChatServer, Handler, say
from tests.models.conftest import server

__all__ = ["place", "server"]


class Always(list[Behaviour]):
    """A queue that never ends."""

    def __bool__(self) -> bool:
        return True

    def pop(self, index: Any = -1) -> Behaviour:
        return behave


def behave(handler: Handler, body: dict[str, Any]) -> None:
    """A model that proposes names, and answers right where the column is called town."""
    said = "\n".join(str(message.get("content") or "") for message in body["messages"])
    asked = next((n for n, example in enumerate(EXAMPLES) if example.question.text in said), None)
    if asked is not None:
        say(KNOWING[asked] if "town" in said.replace(EXAMPLES[asked].question.text, "") else "SELECT 1")(handler, body)
    elif "Propose" in said:
        say('["home", "town", "residence"]')(handler, body)
    else:
        say("Clients and where they live.")(handler, body)


@pytest.mark.slow
def test_killed_in_the_middle_it_comes_to_the_same_file(server: ChatServer, place: Place) -> None:
    server.behaviours = Always()
    given = ["--db", str(place.db), "--workload", str(place.workload), "--model", "openai:some"]
    how = ["--base-url", server.url, "--screen", "rule", "--propose", "model", "--verifier", "zero_shot"]
    command = ["refine", "run", *given, *how, "--held-out", "0", "--no-tables"]
    assert run([*command, "--out", str(place.folder / "whole")]) == 0
    whole = len(server.seen)
    assert whole > 10
    server.seen.clear()
    environment = {**os.environ, "DRAGOMAN_CACHE": str(place.folder / "other")}
    line = [sys.executable, "-m", "dragoman", *command, "--out", str(place.folder / "parts")]
    for target in (3, whole // 2, whole - 3):
        process = subprocess.Popen(line, env=environment, cwd=place.folder, stdout=subprocess.DEVNULL)
        while process.poll() is None and len(server.seen) < target:
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL, "it was over before it could be killed"
    subprocess.run(line, env=environment, cwd=place.folder, check=True, stdout=subprocess.DEVNULL)
    made = [(place.folder / name / "refinement.json").read_bytes() for name in ("whole", "parts")]
    assert made[0] == made[1]
    assert json.loads(made[0])["tables"]["clients"]["columns"] == {"id": "home", "twn": "town"}
    bodies = Counter(json.dumps(seen.body, sort_keys=True) for seen in server.seen)
    assert sum(count - 1 for count in bodies.values()) <= 3, "only what was on its way is asked again"
    assert len(bodies) == whole
