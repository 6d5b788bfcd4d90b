"""What a dialect's functions and catalogues are known to do, read from the data files in `policy/`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fnmatch import translate
from functools import cache
from importlib import resources
from typing import Any

_FILES = ("bigquery", "clickhouse", "duckdb", "mysql", "postgres", "snowflake", "sqlite", "tsql")
_LIKE = {
    "redshift": "postgres", "materialize": "postgres", "risingwave": "postgres", "fabric": "tsql",
    "doris": "mysql", "starrocks": "mysql", "singlestore": "mysql",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Names:
    """Lower-case names and globs, each with a reason ("" where a group's heading says it)."""

    exact: dict[str, str]
    globs: tuple[tuple[re.Pattern[str], str], ...]

    def reason(self, name: str) -> str | None:
        """The reason of the entry that the name falls under, None if under none."""
        return self.exact.get(name) if name in self.exact else self.by_glob(name)

    def by_glob(self, name: str) -> str | None:
        """The reason of the first glob that the name matches."""
        return next((reason for pattern, reason in self.globs if pattern.match(name)), None)


@dataclass(frozen=True, slots=True)
class Policy:
    """`pure` only compute; `refused` do more, with the reason; `catalogues` are readable on request, `secrets` never.

    `endings` make a further aggregate of a known one (ClickHouse's sumIf).
    """

    pure: Names
    refused: Names
    catalogues: Names
    secrets: Names
    endings: tuple[str, ...] = ()

    def refusal(self, name: str) -> str | None:
        """Why a function must not be called, "" if it is only not known; None if it only computes."""
        if name in self.refused.exact:
            return self.refused.exact[name]
        if name in self.pure.exact:
            return None
        reason = self.refused.by_glob(name)
        if reason is not None:
            return reason
        if self.pure.by_glob(name) is not None:
            return None
        for ending in self.endings:
            if name.endswith(ending) and name != ending and self.refusal(name[: -len(ending)]) is None:
                return None
        return ""


@cache
def policy(dialect: str) -> Policy:
    """The policy of a dialect; of one without a file of its own, what any file allows and none refuses."""
    own = _LIKE.get(dialect, dialect)
    files = [own] if own in _FILES else [*_FILES, "other"]
    tables = [_read("common"), *(_read(name) for name in files)]
    return Policy(
        pure=_names([dict.fromkeys(group["names"].split(), "") for table in tables for group in table.get("pure", [])]),
        refused=_names([table.get("refused", {}) for table in tables]),
        catalogues=_names([table.get("catalogues", {}) for table in tables]),
        secrets=_names([table.get("secrets", {}) for table in tables]),
        endings=tuple(ending for table in tables for ending in table.get("endings", {})),
    )


@cache
def allowed_nodes() -> frozenset[str]:
    """Names of the node types that a query may hold."""
    text = resources.files("dragoman.sql.policy").joinpath("nodes.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def _read(name: str) -> dict[str, Any]:
    text = resources.files("dragoman.sql.policy").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _names(entries: list[dict[str, str]]) -> Names:
    merged = {name: reason for entry in entries for name, reason in entry.items()}
    globs = tuple((re.compile(translate(name)), reason) for name, reason in merged.items() if "*" in name)
    return Names({name: reason for name, reason in merged.items() if "*" not in name}, globs)
