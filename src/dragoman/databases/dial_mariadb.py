"""One connection to MariaDB or MySQL, as its URL says."""

from __future__ import annotations

from typing import Any

import pymysql

from dragoman.databases.tls_options import tls_options
from dragoman.databases.url import DatabaseURL
from dragoman.errors import SetupError

SQL_MODES = {
    "MariaDB": "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
    "MySQL": "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,"
    "NO_ENGINE_SUBSTITUTION",
}
"""Each server's documented default, so that quotes and || mean what the dialect says."""


def dial_mariadb(url: DatabaseURL, patience: float) -> Any:
    """A fresh connection in autocommit; nothing that it waits for may take longer than `patience` seconds.

    Raises what PyMySQL raises, and `SetupError` for an option of the URL that is not known.
    """
    options = dict(url.options)
    socket = options.pop("unix_socket", None)
    tls = tls_options(options)
    if options:
        known = "unix_socket, ssl-mode and ssl-ca"
        raise SetupError(f"The database URL has options that are not known ({', '.join(options)}). Use {known}.")
    return pymysql.connect(
        user=url.user or None,
        password=url.password.encode(),
        host=url.host or None,
        port=int(url.port or 3306),
        unix_socket=socket,
        database=url.database or None,
        charset="utf8mb4",
        autocommit=True,
        local_infile=False,
        connect_timeout=int(patience),
        read_timeout=patience,
        program_name="dragoman",
        **tls,
    )


def product(connection: Any) -> str:
    """ "MariaDB" or "MySQL", from what the server calls itself."""
    return "MariaDB" if "mariadb" in connection.server_version.lower() else "MySQL"
