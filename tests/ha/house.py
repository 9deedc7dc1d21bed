"""A Home Assistant with CAESAR in it, and people who talk to it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.components.conversation import ConversationResult, async_converse
from homeassistant.components.light.const import DATA_COMPONENT as LIGHT_COMPONENT
from homeassistant.config_entries import ConfigSubentryDataWithId
from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockUser,
    async_fire_time_changed,
)

from custom_components.caesar.const import DOMAIN
from custom_components.caesar.memory.models import Event, Owner, Scope, user_owner
from custom_components.caesar.runtime import CaesarRuntime
from tests.gateway.house import LIGHT, Lamp

AGENT = "conversation.caesar"


@dataclass
class House:
    """What a test does with a running CAESAR."""

    hass: HomeAssistant
    entry: MockConfigEntry

    @property
    def runtime(self) -> CaesarRuntime:
        runtime: CaesarRuntime = self.entry.runtime_data
        return runtime

    def user(self, name: str, group: str = GROUP_ID_USER) -> MockUser:
        user = MockUser(name=name).add_to_hass(self.hass)
        user.mock_policy({})
        user.groups = [self.hass.auth._store._groups[group]]
        return user

    def admin(self, name: str = "Admin") -> MockUser:
        return self.user(name, GROUP_ID_ADMIN)

    async def say(
        self,
        text: str,
        user: User | None = None,
        *,
        agent_id: str = AGENT,
        **parts: Any,
    ) -> ConversationResult:
        context = parts.pop("context", Context(user_id=user.id if user else None))
        # A task of its own, as every real turn has.
        return await self.hass.async_create_task(
            async_converse(
                self.hass,
                text,
                parts.pop("conversation_id", None),
                context,
                parts.pop("language", "en"),
                agent_id=agent_id,
                **parts,
            )
        )

    async def ask(self, text: str, user: MockUser | None = None, **parts: Any) -> str:
        return speech(await self.say(text, user, **parts))

    async def learn(self) -> None:
        await self.runtime.learn_now()

    async def events(self, owner: Owner | MockUser, *kinds: str) -> list[Event]:
        await self.hass.async_block_till_done()
        if isinstance(owner, MockUser):
            owner = user_owner(owner.id)
        events = await self.runtime.memory.events(Scope(owner=owner), kinds=kinds)
        return [event for event in reversed(events) if event.owner == owner]

    async def act(
        self, user: MockUser | None, action: str, **data: Any
    ) -> dict[str, Any]:
        answer = await self.hass.services.async_call(
            DOMAIN,
            action,
            data,
            blocking=True,
            return_response=True,
            context=Context(user_id=user.id if user else None),
        )
        assert answer is not None
        return answer


async def add_lamp(hass: HomeAssistant) -> None:
    """Put a kitchen lamp into the house that Assist may switch."""
    assert await async_setup_component(hass, "light", {})
    await hass.data[LIGHT_COMPONENT].async_add_entities([Lamp()])
    await hass.async_block_till_done()


def is_lit(hass: HomeAssistant) -> bool:
    lamp = hass.states.get(LIGHT)
    assert lamp is not None
    return lamp.state == "on"


async def a_minute_later(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """Let everything happen that is done each minute."""
    await hass.async_block_till_done()
    freezer.tick(timedelta(minutes=1, seconds=1))
    async_fire_time_changed(hass)
    await hass.async_block_till_done(wait_background_tasks=True)


def speech(result: ConversationResult) -> str:
    return str(result.response.speech["plain"]["speech"])


def agent(
    provider: str = "builtin", model: str = "", title: str = "CAESAR", **data: Any
) -> ConfigSubentryDataWithId:
    return ConfigSubentryDataWithId(
        subentry_id=title.lower(),
        subentry_type="conversation",
        title=title,
        unique_id=None,
        data={"provider": provider, "model": model, **data},
    )


def ollama(url: str, provider_id: str = "ollama") -> ConfigSubentryDataWithId:
    return ConfigSubentryDataWithId(
        subentry_id=f"{provider_id}-subentry",
        subentry_type="provider",
        title="Ollama",
        unique_id=provider_id,
        data={"kind": "ollama", "url": url},
    )


def claude(
    url: str, provider_id: str = "claude", key: str = "key"
) -> ConfigSubentryDataWithId:
    return ConfigSubentryDataWithId(
        subentry_id=f"{provider_id}-subentry",
        subentry_type="provider",
        title="Claude",
        unique_id=provider_id,
        data={"kind": "anthropic", "api_key": key, "url": url},
    )


def voyage(
    url: str, provider_id: str = "voyage", key: str = "key"
) -> ConfigSubentryDataWithId:
    return ConfigSubentryDataWithId(
        subentry_id=f"{provider_id}-subentry",
        subentry_type="provider",
        title="Voyage AI",
        unique_id=provider_id,
        data={"kind": "voyageai", "api_key": key, "url": url},
    )


type MoveIn = Callable[..., Awaitable[House]]


async def move_in(
    hass: HomeAssistant,
    *subentries: ConfigSubentryDataWithId,
    options: dict[str, Any] | None = None,
) -> House:
    assert await async_setup_component(hass, "homeassistant", {})
    entry = MockConfigEntry(
        domain=DOMAIN,
        title="CAESAR",
        options=options or {},
        subentries_data=list(subentries) or [agent()],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return House(hass, entry)
