"""Tokens that an agent sends for one question over a wide schema: python benchmarks/agent_tokens.py [--peers PYTHON]

Makes a SQLite database of 40 tables and 1,000 columns and an OpenAI-compatible server whose replies are a script: the
shortest sensible way that each agent offers to the same query (look once, then answer). Counts the characters of all
requests, tools included, over four. `--peers` is a Python that has `langchain`, `langchain-community`,
`langchain-openai`, `llama-index-core` and `llama-index-llms-openai-like`; agent_tokens_peer.py runs in it. With peers
the results are written to benchmarks/results/agent_tokens.md.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import random
import sqlite3
import subprocess
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dragoman.agent import Toolbox, agent
from dragoman.agent.skills import find_skill
from dragoman.databases import connect
from dragoman.models import HostedModel
from dragoman.questions import Question
from dragoman.solver import Draw

TABLES, COLUMNS = 40, 25
QUESTION = "How many shipments were lost?"
SQL = "SELECT COUNT(*) FROM shipment WHERE delivery_state = 'lost'"
PEERS = ("langchain", "llama_index")
RESULTS = Path(__file__).parent / "results" / "agent_tokens.md"
WORDS = {
    "subjects": "customer purchase product invoice payment shipment employee store region category supplier ticket"
    " session campaign contract asset vehicle route claim policy agent branch account transfer loan card device sensor"
    " reading alert incident patient visit drug dose lab sample room booking guest",
    "things": "name kind amount quantity price country city note owner parent score rank level source channel currency"
    " rate weight height colour origin target phase batch grade limit margin share fee tax discount",
    "qualities": "first last total average minimum maximum billing delivery planned actual open net gross local base",
}

Message = dict[str, Any]


def main() -> None:
    """Print one line for each agent: calls, characters over four of all requests, and what it answered."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", metavar="PYTHON")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wide.sqlite"
        make(path)
        server = Server()
        answer = ours(path, server.url)
        rows = [f"| Dragoman {version('dragoman')}, skill `balanced` | {server.counted()} | {answer} |"]
        for peer in PEERS if arguments.peers else ():
            script = Path(__file__).with_name("agent_tokens_peer.py")
            command = [arguments.peers, str(script), peer, str(path), server.url, QUESTION]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            said = (done.stdout.strip().splitlines() or done.stderr.strip().splitlines() or [""])[-1]
            name, _, answered = said.partition(": ")
            rows.append(f"| {name} | {server.counted()} | {answered} |")
        server.http.shutdown()
    text = page(rows)
    print(text)
    if arguments.peers:
        RESULTS.write_text(text, encoding="utf-8")


def page(rows: list[str]) -> str:
    """The results as Markdown."""
    head = (
        f"# Tokens of one question over {TABLES} tables with {TABLES * COLUMNS:,} columns\n\n"
        f"Written by `python benchmarks/agent_tokens.py --peers PYTHON` on {datetime.date.today()}; Python "
        f"{platform.python_version()}, {os.cpu_count()} cores {platform.machine()}. Tokens are the characters of all "
        "requests, tools included, over four. The server's replies are a script: the shortest sensible way that each "
        "agent offers to the same query."
    )
    return "\n".join([f"{head}\n", "| agent | calls | tokens sent | answer |", "|---|---|---|---|", *rows]) + "\n"


def make(path: Path) -> None:
    """40 tables of 25 columns, the same on every run; names are pairs of words, so that no two tables are alike."""
    dice = random.Random(7)
    with sqlite3.connect(path) as connection:
        pairs = [f"{quality}_{thing}" for quality in WORDS["qualities"].split() for thing in WORDS["things"].split()]
        for subject in WORDS["subjects"].split():
            names = dice.sample(pairs, COLUMNS - 2)
            columns = ", ".join(f"{name} {dice.choice(('TEXT', 'INTEGER', 'NUMERIC', 'DATE'))}" for name in names)
            connection.execute(
                f"CREATE TABLE {subject} ({subject}_id INTEGER PRIMARY KEY, delivery_state TEXT, {columns})"
            )
            connection.execute(f"INSERT INTO {subject} ({subject}_id, delivery_state) VALUES (1, 'lost'), (2, 'sent')")
    connection.close()


def ours(path: Path, url: str) -> object:
    """What our agent answers with its default skill."""
    database = connect(str(path))
    model = HostedModel("scripted", url, "none")
    toolbox = Toolbox("Wednesday, 2025-12-31 (UTC)")
    answer = agent(database, model, find_skill("balanced").body, toolbox)(Question(QUESTION), Draw())
    database.close()
    return answer.rows and answer.rows.rows


def reply(body: dict[str, Any]) -> Message:
    """The next step of the script for whoever asks, told by the tools that are offered."""
    tools = {tool["function"]["name"] for tool in body.get("tools") or ()}
    done = sum(message["role"] == "tool" for message in body["messages"])
    if "submit_final_sql" in tools:
        steps = [
            ("execute_sql", {"sql": "SELECT DISTINCT delivery_state FROM shipment"}),
            ("submit_final_sql", {"sql": SQL}),
        ]
        return called(*steps[done])
    if "sql_db_query" in tools:
        steps = [
            ("sql_db_list_tables", {"tool_input": ""}),
            ("sql_db_schema", {"table_names": "shipment"}),
            ("sql_db_query", {"query": "SELECT DISTINCT delivery_state FROM shipment"}),
            ("sql_db_query", {"query": SQL}),
        ]
        return called(*steps[done]) if done < len(steps) else {"role": "assistant", "content": "1 shipment was lost."}
    asked = "".join(str(message["content"]) for message in body["messages"])
    text = "1 shipment was lost." if "SQL Response:" in asked else f"SQLQuery: {SQL}"
    return {"role": "assistant", "content": text}


def called(name: str, arguments: dict[str, str]) -> Message:
    """An assistant message with one tool call."""
    call = {"id": f"call_{name}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def completion(message: Message, finish: str, body: dict[str, Any]) -> tuple[str, bytes]:
    """(content type, body) of the answer to a request, streamed in one piece where a stream was asked for."""
    head = {"id": "x", "created": 0, "model": body["model"]}
    if not body.get("stream"):
        choice = {"index": 0, "message": message, "finish_reason": finish}
        usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
        whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
        return "application/json", json.dumps(whole).encode()
    calls = [{**call, "index": i} for i, call in enumerate(message.get("tool_calls", ()))]
    delta = {**message, "tool_calls": calls} if calls else message
    chunks = [
        {**head, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": d, "finish_reason": f}]}
        for d, f in ((delta, None), ({}, finish))
    ]
    events = [json.dumps(chunk) for chunk in chunks] + ["[DONE]"]
    return "text/event-stream", "".join(f"data: {event}\n\n" for event in events).encode()


class Server:
    """The scripted server on a free port of this machine."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                return

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                asked = {key: body[key] for key in ("messages", "tools") if body.get(key)}
                outer.sizes.append(len(json.dumps(asked, ensure_ascii=False)))
                message = reply(body)
                finish = "tool_calls" if message.get("tool_calls") else "stop"
                kind, payload = completion(message, finish, body)
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"

    def counted(self) -> str:
        """Calls and tokens since the last time."""
        text = f"{len(self.sizes)} | {sum(self.sizes) // 4:,}"
        self.sizes.clear()
        return text


if __name__ == "__main__":
    main()
