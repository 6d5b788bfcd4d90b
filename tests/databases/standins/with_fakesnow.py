"""Snowflake's engine against a local stand-in; what was seen is printed as JSON.

Runs in .venv-snowflake, which has: pip install fakesnow "snowflake-connector-python<5"
"""

import json
import warnings
from typing import Any

import fakesnow
import snowflake.connector

from dragoman.databases.connect import open_engine
from dragoman.errors import DragomanError

warnings.simplefilter("ignore")


def observe() -> dict[str, Any]:
    cursor = snowflake.connector.connect(database="SHOP", schema="PUBLIC").cursor()
    cursor.execute("CREATE TABLE p (id INT PRIMARY KEY, name VARCHAR, amount NUMBER(10, 2), v VARIANT)")
    cursor.execute("INSERT INTO p (id, name, amount) VALUES (1, 'x%', 1.10), (2, NULL, NULL)")
    engine = open_engine("snowflake://me:secret@account/SHOP/PUBLIC?warehouse=w")
    seen: dict[str, Any] = {"refused": {}}
    schema = engine.schema()
    seen["tables"] = {t.name: [t.kind, [[c.name, c.type, c.nullable] for c in t.columns]] for t in schema}
    seen["hidden"] = [name for name, _ in schema.hidden]
    with engine.stream("SELECT id, name, amount FROM p ORDER BY id", None) as stream:  # the stand-in sets no time limit
        seen["rows"] = [stream.columns, [row for batch in stream for row in batch]]
    for sql in ("DELETE FROM p", "CALL x()", "SELECT nope FROM p"):
        try:
            with engine.stream(sql, None):
                pass
        except DragomanError as error:
            seen["refused"][sql] = str(error)
    engine.close()
    return seen


with fakesnow.patch():
    print(json.dumps(observe(), default=str))
