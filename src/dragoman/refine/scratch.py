"""Views in a schema that the user gives away for as long as they are used."""

from __future__ import annotations

import uuid
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field

from dragoman.databases.database import Engine, View
from dragoman.databases.deploy import Action, Placing, deploy, deploy_script
from dragoman.errors import QueryError, SetupError
from dragoman.sql.quote import quote_always

DIALECTS = ("postgres", "mysql")
"""Where views of a session may be missing; SQLite and DuckDB always have them."""
PLACING = Placing(invoker=True, in_place=True)


@dataclass(frozen=True, slots=True)
class Scratch:
    """A schema that is there already (on MariaDB a database), and the login that may make views in it.

    What asks under the old names must not see it: deny it by the access policy where the reading login can see it.
    """

    schema: str
    write_url: str = field(repr=False)


class ScratchViews:
    """Views in a scratch schema under names of their own, gone after `close` or when the program ends.

    Only a program that is killed outright leaves them behind; their names begin with `dragoman_`. Several programs
    may use one schema, for no two views have the same name.
    """

    def __init__(self, scratch: Scratch, views: Sequence[View], reader: Engine) -> None:
        """Raises `SetupError` where they cannot be made, or not be read by the engine `reader`; none is left then."""
        if reader.dialect not in DIALECTS:
            raise SetupError("A scratch schema serves PostgreSQL and MariaDB. Leave it out: sessions have views here.")
        mark = uuid.uuid4().hex[:12]
        made = [View(f"dragoman_{mark}_{number}", view.sql) for number, view in enumerate(views)]
        schema = quote_always(scratch.schema, reader.dialect)
        self.places = tuple(f"{schema}.{quote_always(view.name, reader.dialect)}" for view in made)
        """The name of each view as queries have it, in the order given."""
        _change(scratch, made, "apply", reader.dialect)
        self._end = weakref.finalize(self, _change, scratch, made, "drop", reader.dialect)
        try:
            for place in self.places:
                with reader.stream(f"SELECT 1 FROM {place} WHERE 1 = 0", None):
                    pass
        except QueryError as error:
            self.close()
            raise SetupError(
                f"The reading login cannot read views in {scratch.schema}: {error}. Grant it SELECT on all that "
                f"{scratch.schema} will hold."
            ) from None

    def close(self) -> None:
        """Drop the views, once. Raises `SetupError` that says what may be left."""
        self._end()


def _change(scratch: Scratch, views: Sequence[View], action: Action, dialect: str) -> None:
    if not views:
        return
    try:
        deploy(scratch.write_url, views, action, scratch.schema, PLACING)
    except SetupError as error:
        if action == "apply":
            raise
        script = deploy_script(views, action, dialect, scratch.schema, PLACING).replace("\n", " ")
        raise SetupError(f"Views may be left in {scratch.schema}: {error} Drop them by: {script}") from None
