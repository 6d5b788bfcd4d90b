"""The one hash by which caches, recordings and in-flight calls know a request."""

from __future__ import annotations

import hashlib
import json

from dragoman.models.request import Request, request_to_record


def request_key(request: Request) -> str:
    """SHA-256, in hexadecimal, of the request's canonical JSON.

    Model, provider parameters, messages, tools and all settings count, the sample index included; the order of keys
    inside JSON schemas and parameters does not.
    """
    record = request_to_record(request)
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
