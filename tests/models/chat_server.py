"""A small model server for tests: Chat Completions, Anthropic's Messages and Google's generateContent.

It answers "SELECT 1" unless a behaviour was queued, and misbehaves on order.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Handler", dict[str, Any]], None]


@dataclass
class Seen:
    """A request that arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class ChatServer:
    """A running server. Queue behaviours in `behaviours`; `seen` holds the requests; `released` ends every hang."""

    http: ThreadingHTTPServer
    behaviours: list[Behaviour] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}"

    @property
    def url(self) -> str:
        return f"{self.root}/v1"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    chat: ChatServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        chat = self.chat
        with chat.lock:
            chat.seen.append(Seen(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            behaviour = chat.behaviours.pop(0) if chat.behaviours else say()
        behaviour(self, body)

    def send(self, status: int, body: str, headers: dict[str, str] | None = None) -> None:
        data = body.encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def stream(self, events: Iterator[str], pause: float = 0.0) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in events:
            data = event.encode()
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()
            if pause and self.chat.released.wait(pause):
                break
        self.wfile.write(b"0\r\n\r\n")

    def reset(self) -> None:
        """Cut the connection, without a farewell."""
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def say(text: str = "SELECT 1", calls: tuple[tuple[str, str], ...] = (), **options: Any) -> Behaviour:
    """Answer in the form that the path asks for. `calls` are (tool, arguments) pairs."""

    def behave(handler: Handler, body: dict[str, Any]) -> None:
        if "messages" in handler.path:
            _say_anthropic(handler, body, text, calls)
        elif "enerateContent" in handler.path:
            _say_google(handler, text)
        else:
            _say_openai(handler, body, text, calls, **options)

    return behave


def answer_status(status: int, body: str = '{"error": {"message": "no"}}', **headers: str) -> Behaviour:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler, _: handler.send(status, body, named)


def hang(handler: Handler, _: dict[str, Any]) -> None:
    handler.chat.released.wait(30)
    handler.close_connection = True


def cut(handler: Handler, _: dict[str, Any]) -> None:
    handler.reset()


def cut_in_stream(text: str) -> Behaviour:
    def behave(handler: Handler, body: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for piece in text.split(" "):
            data = _sse(_openai_chunk(body, {"content": piece + " "})).encode()
            handler.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        handler.wfile.flush()
        time.sleep(0.05)
        handler.reset()

    return behave


def close_in_stream(text: str) -> Behaviour:
    """Stream the text and end in good form, but without a finish reason or usage."""
    return lambda handler, body: handler.stream(
        _sse(_openai_chunk(body, {"content": piece})) for piece in _pieces(text)
    )


def _sse(value: Any, event: str = "") -> str:
    return (f"event: {event}\n" if event else "") + f"data: {json.dumps(value)}\n\n"


def _pieces(text: str) -> list[str]:
    words = text.split(" ")
    return [word + " " for word in words[:-1]] + words[-1:]


def _openai_chunk(body: dict[str, Any], delta: dict[str, Any], finish: str | None = None, **more: Any) -> Any:
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
    chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": body["model"], "choices": [choice]}
    return {**chunk, **more}


def _say_openai(
    handler: Handler,
    body: dict[str, Any],
    text: str,
    calls: tuple[tuple[str, str], ...],
    finish: str = "",
    pause: float = 0.0,
) -> None:
    tool_calls = [
        {"index": i, "id": f"call-{i}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for i, (name, arguments) in enumerate(calls)
    ]
    finish = finish or ("tool_calls" if calls else "stop")
    usage = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}
    if body.get("stream"):
        chunks = [_openai_chunk(body, {"role": "assistant", "content": piece}) for piece in _pieces(text)]
        chunks += [_openai_chunk(body, {"tool_calls": [call]}) for call in tool_calls]
        chunks += [_openai_chunk(body, {}, finish), _openai_chunk(body, {}, choices=[], usage=usage)]
        handler.stream((*map(_sse, chunks), "data: [DONE]\n\n").__iter__(), pause)
        return
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if tool_calls:
        message["tool_calls"] = [{k: v for k, v in call.items() if k != "index"} for call in tool_calls]
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish}
    if body.get("logprobs"):
        tokens = [{"token": t, "logprob": -0.5, "bytes": None, "top_logprobs": []} for t in _pieces(text)]
        choice["logprobs"] = {"content": tokens, "refusal": None}
    reply = {"id": "c1", "object": "chat.completion", "created": 1, "model": body["model"], "choices": [choice]}
    handler.send(200, json.dumps({**reply, "usage": usage}))


def _say_anthropic(handler: Handler, body: dict[str, Any], text: str, calls: tuple[tuple[str, str], ...]) -> None:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    blocks += [
        {"type": "tool_use", "id": f"call-{i}", "name": name, "input": json.loads(arguments)}
        for i, (name, arguments) in enumerate(calls)
    ]
    stop = "tool_use" if calls else "end_turn"
    reply = {"id": "m1", "type": "message", "role": "assistant", "model": body["model"], "stop_sequence": None}
    usage = {"input_tokens": 12, "output_tokens": 3}
    if not body.get("stream"):
        handler.send(200, json.dumps({**reply, "content": blocks, "stop_reason": stop, "usage": usage}))
        return
    started = {**reply, "content": [], "stop_reason": None, "usage": usage}
    events = [_sse({"type": "message_start", "message": started}, "message_start")]
    for i, block in enumerate(blocks):
        if block["type"] == "text":
            empty, deltas = {"type": "text", "text": ""}, [{"type": "text_delta", "text": p} for p in _pieces(text)]
        else:
            empty = {**block, "input": {}}
            deltas = [{"type": "input_json_delta", "partial_json": json.dumps(block["input"])}]
        start = {"type": "content_block_start", "index": i, "content_block": empty}
        events.append(_sse(start, "content_block_start"))
        for delta in deltas:
            event = {"type": "content_block_delta", "index": i, "delta": delta}
            events.append(_sse(event, "content_block_delta"))
        events.append(_sse({"type": "content_block_stop", "index": i}, "content_block_stop"))
    end = {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage}
    events += [_sse(end, "message_delta"), _sse({"type": "message_stop"}, "message_stop")]
    handler.stream(iter(events))


def _say_google(handler: Handler, text: str) -> None:
    usage = {"promptTokenCount": 12, "candidatesTokenCount": 3, "totalTokenCount": 15}

    def part(piece: str, finish: str | None) -> dict[str, Any]:
        candidate: dict[str, Any] = {"content": {"role": "model", "parts": [{"text": piece}]}, "index": 0}
        if finish:
            candidate["finishReason"] = finish
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-test", "responseId": "g1"}

    if "stream" in handler.path:
        pieces = _pieces(text)
        handler.stream(_sse(part(p, "STOP" if i == len(pieces) - 1 else None)) for i, p in enumerate(pieces))
    else:
        handler.send(200, json.dumps(part(text, "STOP")))
