"""What becomes of a provider's errors.

    wrong key (401, 403)                                   SetupError
    unknown model or wrong path (404)                      SetupError
    host unknown or nothing listens, before the first reply SetupError
    rejected request, too long a prompt (4xx)              ModelError
    no credit left (402)                                   BudgetSpent, which ends a run where it can go on later
    429, 408, 5xx, timeout, cut connection                 ModelUnavailable, with Retry-After where it was given
    not JSON, no choices, anything that cannot be read     ModelUnavailable

The server's own words are shortened, and everything in them that is or looks like a key is removed.
"""

from __future__ import annotations

from pydantic_ai import exceptions as theirs

from dragoman.errors import BudgetSpent, DragomanError, ModelError, ModelUnavailable, SetupError
from dragoman.models.scrub import scrub

_LONGEST = 300
_TRY_AGAIN = (408, 409, 425, 429)


def as_model_error(error: Exception, model: str, secret: str, reached: bool) -> DragomanError:
    """The error to raise for an exception of the provider's client. `reached` is whether it has ever answered."""
    said = scrub(_words(error), [secret] if secret else [])
    match error:
        case theirs.ModelAuthenticationError():
            return SetupError(f"{model} refused the key ({said}). Check the key in its environment variable.")
        case theirs.ModelNotFoundError():
            return SetupError(
                f"{model} was not found ({said}). Check the model's name and the base URL, which often ends in /v1."
            )
        case theirs.ModelQuotaExceededError():
            return BudgetSpent(f"The account of {model} has no credit left ({said}). Top it up or take another model.")
        case theirs.ModelRequestRejectedError() | theirs.ContentFilterError():
            return ModelError(f"{model} rejected the request ({said}).")
        case theirs.ModelRequestTimeout() | theirs.ModelTimeoutError():
            return ModelUnavailable(f"{model} did not answer in time.")
        case theirs.ModelConnectionError():
            return _connection_error(error, model, said, reached)
        case theirs.ModelHTTPError():
            again = error.status_code in _TRY_AGAIN or error.status_code >= 500
            text = f"{model} answered with status {error.status_code} ({said})."
            return ModelUnavailable(text, error.retry_after) if again else ModelError(text)
        case theirs.UserError():
            return SetupError(f"{model} cannot be used: {said}")
        case theirs.ModelAPIError():
            return ModelUnavailable(f"{model} sent a reply that cannot be read ({said}).", error.retry_after)
        case _:
            return ModelUnavailable(f"{model} sent a reply that cannot be read ({said}).")


def _connection_error(error: theirs.ModelConnectionError, model: str, said: str, reached: bool) -> DragomanError:
    if error.phase == "connect" and not reached:
        return SetupError(f"Cannot connect to {model} ({said}). Check the base URL, the network, and that it runs.")
    return ModelUnavailable(f"The connection to {model} was lost ({said}).")


def _words(error: Exception) -> str:
    if isinstance(error, IndexError):
        return "it holds no choice"
    body = getattr(error, "body", None)
    text = _message(body) or (body if isinstance(body, str) else "") or _deepest(error)
    text = " ".join(text.split()).rstrip(".")
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _deepest(error: Exception) -> str:
    """The first line of the innermost cause that says anything: the client's own wrapping says less."""
    found = type(error).__name__
    cause: BaseException | None = error
    while cause is not None:
        found = str(cause).partition("\n")[0] or found
        cause = cause.__cause__
    return found


def _message(body: object) -> str:
    if isinstance(body, dict):
        for key in ("error", "message", "detail"):
            if found := _message(body.get(key)):
                return found
        return ""
    return body if isinstance(body, str) else ""
