"""What the model has read, kept on disk, so that the next process need not read the same beginning again.

One state is two files: NAME.state, written by the runtime, and NAME.json, which says for which text, with the
checksum of the first. The second is written last, so that a state without it does not exist.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

WORTH = 200
"""Characters of common text below which restoring a state does not pay."""


def common_length(one: str, other: str) -> int:
    """How many characters both texts begin with."""
    if other.startswith(one):
        return len(one)
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


@dataclass(frozen=True, slots=True)
class PrefixState:
    """A stored state: its file's name in the folder, and how many characters of the wanted text it covers."""

    name: str
    covered: int


class PrefixStates:
    """The states of one model under one setting. Others share the folder, which holds `limit` bytes at most.

    `identity` names everything that a state depends on: model, adapter, scale, runtime. Nothing here raises: a
    folder that cannot be read or written, or a damaged file, means that there is no state.
    """

    def __init__(self, folder: Path, identity: str, limit: int = 512 << 20) -> None:
        self.folder = folder
        self._prefix = hashlib.sha256(identity.encode()).hexdigest()[:16]
        self._limit = limit

    def find(self, text: str, held: int = 0) -> PrefixState | None:
        """The whole state that covers most of `text`, None if none is worth it. Marks it as used.

        `held` is how many characters of `text` need no state.
        """
        best, name, digest = held + WORTH, "", ""
        for card in self._cards():
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                entry = json.loads(card.read_text("utf-8"))
                covered = common_length(entry["text"], text)
                if covered > best:
                    best, name, digest = covered, card.stem, str(entry["sha256"])
        state = self.folder / f"{name}.state"
        if not name or not _is(state, digest):
            return None
        with contextlib.suppress(OSError):
            os.utime(state)
        return PrefixState(state.name, best)

    def keep(self, text: str, save: Callable[[str], bool]) -> int:
        """Keep the state for `text`; `save` writes it under the file name it is given. Bytes kept, 0 if that failed."""
        name = f"{self._prefix}-{hashlib.sha256(text.encode()).hexdigest()[:32]}"
        draft = f".{name}-{secrets.token_hex(4)}"
        drafts = self.folder / f"{draft}.state", self.folder / f"{draft}.json"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not save(drafts[0].name):
                return 0
            with drafts[0].open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            drafts[1].write_text(json.dumps({"text": text, "sha256": digest}), "utf-8")
            for draft_file in drafts:
                draft_file.chmod(0o600)
            os.replace(drafts[0], self.folder / f"{name}.state")
            os.replace(drafts[1], self.folder / f"{name}.json")
            self._shrink()
            return (self.folder / f"{name}.state").stat().st_size
        except OSError:
            return 0
        finally:
            for draft_file in drafts:
                with contextlib.suppress(OSError):
                    draft_file.unlink(missing_ok=True)

    def _cards(self) -> list[Path]:
        try:
            return sorted(self.folder.glob(f"{self._prefix}-*.json"))
        except OSError:
            return []

    def _shrink(self) -> None:
        """Delete what was used longest ago until the rest is within the limit; drafts of dead processes go too."""
        states = []
        for state in self.folder.glob("*.state"):
            with contextlib.suppress(OSError):
                found = state.stat()
                states.append((found.st_mtime, found.st_size, state))
        room = self._limit
        for _, size, state in sorted(states, reverse=True):
            room -= size
            if room < 0:
                with contextlib.suppress(OSError):
                    state.with_suffix(".json").unlink(missing_ok=True)
                    state.unlink()


def _is(file: Path, digest: str) -> bool:
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest() == digest
    except OSError:
        return False
