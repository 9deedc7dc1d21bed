"""An index on a Qdrant server, for what outgrows one machine.

It speaks Qdrant's REST language with the session that it is handed. Each model has a
collection, whose points have an owner and a time and no word of what was said.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from http import HTTPStatus
import json
from typing import Any, Final, override

import aiohttp
from yarl import URL

from ..database import Database
from ..errors import IndexUnavailableError
from . import stored
from .base import VectorRow
from .numbers import microseconds
from .ranked import Period, RankedIndex
from .stored import Ranked, Wanted

BATCH: Final = 256
"""Points that are sent at once: some megabytes of JSON, which Qdrant limits to 32."""

_SEARCH_TIMEOUT: Final = aiohttp.ClientTimeout(total=5)
_WRITE_TIMEOUT: Final = aiohttp.ClientTimeout(total=60)
_PAYLOAD_INDEXES: Final = (
    {"field_name": "owner", "field_schema": {"type": "keyword", "is_tenant": True}},
    {"field_name": "at", "field_schema": "integer"},
)

type Json = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class QdrantServer:
    """Where the vectors are kept, and under which name."""

    url: str
    home: str
    """Tells this home's collections from another's on the same server: a few letters
    and digits."""
    api_key: str | None = None


class QdrantIndex(RankedIndex):
    """The vectors of one model in a collection of their own."""

    def __init__(
        self,
        database: Database,
        model: str,
        *,
        server: QdrantServer,
        session: aiohttp.ClientSession,
    ) -> None:
        """Take a session that somebody else closes."""
        super().__init__(database, model)
        self._collections = URL(server.url.rstrip("/")) / "collections"
        self._headers = {"Content-Type": "application/json"}
        if server.api_key:
            self._headers["api-key"] = server.api_key
        self._session = session
        self._prefix = f"caesar_{server.home}_"
        digest = blake2b(model.encode(), digest_size=8).hexdigest()
        self._collection = self._collections / f"{self._prefix}{digest}"
        self._creating = asyncio.Lock()

    @override
    async def add(self, rows: Sequence[VectorRow]) -> None:
        """Take rows in the place of those with their ids."""
        for start in range(0, len(rows), BATCH):
            await self._put(rows[start : start + BATCH])

    @override
    async def remove(self, ids: Collection[int]) -> None:
        """Let go of rows."""
        if ids:
            await self._call("POST", "points/delete", {"points": list(ids)})

    @override
    async def count(self) -> int:
        """Return how many rows the server holds."""
        answer = await self._call("POST", "points/count", {"exact": True})
        return 0 if answer is None else int(answer["result"]["count"])

    @override
    async def rebuild(self) -> None:
        """Fill the collection anew, and delete those of other models."""
        await self._delete_collections()
        after: int | None = 0
        while after is not None:
            page, after = await self._database.read(stored.rows, self._model, after)
            await self.add(page)

    @override
    async def close(self) -> None:
        """Do nothing: the session is somebody else's."""

    @override
    async def _ranked(self, wanted: Wanted, period: Period) -> Ranked:
        answer = await self._call(
            "POST",
            "points/query",
            {
                "query": wanted.vector.tolist(),
                "limit": wanted.count,
                "filter": {"must": _conditions(wanted, period)},
                "with_payload": False,
            },
            within=_SEARCH_TIMEOUT,
        )
        found = () if answer is None else answer["result"]["points"]
        ids = [int(point["id"]) for point in found]
        return await self._database.read(stored.ranked, wanted, ids)

    async def _put(self, rows: Sequence[VectorRow]) -> None:
        points = await asyncio.to_thread(_points, rows)
        if await self._call("PUT", "points", points) is not None:
            return
        await self._create(len(rows[0].vector))
        if await self._call("PUT", "points", points) is None:
            raise IndexUnavailableError("The collection does not stay")

    async def _create(self, dimension: int) -> None:
        async with self._creating:
            if await self._call("GET", "", None) is not None:
                return
            vectors = {"size": dimension, "distance": "Cosine"}
            await self._call("PUT", "", {"vectors": vectors})
            for wanted in _PAYLOAD_INDEXES:
                await self._call("PUT", "index", wanted)

    async def _delete_collections(self) -> None:
        answer = await self._request("GET", self._collections, None, _WRITE_TIMEOUT)
        for one in () if answer is None else answer["result"]["collections"]:
            if one["name"].startswith(self._prefix):
                url = self._collections / one["name"]
                await self._request("DELETE", url, None, _WRITE_TIMEOUT)

    async def _call(
        self,
        method: str,
        path: str,
        body: Json | bytes | None,
        within: aiohttp.ClientTimeout = _WRITE_TIMEOUT,
    ) -> Json | None:
        """Return what the server answers, None where there is no such collection.

        Raises IndexUnavailableError.
        """
        url = self._collection / path if path else self._collection
        # Without waiting, what was written might not be found yet.
        waiting = {"wait": "true"} if method == "PUT" or path == "points/delete" else {}
        return await self._request(method, url.with_query(waiting), body, within)

    async def _request(
        self,
        method: str,
        url: URL,
        body: Json | bytes | None,
        within: aiohttp.ClientTimeout,
    ) -> Json | None:
        data = body if body is None or isinstance(body, bytes) else _json(body)
        try:
            async with self._session.request(
                method, url, data=data, headers=self._headers, timeout=within
            ) as response:
                if response.status == HTTPStatus.NOT_FOUND:
                    return None
                response.raise_for_status()
                answer: Json = await response.json()
        except (aiohttp.ClientError, TimeoutError, ValueError) as err:
            # The text of the error names the address alone, but is not needed either.
            raise IndexUnavailableError(type(err).__name__) from err
        return answer


def _conditions(wanted: Wanted, period: Period) -> list[Json]:
    conditions: list[Json] = [{"key": "owner", "match": {"any": sorted(wanted.owners)}}]
    bounds = {"gte": period.since, "lt": period.until}
    times = {name: microseconds(at) for name, at in bounds.items() if at is not None}
    if times:
        conditions.append({"key": "at", "range": times})
    return conditions


def _points(rows: Sequence[VectorRow]) -> bytes:
    return _json(
        {
            "points": [
                {
                    "id": row.id,
                    "vector": row.vector.tolist(),
                    "payload": {"owner": row.owner, "at": microseconds(row.at)},
                }
                for row in rows
            ]
        }
    )


def _json(body: Json) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode()
