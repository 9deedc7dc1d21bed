"""The gateway as memory's embedder: where the two meet."""

from collections.abc import Sequence
from typing import Final, override

from .gateway import Background, Gateway, Route
from .gateway.embedding import EmbeddingRequest, Purpose
from .gateway.errors import (
    ContextTooLongError,
    GatewayError,
    InputRefusedError,
    RateLimitedError,
)
from .generator import Outcomes
from .memory.ports import (
    Embedder,
    EmbedderUnavailableError,
    EmbeddingKind,
    Embeddings,
    UnusableTextsError,
)

_PURPOSES: Final[dict[EmbeddingKind, Purpose]] = {
    EmbeddingKind.DOCUMENT: "document",
    EmbeddingKind.QUERY: "query",
}


class GatewayEmbedder(Embedder):
    """Embeds with the model of one route."""

    def __init__(
        self,
        gateway: Gateway,
        route: Route,
        outcomes: Outcomes,
        *,
        kind: str,
        privacy: Background,
    ) -> None:
        """Take the route with the kind of its provider.

        The same model of the same kind of provider makes the same vectors, wherever it
        runs and however often its provider was added anew.
        """
        self._gateway = gateway
        self._route = route
        self._outcomes = outcomes
        self._privacy = privacy
        self._model = f"{kind}|{route.model}"

    @property
    @override
    def model(self) -> str:
        """Return the kind of the provider and its model."""
        return self._model

    @override
    def may_read(self, heard_by: str | None) -> bool:
        """Return whether words that a route heard may go to this one."""
        heard = Route.parse(heard_by) if heard_by else None
        return self._privacy.may_read(self._route, heard)

    @override
    async def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> Embeddings:
        """Return a vector for each text.

        Raises EmbedderUnavailableError or UnusableTextsError.
        """
        try:
            result = await self._gateway.embed(
                EmbeddingRequest(
                    model=self._route.model, texts=texts, purpose=_PURPOSES[kind]
                ),
                self._route,
            )
        except (InputRefusedError, ContextTooLongError) as err:
            raise UnusableTextsError(type(err).__name__) from err
        except RateLimitedError as err:
            raise EmbedderUnavailableError(
                type(err).__name__, retry_after=err.retry_after
            ) from err
        except GatewayError as err:
            self._outcomes.failed(err)
            raise EmbedderUnavailableError(type(err).__name__) from err
        self._outcomes.succeeded(self._route.provider)
        return Embeddings(
            vectors=result.vectors, model=self._model, tokens=result.tokens
        )
