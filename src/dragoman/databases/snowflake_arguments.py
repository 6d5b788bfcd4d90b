"""What Snowflake's driver is given for a URL."""

from __future__ import annotations

import os
from typing import Any

from dragoman.databases.url import DatabaseURL
from dragoman.errors import SetupError

SESSION = {"MULTI_STATEMENT_COUNT": "1", "QUERY_TAG": "dragoman", "ABORT_DETACHED_QUERY": "true"}


def snowflake_arguments(url: DatabaseURL) -> dict[str, Any]:
    """What the driver is given. Without a password, SNOWFLAKE_PASSWORD stands in, unless another way is chosen."""
    database, _, schema = url.database.partition("/")
    given = {"account": url.host, "user": url.user, "password": url.password, "database": database, "schema": schema}
    if not url.password and not {"authenticator", "private_key_file", "token"} & url.options.keys():
        given["password"] = os.environ.get("SNOWFLAKE_PASSWORD", "")
    if not url.host:
        raise SetupError("A Snowflake URL names the account: snowflake://user@account/database/schema?warehouse=w.")
    return {
        **{key: value for key, value in given.items() if value},
        **url.options,
        "session_parameters": dict(SESSION),
        "autocommit": False,
        "application": "dragoman",
        "login_timeout": 30,
    }
