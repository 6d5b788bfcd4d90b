"""Every exception that Dragoman raises on purpose.

    DragomanError                 .code names the kind, .exit_code is what the command line returns
    ├── SetupError           (2)  bad input or set-up; the sentence names the next step
    ├── Refused              (3)  the read-only guard does not let this SQL run
    │   └── Unreadable       (3)  the text is not one query that can be read
    ├── QueryError           (1)  the engine rejected or aborted a query
    │   └── QueryTimeout     (1)  the deadline passed and the query was interrupted
    └── ModelError           (1)  a model gave no reply
        ├── ModelUnavailable (1)  a server lost after it had answered, retries that failed, or a reply nobody can read
        └── BudgetSpent      (1)  the limit on calls, tokens or money was reached

What a model did wrong is a value (`Answer.error`, a verdict), never an exception that leaves a solver.
"""

from __future__ import annotations


class DragomanError(Exception):
    """Root of the tree. `str()` is one sentence for the user, without secrets."""

    code = "error"
    exit_code = 1


class SetupError(DragomanError):
    """The user can mend this: a wrong path, URL, name, key, file or setting."""

    code = "setup"
    exit_code = 2


class Refused(DragomanError):
    """The guard refused a statement. `reason` says which rule, in one sentence."""

    code = "refused"
    exit_code = 3

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unreadable(Refused):
    """The text is not exactly one query that can be read: a syntax error, several statements, too deep, too long."""

    code = "unreadable"


class QueryError(DragomanError):
    """The engine rejected a query. The text is the engine's own message, secrets removed."""

    code = "query"


class QueryTimeout(QueryError):
    """The query ran into its deadline and was interrupted on the engine."""

    code = "timeout"


class ModelError(DragomanError):
    """A model gave no usable reply."""

    code = "model"


class ModelUnavailable(ModelError):
    """The model's server cannot be reached, keeps failing, or replies with something that is not a reply.

    Another try may succeed. `retry_after` is how many seconds the server asked to wait, None if it did not say.
    """

    code = "model_unavailable"

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BudgetSpent(ModelError):
    """A limit on calls, tokens or money would be passed by the next call."""

    code = "budget"
