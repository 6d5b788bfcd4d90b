"""A provider's model of pydantic-ai, bound to its key and address."""

from __future__ import annotations

import re
from typing import Any

import httpx2
from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model as ProviderModel
from pydantic_ai.models import create_async_httpx2_client, infer_model
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers import Provider, infer_provider_class
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from dragoman.errors import SetupError
from dragoman.models.base_url import is_loopback
from dragoman.models.scrub import scrub

# Servers that people run themselves (uvicorn's, llama.cpp's) close a connection after 5 idle seconds, which is when the
# client's own default would still use it: a request could meet the closing. Seconds.
_LIMITS = httpx2.Limits(max_connections=1000, max_keepalive_connections=100, keepalive_expiry=2.0)


def connect_provider(provider: str, name: str, base_url: str | None, key: str) -> ProviderModel:
    """`provider` "" is an OpenAI-compatible server; "openai" speaks Chat Completions. Connects on the first request.

    Requests to this machine go past any proxy, so that nothing leaves it.

    Raises `SetupError` for an unknown provider, a missing key or package, or an address where none can be given.
    """
    client: dict[str, Any] = {}
    if base_url and is_loopback(base_url):  # a client with a transport of its own reads no proxy from the environment
        client["http_client"] = create_async_httpx2_client(transport=httpx2.AsyncHTTPTransport(limits=_LIMITS))
    if base_url and provider in ("", "openai", "openai-chat"):
        if not client:
            client["http_client"] = create_async_httpx2_client(limits=_LIMITS)
        server = OpenAICompatibleProvider("openai-compatible", base_url=base_url, api_key=key or None, **client)
        return OpenAIChatModel(name, provider=server)
    spec = f"{'openai-chat' if provider == 'openai' else provider}:{name}"
    given = {what: value for what, value in (("api_key", key), ("base_url", base_url)) if value}

    def factory(provider_name: str) -> Provider[Any]:
        return infer_provider_class(provider_name)(**given, **client)

    try:
        return infer_model(spec, factory)
    except ImportError:
        raise SetupError(
            f"The provider {provider} needs a package of its own: pip install 'pydantic-ai-slim[{provider}]'"
        ) from None
    except TypeError:
        extra = "base URL" if base_url else "key"
        raise SetupError(f"The provider {provider} takes no {extra}. Leave it out.") from None
    except (UserError, ValueError) as error:
        if variable := re.search("`([A-Z][A-Z0-9_]+)`", str(error)):
            raise SetupError(f"{provider}:{name} needs the environment variable {variable[1]}. Set it.") from None
        raise SetupError(f"The model {provider}:{name} cannot be used: {scrub(str(error), [key])}") from None
