"""What the errors of an Anthropic server mean.

What a server writes in them may hold the words of a conversation, so ours neither
repeat that text nor carry it as their cause.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Final

import httpx

from .errors import (
    ContextTooLongError,
    GatewayError,
    ModelNotFoundError,
    NoCreditError,
    ProviderOverloadedError,
    ProviderRefusedError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    RateLimitedError,
    UnsupportedRequestError,
)
from .retry_after import retry_after

if TYPE_CHECKING:
    import anthropic

# Amid an answer the status has long been 200, so the kind comes before the status.
_BY_KIND: Final[Mapping[object, type[GatewayError]]] = {
    "authentication_error": ProviderRefusedError,
    "permission_error": ProviderRefusedError,
    "billing_error": NoCreditError,
    "rate_limit_error": RateLimitedError,
    "overloaded_error": ProviderOverloadedError,
    "timeout_error": ProviderTimeoutError,
    "request_too_large": ContextTooLongError,
    "exceed_context_size_error": ContextTooLongError,  # llama.cpp's
}
_BY_STATUS: Final[Mapping[int, type[GatewayError]]] = {
    401: ProviderRefusedError,
    402: NoCreditError,
    403: ProviderRefusedError,
    408: ProviderTimeoutError,
    413: ContextTooLongError,
    429: RateLimitedError,
    504: ProviderTimeoutError,
    529: ProviderOverloadedError,
}
# For both, servers have no kind of their own.
_BY_WORDS: Final[Mapping[str, type[GatewayError]]] = {
    "prompt is too long": ContextTooLongError,
    "context limit": ContextTooLongError,
    "context length": ContextTooLongError,
    "context size": ContextTooLongError,
    "context window": ContextTooLongError,
    "credit balance": NoCreditError,
}


@contextmanager
def translated(sdk: ModuleType) -> Iterator[None]:
    """Turn what the SDK and its HTTP client raise into errors of the gateway."""
    try:
        yield
    except sdk.APIStatusError as error:
        raise _of_status(error) from None
    except sdk.APITimeoutError, TimeoutError, httpx.TimeoutException:
        raise ProviderTimeoutError("The server did not answer in time") from None
    except (
        sdk.APIConnectionError,
        OSError,
        httpx.HTTPError,
        httpx.StreamError,
        httpx.InvalidURL,
    ):
        raise ProviderUnavailableError("No connection to the server") from None
    except sdk.AnthropicError, AttributeError, LookupError, TypeError, ValueError:
        # The SDK builds its values from whatever JSON arrives.
        raise ProviderUnavailableError("The answer cannot be read") from None


def not_anthropic() -> UnsupportedRequestError:
    """Return the error for a server that answers and is none of this kind."""
    return UnsupportedRequestError("What answers does not speak Anthropic's language")


def _of_status(error: anthropic.APIStatusError) -> GatewayError:
    status = error.status_code
    kind = _kind(error, status)
    if kind is RateLimitedError:
        return RateLimitedError(
            f"The server wants to be left alone (status {status})",
            retry_after=retry_after(error.response.headers.get("retry-after")),
        )
    return kind(f"The server failed or refused (status {status})")


def _kind(error: anthropic.APIStatusError, status: int) -> type[GatewayError]:
    said = str(error.body).lower()
    for words, kind in _BY_WORDS.items():
        if words in said:
            return kind
    if error.type == "not_found_error" and "model" in said:
        return ModelNotFoundError
    if known := _BY_KIND.get(error.type) or _BY_STATUS.get(status):
        return known
    if error.type == "invalid_request_error" or 400 <= status < 500:  # noqa: PLR2004  HTTP's
        return UnsupportedRequestError
    return ProviderUnavailableError
