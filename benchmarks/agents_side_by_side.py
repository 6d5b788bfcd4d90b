"""Eight agents against a slow server on this machine: python benchmarks/agents_side_by_side.py [--rounds N]

The server waits 200 ms before each reply. The agents of divskill take from two to eight calls each, by their skill.
First every agent works alone, then all eight side by side, each round anew; the target is that all of them together
take at most 1.3 times what the slowest one takes alone. Writes benchmarks/results/agents_side_by_side.md.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from agent_tokens import Message, called, completion

from dragoman.agent.skills import seed_skills
from dragoman.databases import Database, connect
from dragoman.demo import build
from dragoman.ensemble import Tournament
from dragoman.models import ModelsByRole, open_model
from dragoman.questions import Question
from dragoman.solver import Answer, Draw
from dragoman.workflows.divskill import DivSkill, divskill
from dragoman.workflows.zero_shot import Asking

WAIT = 0.2
TARGET = 1.3
ASKED = Question("How many customers have ordered?")
SUBMITTED = ("SELECT COUNT(DISTINCT customer_id) FROM orders", "SELECT COUNT(*) FROM orders")
RESULTS = Path(__file__).parent / "results" / "agents_side_by_side.md"


def main() -> None:
    """Measure, print and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder) / "demo.sqlite")
        database = connect(str(Path(folder) / "demo.sqlite"))
        server = SlowServer()
        models = ModelsByRole(open_model("scripted", base_url=server.url))
        ask(database, models, seed_skills()[:1])  # connections and imports are made once
        measured = [measure(database, models, server) for _ in range(rounds)]
        server.http.shutdown()
        database.close()
    text = page(measured)
    print(text)
    RESULTS.write_text(text, encoding="utf-8")


def measure(database: Database, models: ModelsByRole, server: SlowServer) -> dict[str, float]:
    """Seconds of the slowest agent alone, of all one after another, of all at once, and with the tournament."""
    alone = [seconds(partial(ask, database, models, (skill,))) for skill in seed_skills()]
    server.most = 0
    together = seconds(partial(ask, database, models, seed_skills(), decisive=0.0))
    most = float(server.most)
    judged = seconds(partial(ask, database, models, seed_skills()))
    return {"slowest": max(alone), "sum": sum(alone), "together": together, "judged": judged, "at once": most}


def ask(database: Database, models: ModelsByRole, skills: tuple[Any, ...], decisive: float | None = None) -> Answer:
    """One question; with `decisive` 0 the largest class wins without a judge."""
    how = DivSkill(skills, tournament=Tournament(decisive=decisive, workers=8))
    answer = divskill(how)(database, models, Asking("Wednesday, 2025-12-31 (UTC)"))(ASKED, Draw())
    assert answer.rows is not None
    return answer


def seconds(work: Callable[[], object]) -> float:
    """Wall time."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def page(measured: list[dict[str, float]]) -> str:
    """The results as Markdown."""

    def row(name: str, values: list[float]) -> str:
        return f"| {name} | {statistics.median(values):.2f} | {min(values):.2f} to {max(values):.2f} |"

    ratios = [found["together"] / found["slowest"] for found in measured]
    names = {
        "slowest": "the slowest agent alone",
        "sum": "all eight, one after another",
        "together": "all eight side by side",
        "judged": "all eight side by side, and a tournament of two classes",
    }
    rows = [row(f"{name}, s", [found[key] for found in measured]) for key, name in names.items()]
    load = os.getloadavg()[0]
    head = (
        f"# Eight agents side by side\n\nWritten by `python benchmarks/agents_side_by_side.py` on "
        f"{datetime.date.today()}; Python {platform.python_version()}, {os.cpu_count()} cores {platform.machine()}, "
        f"load average {load:.1f} at the end. A server on the same machine waits {WAIT * 1000:.0f} ms before each "
        f"reply; agents make two to eight calls. {len(measured)} rounds."
    )
    lines = ["| measured | median | range |", "|---|---|---|", *rows]
    lines.append(row("requests under way at the same time, at most", [found["at once"] for found in measured]))
    lines.append(row(f"side by side over the slowest alone (target: at most {TARGET})", ratios))
    return f"{head}\n\n" + "\n".join(lines) + "\n"


class SlowServer:
    """A scripted model on a free port. `most` is how many requests were under way at the same time."""

    def __init__(self) -> None:
        self.most = self.now = 0
        lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                return

            def do_POST(self) -> None:
                with lock:
                    outer.now += 1
                    outer.most = max(outer.most, outer.now)
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                time.sleep(WAIT)
                message = reply(body)
                kind, payload = completion(message, "tool_calls" if message.get("tool_calls") else "stop", body)
                with lock:
                    outer.now -= 1
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"


def reply(body: dict[str, Any]) -> Message:
    """The next step of the agent whose skill is in the system text; the judge prefers what it sees first."""
    if not body.get("tools"):
        return {"role": "assistant", "content": "Better: A"}
    system = str(body["messages"][0]["content"])
    number = next(n for n, skill in enumerate(seed_skills()) if skill.body in system)
    done = sum(message["role"] == "tool" for message in body["messages"])
    if done > number % 7:
        return called("submit_final_sql", {"sql": SUBMITTED[number % 2]})
    return called("execute_sql", {"sql": f"SELECT status, COUNT(*) FROM orders GROUP BY status LIMIT {done + 3}"})


if __name__ == "__main__":
    main()
