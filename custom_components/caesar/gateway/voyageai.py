"""The Voyage AI provider: vectors from a hosted model, through the official SDK.

The SDK is handed in as a module, because importing it blocks and only those who use it
need it. Its errors end here. What a server writes in them may hold what people said, so
ours neither repeat that text nor carry it as their cause.
"""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from types import ModuleType
from typing import Any, Final, override

import aiohttp

from .base import ChatRequest, Delta, GenerationRequest, GenerationResult, Provider
from .embedding import EmbeddingProvider, EmbeddingRequest, EmbeddingResult
from .errors import (
    ContextTooLongError,
    GatewayError,
    InputRefusedError,
    ModelNotFoundError,
    NoCreditError,
    ProviderRefusedError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    RateLimitedError,
    UnsupportedRequestError,
)
from .quiet import quiet
from .retry_after import retry_after

DEFAULT_URL: Final = "https://api.voyageai.com/v1"

MODELS: Final = (
    "voyage-4",
    "voyage-4-lite",
    "voyage-4-large",
    "voyage-3.5",
    "voyage-3.5-lite",
)
"""Those for general text, the one to suggest first; the server cannot list its own."""

TIMEOUT: Final = (10.0, 600.0)
"""Seconds to reach the server, and for a request as a whole; how long an answer may
take is the gateway's matter."""

_SDK_LOGGER: Final = "voyage"

_BY_STATUS: Final[Mapping[int, type[GatewayError]]] = {
    400: InputRefusedError,
    401: ProviderRefusedError,
    402: NoCreditError,
    403: ProviderRefusedError,
    408: ProviderTimeoutError,
    413: ContextTooLongError,
    422: InputRefusedError,
    504: ProviderTimeoutError,
}


class VoyageProvider(Provider, EmbeddingProvider):
    """Embeds with the models of one Voyage AI account or compatible server."""

    def __init__(
        self,
        sdk: ModuleType,
        api_key: str,
        *,
        session: aiohttp.ClientSession,
        url: str = "",
    ) -> None:
        """Connect nothing yet; the session is somebody else's and stays open."""
        self._sdk = sdk
        self._api_key = api_key
        self._session = session
        self._url = url or DEFAULT_URL

    @override
    async def embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        """Return a vector for each text, which the server cuts where it is too long."""
        if not request.model:
            raise ModelNotFoundError("No model was named")
        with self._translated(), quiet(_SDK_LOGGER):
            answer = await self._asked(request)
            # Nothing promises their order but the number that each has.
            found = sorted(answer.data, key=lambda one: int(one["index"]))
            return EmbeddingResult(
                vectors=[one["embedding"] for one in found],
                tokens=answer.usage.total_tokens,
            )

    @override
    async def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        """Raise UnsupportedRequestError: it does not speak."""
        for delta in _no_words():
            yield delta

    @override
    async def generate(self, request: GenerationRequest) -> GenerationResult:
        """Raise UnsupportedRequestError: it does not write."""
        raise UnsupportedRequestError("Voyage AI has no model that writes")

    @override
    async def close(self) -> None:
        """Do nothing: the connections are somebody else's."""

    async def _asked(self, request: EmbeddingRequest) -> Any:
        # The client's own class takes no address and asks again by itself.
        token = self._sdk.aiosession.set(self._session)
        try:
            return await self._sdk.Embedding.acreate(
                api_key=self._api_key,
                api_base=self._url,
                request_timeout=TIMEOUT,
                input=list(request.texts),
                model=request.model,
                input_type=request.purpose,
                truncation=True,
            )
        finally:
            self._sdk.aiosession.reset(token)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn what the SDK and its HTTP client raise into errors of the gateway."""
        errors = self._sdk.error
        try:
            yield
        except errors.Timeout, TimeoutError:
            raise ProviderTimeoutError("The server did not answer in time") from None
        except errors.APIConnectionError, aiohttp.ClientError, OSError:
            raise ProviderUnavailableError("No connection to the server") from None
        except errors.VoyageError as error:
            raise _of_status(error) from None
        except AttributeError, LookupError, TypeError, ValueError:
            # The SDK builds its values from whatever JSON arrives.
            raise ProviderUnavailableError("The answer cannot be read") from None


def _no_words() -> tuple[Delta, ...]:
    raise UnsupportedRequestError("Voyage AI holds no conversation")


def _of_status(error: Any) -> GatewayError:
    status = error.http_status or 0
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return RateLimitedError(
            f"The server wants to be left alone (status {status})",
            retry_after=retry_after(error.headers.get("retry-after")),
        )
    return _kind(error, status)(f"The server failed or refused (status {status})")


def _kind(error: Any, status: int) -> type[GatewayError]:
    said = str(error.http_body).lower()
    if status == HTTPStatus.BAD_REQUEST and _names_no_model(said):
        return ModelNotFoundError
    if known := _BY_STATUS.get(status):
        return known
    if HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR:
        return UnsupportedRequestError
    return ProviderUnavailableError


def _names_no_model(said: str) -> bool:
    return "model" in said and ("not supported" in said or "not found" in said)
