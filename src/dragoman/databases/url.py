"""Database URLs, read once; the password never shows in a repr, an error or a log."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import parse_qsl, quote, unquote

from dragoman.errors import SetupError

SECRET_OPTIONS = frozenset({"password", "passwd", "sslpassword", "token", "private_key", "passcode", "credentials"})
HIDDEN = "***"


@dataclass(frozen=True, slots=True)
class DatabaseURL:
    """`scheme://user:password@host:port/database?option=value`, percent-decoded; absent parts are "".

    `host` and `port` may be comma-separated lists, as PostgreSQL allows. `str()` and `repr()` hide secrets.
    """

    scheme: str
    user: str = ""
    password: str = field(default="", repr=False)
    host: str = ""
    port: str = ""
    database: str = ""
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)

    def __str__(self) -> str:
        login = quote(self.user, safe="") + (f":{HIDDEN}" if self.password else "")
        place = self.host + (f":{self.port}" if self.port else "")
        return f"{self.scheme}://{login + '@' if login else ''}{place}/{self.database}"

    def redact(self, text: str) -> str:
        """`text` with every secret of this URL replaced by ***."""
        secrets = [self.password, *(value for key, value in self.options.items() if key.lower() in SECRET_OPTIONS)]
        spellings = {way for secret in filter(None, secrets) for way in (secret, quote(secret, safe=""), quote(secret))}
        for spelling in sorted(spellings, key=len, reverse=True):  # a short one may begin a longer one
            text = text.replace(spelling, HIDDEN)
        return text


def parse_url(text: str) -> DatabaseURL:
    """Read a URL. A password may hold any character but "/", "?" and "#", which must be percent-encoded.

    Raises `SetupError`, without showing the text, if there is no scheme or a port is not a number.
    """
    match = re.fullmatch(r"([A-Za-z][\w+.-]*)://([^/?#]*)(?:/([^?#]*))?(?:\?([^#]*))?", text, re.DOTALL)
    if match is None:
        raise SetupError("This is not a database URL. Write scheme://user:password@host:port/database.")
    login, _, place = match[2].rpartition("@")
    user, _, password = login.partition(":")
    hosts, ports = _places(place)
    return DatabaseURL(
        match[1].lower(),
        unquote(user),
        unquote(password),
        hosts,
        ports,
        unquote(match[3] or ""),
        MappingProxyType(dict(parse_qsl(match[4] or "", keep_blank_values=True))),
    )


def _places(text: str) -> tuple[str, str]:
    hosts, ports = [], []
    for place in text.split(","):
        match = re.fullmatch(r"(\[[^\]]*\]|[^:]*)(?::(\d*))?", place)
        if match is None:
            raise SetupError("The port of the database URL is not a number. Write scheme://user@host:5432/database.")
        hosts.append(unquote(match[1].strip("[]")))
        ports.append(match[2] or "")
    return ",".join(hosts), ",".join(ports) if any(ports) else ""
