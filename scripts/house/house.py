"""A house: a folder, a hass process over it, and a user who is logged in."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Self

from . import folder as configuration
from .client import Client, Login
from .errors import HouseError
from .process import HassProcess

OWNER = Login(name="Robin", username="robin", password="remember-the-ides")  # noqa: S106
DOMAIN = "caesar"
_FAILED_STATES = ("setup_error", "setup_retry", "migration_error")
_START_SECONDS = 120
_POLL_SECONDS = 0.1


class House:
    """Home Assistant with one user; use as an async context to be sure it ends."""

    def __init__(
        self,
        folder: Path,
        *,
        port: int | None = None,
        install: Callable[[Path], None] = configuration.install,
        configuration_extra: str = "",
        modules: Path | None = None,
    ) -> None:
        """Describe a house; ``modules`` is a folder that hass may import from too."""
        self.folder = folder
        self.port = port or configuration.free_port()
        self.process = HassProcess(folder, modules=modules)
        self._install = install
        self._extra = configuration_extra
        self._client: Client | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def client(self) -> Client:
        """Return the logged-in user's session."""
        if not self._client:
            raise HouseError("the house is not running")
        return self._client

    @property
    def address(self) -> str:
        """Return the house's address."""
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> bool:
        """Start Home Assistant and return when all is set up and the user logged in.

        The answer is whether it was this house's first start.
        Raises HouseError where the port is taken, or where it ends or is not up within
        two minutes.
        """
        if configuration.is_taken(self.port):
            raise HouseError(f"port {self.port} is in use: choose another one")
        configuration.prepare(self.folder, extra=self._extra)
        self._install(self.folder)
        configuration.set_port(self.folder, self.port)
        await self._forget_client()
        await self.process.start()
        self._client = Client(self.address)
        try:
            async with asyncio.timeout(_START_SECONDS):
                await self._until(self._answers)
                is_new = await self._log_in()
                await self._until(self._is_running)
        except TimeoutError as error:
            await self.kill()
            raise HouseError("hass was not up within two minutes") from error
        return is_new

    async def stop(self) -> None:
        """Stop Home Assistant in good order; idempotent."""
        await self._forget_client()
        if self.process.is_running:
            await self.process.stop()

    async def kill(self) -> None:
        """End Home Assistant as a power cut would; idempotent."""
        await self.process.kill()
        await self._forget_client()

    async def add_caesar(self, choice: str, answers: Mapping[str, object]) -> str:
        """Add CAESAR through its config flow and return its agent's entity id."""
        await self.client.configure(DOMAIN, choice, answers)
        return await self.agent()

    async def agent(self) -> str:
        """Return the entity id of CAESAR's conversation agent, once it is there.

        Raises HouseError where CAESAR could not be set up, or where there is no agent
        after ten seconds.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(10):
                while True:
                    if found := await self._find_agent():
                        return found
                    await asyncio.sleep(_POLL_SECONDS)
        raise HouseError("CAESAR has no conversation agent")

    async def talk_through_assist(self, agent: str) -> None:
        """Let the Assist dialog answer with an agent; needs assist_pipeline."""
        pipelines = await self.client.command(type="assist_pipeline/pipeline/list")
        (pipeline,) = pipelines["pipelines"]
        await self.client.command(
            type="assist_pipeline/pipeline/update",
            pipeline_id=pipeline.pop("id"),
            **pipeline | {"conversation_engine": agent},
        )

    async def _find_agent(self) -> str | None:
        entries = await self.client.command(type="config_entries/get", domain=DOMAIN)
        for entry in entries:
            if entry["state"] in _FAILED_STATES:
                reason = entry["reason"] or self.process.trouble().splitlines()[-1]
                raise HouseError(f"CAESAR could not be set up: {reason}")
        entities = await self.client.command(type="config/entity_registry/list")
        present = {state["entity_id"] for state in await self.client.get("/api/states")}
        for entity in entities:
            entity_id: str = entity["entity_id"]
            if entity["platform"] == DOMAIN and entity_id.startswith("conversation."):
                return entity_id if entity_id in present else None
        return None

    async def _until(self, condition: Callable[[], Awaitable[bool]]) -> None:
        while not await condition():
            if not self.process.is_running:
                raise HouseError("hass ended while starting")
            await asyncio.sleep(_POLL_SECONDS)

    async def _answers(self) -> bool:
        # Unauthorized, not "not found": the pages are there.
        return await self.client.status("/api/") == HTTPStatus.UNAUTHORIZED

    async def _log_in(self) -> bool:
        # The page of onboarding is gone once there is a user.
        if await self.client.status("/api/onboarding") == HTTPStatus.NOT_FOUND:
            await self.client.log_in(OWNER)
            return False
        await self.client.create_user(OWNER)
        return True

    async def _is_running(self) -> bool:
        state = (await self.client.get("/api/config"))["state"]
        return bool(state == "RUNNING")

    async def _forget_client(self) -> None:
        if self._client:
            await self._client.close()
            self._client = None
