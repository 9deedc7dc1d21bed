"""A person's way into a house: HTTP and websocket as a logged-in user."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Self

import aiohttp

from .errors import HouseError

# Longer than CAESAR waits for a model, so that its own apology comes first.
_TIMEOUT = aiohttp.ClientTimeout(total=900)

type Json = Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Login:
    """The name and password of a user."""

    name: str
    username: str
    password: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What Assist answered, and the conversation to go on with."""

    text: str
    conversation_id: str | None
    is_error: bool


class Client:
    """One user's session with Home Assistant; all errors are HouseError."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._client_id = f"{base}/"
        self._session = aiohttp.ClientSession(timeout=_TIMEOUT)
        self._token = ""
        self.refresh_token = ""
        """What a browser needs beside the address to stay logged in."""

    @property
    def access_token(self) -> str:
        """Return what proves who is asking, for half an hour."""
        return self._token

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections; idempotent."""
        await self._session.close()

    async def status(self, path: str) -> int | None:
        """Return the status of a page, None where nobody answers."""
        try:
            async with self._session.get(self.base + path) as response:
                return response.status
        except aiohttp.ClientError:
            return None

    async def create_user(self, login: Login) -> None:
        """Create the first user of a new house, and log in."""
        answer = await self.post(
            "/api/onboarding/users",
            {
                "name": login.name,
                "username": login.username,
                "password": login.password,
                "language": "en",
                "client_id": self._client_id,
            },
        )
        await self._exchange(answer["auth_code"])

    async def log_in(self, login: Login) -> None:
        """Log in with name and password, as the login page does."""
        flow = await self.post(
            "/auth/login_flow",
            {
                "client_id": self._client_id,
                "handler": ["homeassistant", None],
                "redirect_uri": self._client_id,
            },
        )
        result = await self.post(
            f"/auth/login_flow/{flow['flow_id']}",
            {
                "client_id": self._client_id,
                "username": login.username,
                "password": login.password,
            },
        )
        if result["type"] != "create_entry":
            raise HouseError(f"login of {login.username} was refused")
        await self._exchange(result["result"])

    async def get(self, path: str) -> Json:
        """Return the JSON of a page."""
        return await self._request("GET", path)

    async def post(self, path: str, body: Mapping[str, object] | None = None) -> Json:
        """Post JSON and return the JSON answer."""
        return await self._request("POST", path, json=body or {})

    async def converse(
        self, text: str, agent: str, conversation_id: str | None = None
    ) -> Reply:
        """Say something to a conversation agent and return its reply."""
        body = {"text": text, "agent_id": agent, "language": "en"}
        if conversation_id:
            body["conversation_id"] = conversation_id
        answer = await self.post("/api/conversation/process", body)
        response = answer["response"]
        return Reply(
            text=response["speech"].get("plain", {}).get("speech") or "",
            conversation_id=answer["conversation_id"],
            is_error=response["response_type"] == "error",
        )

    async def act(self, action: str, data: Mapping[str, object] | None = None) -> Json:
        """Perform an action such as ``caesar.list_facts`` and return its response."""
        path = f"/api/services/{action.replace('.', '/')}?return_response"
        answer = await self.post(path, data)
        return answer["service_response"]

    async def command(self, **message: object) -> Json:
        """Send one websocket command and return its result."""
        try:
            async with self._session.ws_connect(
                f"{self.base}/api/websocket", max_msg_size=0
            ) as socket:
                await socket.receive_json()
                await socket.send_json({"type": "auth", "access_token": self._token})
                await socket.receive_json()
                await socket.send_json({"id": 1, **message})
                answer = await socket.receive_json()
        except (aiohttp.ClientError, TypeError) as error:
            raise HouseError(f"{message['type']} failed: {error}") from error
        if not answer["success"]:
            raise HouseError(f"{message['type']} failed: {answer['error']['message']}")
        return answer["result"]

    async def configure(
        self, domain: str, choice: str, answers: Mapping[str, object]
    ) -> Json:
        """Walk through an integration's config flow and return the new entry.

        ``choice`` is taken in a menu; of ``answers`` each form gets those it asks for.
        """
        path = "/api/config/config_entries/flow"
        flow = await self.post(path, {"handler": domain})
        while flow["type"] in ("form", "menu"):
            if errors := flow.get("errors"):
                fields = "; ".join(f"{name}: {fault}" for name, fault in errors.items())
                raise HouseError(f"set-up of {domain} failed: {fields}")
            step = _next_step(flow, choice, answers)
            flow = await self.post(f"{path}/{flow['flow_id']}", step)
        if flow["type"] != "create_entry":
            raise HouseError(f"set-up of {domain} ended: {flow.get('reason')}")
        return flow["result"]

    async def _exchange(self, code: str) -> None:
        tokens = await self._request(
            "POST",
            "/auth/token",
            data={
                "grant_type": "authorization_code",
                "code": code,
                "client_id": self._client_id,
            },
        )
        self._token = tokens["access_token"]
        self.refresh_token = tokens["refresh_token"]

    async def _request(self, method: str, path: str, **content: Any) -> Json:
        if self._session.closed:
            raise HouseError("the house is not running")
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        try:
            async with self._session.request(
                method, self.base + path, headers=headers, **content
            ) as response:
                if response.status >= HTTPStatus.BAD_REQUEST:
                    reason = (await response.text()).strip()
                    raise HouseError(f"{path} answered {response.status}: {reason}")
                return await response.json()
        except (aiohttp.ClientError, TimeoutError) as error:
            raise HouseError(f"{path} did not answer: {error!r}") from error


def _next_step(
    flow: Json, choice: str, answers: Mapping[str, object]
) -> dict[str, object]:
    if flow["type"] == "menu":
        if choice not in flow["menu_options"]:
            raise HouseError(f"set-up offers {flow['menu_options']}, not {choice}")
        return {"next_step_id": choice}
    asked = {field["name"] for field in flow["data_schema"] or []}
    return {name: answer for name, answer in answers.items() if name in asked}
