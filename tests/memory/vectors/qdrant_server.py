"""A Qdrant server in miniature: the few endpoints that are used, and their rules."""

from dataclasses import dataclass, field
import json
from typing import Any

from aiohttp import web
import numpy as np


@dataclass
class Collection:
    size: int
    points: dict[int, dict[str, Any]] = field(default_factory=dict)
    indexed: set[str] = field(default_factory=set)


@dataclass
class QdrantServer:
    api_key: str = "secret"
    collections: dict[str, Collection] = field(default_factory=dict)
    broken: bool = False
    url: str = ""
    requests: list[str] = field(default_factory=list)

    async def start(self) -> web.AppRunner:
        app = web.Application(middlewares=[self._guard], client_max_size=32 * 2**20)
        one = "/collections/{name}"
        app.router.add_get("/collections", self._list)
        app.router.add_get(one, self._show)
        app.router.add_put(one, self._create)
        app.router.add_delete(one, self._drop)
        app.router.add_put(f"{one}/index", self._index)
        app.router.add_put(f"{one}/points", self._put)
        app.router.add_post(f"{one}/points/delete", self._remove)
        app.router.add_post(f"{one}/points/count", self._count)
        app.router.add_post(f"{one}/points/query", self._query)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return runner

    @web.middleware
    async def _guard(self, request: web.Request, handler):
        self.requests.append(f"{request.method} {request.path}")
        if self.broken:
            return failed(500, "Internal error")
        if request.headers.get("api-key") != self.api_key:
            return failed(403, "Must provide an API key")
        name = request.match_info.get("name")
        is_known = name is None or name in self.collections
        if not is_known and not (request.method == "PUT" and handler == self._create):
            return failed(404, f"Not found: Collection `{name}` doesn't exist!")
        return await handler(request)

    def _named(self, request: web.Request) -> Collection:
        return self.collections[request.match_info["name"]]

    async def _list(self, _: web.Request) -> web.Response:
        return done({"collections": [{"name": name} for name in self.collections]})

    async def _show(self, request: web.Request) -> web.Response:
        found = self._named(request)
        return done({"status": "green", "points_count": len(found.points)})

    async def _create(self, request: web.Request) -> web.Response:
        name, body = request.match_info["name"], await request.json()
        if name in self.collections:
            return failed(409, f"Wrong input: Collection `{name}` already exists!")
        assert body["vectors"]["distance"] == "Cosine"
        self.collections[name] = Collection(size=body["vectors"]["size"])
        return done(True)

    async def _drop(self, request: web.Request) -> web.Response:
        del self.collections[request.match_info["name"]]
        return done(True)

    async def _index(self, request: web.Request) -> web.Response:
        self._named(request).indexed.add((await request.json())["field_name"])
        return done({"operation_id": 0, "status": "completed"})

    async def _put(self, request: web.Request) -> web.Response:
        found, body = self._named(request), await request.json()
        if any(len(point["vector"]) != found.size for point in body["points"]):
            return failed(400, "Wrong input: Vector dimension error")
        if request.query.get("wait") != "true":
            return done({"operation_id": 0, "status": "acknowledged"})
        for point in body["points"]:
            found.points[point["id"]] = point
        return done({"operation_id": 0, "status": "completed"})

    async def _remove(self, request: web.Request) -> web.Response:
        found, body = self._named(request), await request.json()
        if request.query.get("wait") == "true":
            for point_id in body["points"]:
                found.points.pop(point_id, None)
        return done({"operation_id": 0, "status": "completed"})

    async def _count(self, request: web.Request) -> web.Response:
        return done({"count": len(self._named(request).points)})

    async def _query(self, request: web.Request) -> web.Response:
        found, body = self._named(request), await request.json()
        if len(body["query"]) != found.size:
            return failed(400, "Wrong input: Vector dimension error")
        must = body.get("filter", {}).get("must", ())
        query = np.array(body["query"])
        scored = [
            {"id": point["id"], "version": 0, "score": cosine(query, point)}
            for point in found.points.values()
            if all(holds(condition, point["payload"]) for condition in must)
        ]
        scored.sort(key=lambda point: -point["score"])
        return done({"points": scored[: body.get("limit", 10)]})


def cosine(query: np.ndarray, point: dict[str, Any]) -> float:
    vector = np.array(point["vector"])
    return float(query @ vector / np.linalg.norm(query) / np.linalg.norm(vector))


def holds(condition: dict[str, Any], payload: dict[str, Any]) -> bool:
    value = payload[condition["key"]]
    if match := condition.get("match"):
        return bool(value in match["any"])
    bounds = condition["range"]
    return bool(bounds.get("gte", value) <= value < bounds.get("lt", value + 1))


def done(result: Any) -> web.Response:
    return web.json_response({"result": result, "status": "ok", "time": 0.001})


def failed(status: int, error: str) -> web.Response:
    return web.Response(
        status=status,
        text=json.dumps({"status": {"error": error}, "time": 0.0}),
        content_type="application/json",
    )
