"""One sentence for a connection that could not be made, with the next step."""

from __future__ import annotations

import re

from dragoman.databases.url import DatabaseURL
from dragoman.errors import SetupError

NEXT_STEPS: dict[str, str] = {
    r"password|access denied|authentication|no pg_hba": "Check the user, the password and what the login may reach",
    r"resolve|name or service|getaddrinfo|nodename": "Check the host name",
    r"certificate": "Check the server's certificate, or name its authority in the URL",
    r"\bssl\b|\btls\b": "Turn TLS on at the server, or allow a plain connection in the URL",
    r"does not exist|unknown database": "Check the database name",
    r"refused|timed? ?out|timeout|unreachable|no route|can't connect|no such file|starting up|shutting down": (
        "Check host and port, and that the server runs"
    ),
    r"option": "Check the options after the ? of the URL",
    r"too many|remaining connection slots": "Close other connections, or try again later",
}


def connection_error(url: DatabaseURL, message: str) -> SetupError:
    """The error for `message`, which is the driver's; secrets are taken out."""
    text = re.sub(r"\s+", " ", url.redact(message))
    text = re.sub(r"^connection (?:failed|is bad): | Is the server running [^?]*\?", "", text).strip(" .?")
    steps = (step for pattern, step in NEXT_STEPS.items() if re.search(pattern, text, re.IGNORECASE))
    return SetupError(f"Cannot connect to {url}: {text}. {next(steps, 'Check the URL')}.")
