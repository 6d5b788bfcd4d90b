"""The TLS options of a MariaDB URL."""

from __future__ import annotations

import ssl
from typing import Any

from dragoman.errors import SetupError


def tls_options(options: dict[str, str]) -> dict[str, Any]:
    """PyMySQL's arguments for `ssl-mode` and `ssl-ca`, which are taken out of `options`."""
    mode = options.pop("ssl-mode", options.pop("ssl_mode", "PREFERRED")).upper()
    authority = options.pop("ssl-ca", options.pop("ssl_ca", None))
    if mode == "DISABLED":
        return {"ssl_disabled": True}
    if mode == "PREFERRED" and not authority:
        return {}
    if mode not in ("PREFERRED", "REQUIRED", "VERIFY_CA", "VERIFY_IDENTITY"):
        known = "DISABLED, PREFERRED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY"
        raise SetupError(f"The URL's ssl-mode {mode} is not known. Use {known}.")
    try:
        context = ssl.create_default_context(cafile=authority)
    except OSError as error:
        raise SetupError(f"Cannot read the certificates {authority} ({error.strerror}). Check ssl-ca.") from None
    context.check_hostname = mode == "VERIFY_IDENTITY"
    if mode in ("PREFERRED", "REQUIRED"):
        context.verify_mode = ssl.CERT_NONE
    return {"ssl": context}
