"""The address of a model's server, checked."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from dragoman.errors import SetupError


def check_base_url(url: str) -> str:
    """The URL without a slash at its end. Raises `SetupError` where it is not a plain http or https address."""
    try:
        parts = urlsplit(url.strip())
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise SetupError("The base URL cannot be read. Write it like http://localhost:8080/v1.") from None
    if parts.username or parts.password or parts.query or parts.fragment:
        raise SetupError(
            "The base URL must hold neither a password nor a query. Give the key in an environment variable instead."
        )
    if parts.scheme not in ("http", "https") or not host:
        raise SetupError(f"{url!r} is not a base URL. Write it like http://localhost:8080/v1.")
    return url.strip().rstrip("/")


def is_loopback(url: str) -> bool:
    """Whether the address is this machine's own."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
