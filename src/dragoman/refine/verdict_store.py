"""What verifiers answered and whether it was right, kept by content: nothing is asked twice, not even after a kill."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dragoman.bench.ledger import Ledger, read_ledger
from dragoman.errors import SetupError


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """One answer of one verifier under one set of names. `cost` is in US dollars, None where the price is unknown."""

    key: str
    correct: bool
    verdict: str
    sql: str = ""
    calls: int = 0
    tokens: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0


class VerdictStore:
    """A file of JSON Lines that survives a kill, or the memory alone. Safe to use from several threads."""

    def __init__(self, path: Path | None = None) -> None:
        """Raises `SetupError` for a file of another kind."""
        self._lock = threading.Lock()
        self._found: dict[str, StoredVerdict] = {}
        self._ledger: Ledger | None = None
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        self._ledger = Ledger(path)
        for record in read_ledger(path):
            try:
                kept = StoredVerdict(**record)
            except TypeError:
                self._ledger.close()
                raise SetupError(f"{path} holds no verdicts of this version. Give another folder.") from None
            self._found[kept.key] = kept

    def get(self, key: str) -> StoredVerdict | None:
        with self._lock:
            return self._found.get(key)

    def put(self, verdict: StoredVerdict) -> None:
        with self._lock:
            if verdict.key in self._found:
                return
            self._found[verdict.key] = verdict
        if self._ledger is not None:
            self._ledger.append(asdict(verdict))

    def __len__(self) -> int:
        return len(self._found)

    def close(self) -> None:
        if self._ledger is not None:
            self._ledger.close()
            self._ledger = None


def content_key(parts: Sequence[Any]) -> str:
    """The digest of what decides an answer; `parts` must be plain JSON."""
    text = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
