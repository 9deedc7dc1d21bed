"""A Home Assistant in this process with CAESAR in it, as the tests have it."""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
import tempfile
from typing import Any, Final

from homeassistant.components.conversation import ChatLog
from homeassistant.config_entries import ConfigSubentryDataWithId
from homeassistant.core import Context
from homeassistant.helpers.llm import (
    DEFAULT_INSTRUCTIONS_PROMPT,
    LLM_API_ASSIST,
    LLMContext,
    async_get_api,
)
from homeassistant.loader import DATA_CUSTOM_COMPONENTS
from pytest_homeassistant_custom_component.common import (
    MockUser,
    async_test_home_assistant,
)

from custom_components.caesar.const import CONF_SHARE_WITH_AGENTS, DOMAIN
from custom_components.caesar.gateway.base import ToolSpec
from custom_components.caesar.gateway.chat_log import tool_specs
from custom_components.caesar.memory.composer import Section
from custom_components.caesar.memory.models import (
    EventKind,
    NewEvent,
    Scope,
    user_owner,
)
from tests.gateway import anthropic_server, ollama_server
from tests.ha.house import House, add_lamp, agent, claude, move_in, ollama

_NOTHING: Final = '{"kind":"noise","facts":[]}'


@dataclass(frozen=True, kw_only=True, slots=True)
class Language:
    """How a kind of server is spoken to, and the fake of one."""

    name: str
    provider_id: str
    model: str
    fake: Callable[[], AbstractAsyncContextManager[Any]]
    provider: Callable[..., ConfigSubentryDataWithId]
    said: Any
    """What the fake replies to a person."""
    nothing: Any
    """What the fake replies where it is asked for facts."""


OLLAMA: Final = Language(
    name="Ollama",
    provider_id="ollama",
    model=ollama_server.MODEL,
    fake=ollama_server.running_server,
    provider=ollama,
    said=ollama_server.says("A ball."),
    nothing=ollama_server.says(_NOTHING),
)
ANTHROPIC: Final = Language(
    name="Claude",
    provider_id="claude",
    model=anthropic_server.CLAUDE,
    fake=anthropic_server.running_server,
    provider=claude,
    said=anthropic_server.says("A ball."),
    nothing=anthropic_server.answers(_NOTHING),
)
LANGUAGES: Final = {"ollama": OLLAMA, "anthropic": ANTHROPIC}


@dataclass(frozen=True, kw_only=True, slots=True)
class Home:
    """A house with one lamp, one agent that may use Assist, and one who speaks."""

    house: House
    robin: MockUser
    spoken: str
    """The language of the house's people."""
    heard_by: str

    async def know(self, user: MockUser, facts: Iterable[tuple[str, str]]) -> None:
        """Add facts of a person's own: keys and values."""
        memory = self.house.runtime.memory
        for key, value in facts:
            await memory.add_fact(user_owner(user.id), key, value)

    def section(self, text: str, user: MockUser) -> Section:
        """Return what the next turn of a person would be told."""
        scope = Scope(owner=user_owner(user.id))
        return self.house.runtime.section(scope, text, self.spoken)

    async def shared_tools(self) -> Sequence[ToolSpec]:
        """Return CAESAR's tools that another integration's agent is given."""
        hass = self.house.hass
        chat_log = ChatLog(hass, "benchmark")
        context = LLMContext(
            platform="other",
            context=Context(user_id=self.robin.id),
            language=self.spoken,
            assistant="conversation",
            device_id=None,
        )
        chat_log.llm_api = await async_get_api(hass, LLM_API_ASSIST, context)
        return [
            tool for tool in tool_specs(chat_log) if tool.name.startswith(f"{DOMAIN}__")
        ]

    async def ask(self, text: str, user: MockUser) -> None:
        """Say something to the agent and wait for the answer.

        Raises RuntimeError where there is none.
        """
        result = await self.house.say(text, user, language=self.spoken)
        if result.response.error_code is not None:
            raise RuntimeError(f"no answer: {result.response.speech}")

    async def learn(self, *texts: str) -> None:
        """Learn from words as if the agent had just answered them.

        Raises RuntimeError where the model does not do.
        """
        runtime = self.house.runtime
        for text in texts:
            event = NewEvent(
                kind=EventKind.CHAT_COMPLETED,
                owner=user_owner(self.robin.id),
                language=self.spoken,
                user_text=text,
                payload={"heard_by": self.heard_by, "teaches": True},
            )
            await runtime.memory.finish(None, event)
        while (report := await runtime.learn_now()).waiting:
            if report.problem:
                raise RuntimeError(f"learning ended early: {report.problem}")

    async def tokens(self, kind: EventKind) -> tuple[int | None, ...]:
        """Return what the last event of a kind counts: read, cached of it, written.

        What the server did not tell is None.
        """
        events = await self.house.events(self.robin, kind)
        payload: Any = events[-1].payload
        counted = ("input_tokens", "cached_input_tokens", "output_tokens")
        return tuple(payload[name] for name in counted)


@asynccontextmanager
async def home(
    language: Language, url: str, model: str, *, spoken: str, greeting: str = ""
) -> AsyncIterator[Home]:
    """Live in a house whose agent uses a server; ``greeting`` heads its prompt."""
    with tempfile.TemporaryDirectory() as folder:
        async with async_test_home_assistant(config_dir=folder) as hass:
            # The harness says there are none.
            del hass.data[DATA_CUSTOM_COMPONENTS]
            house = await move_in(
                hass,
                language.provider(url),
                agent(
                    language.provider_id,
                    model,
                    llm_hass_api=["assist"],
                    prompt=f"{greeting}{DEFAULT_INSTRUCTIONS_PROMPT}",
                ),
                # Our own agent is told nothing more for that.
                options={CONF_SHARE_WITH_AGENTS: True},
            )
            await add_lamp(hass)
            try:
                yield Home(
                    house=house,
                    robin=house.user("Robin"),
                    spoken=spoken,
                    heard_by=f"{language.provider_id}|{model}",
                )
            finally:
                await hass.async_stop(force=True)
