"""Home Assistant's own MCP server, asked by a real MCP client over HTTP."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
import json
from typing import Any, override

from homeassistant.auth.models import User
from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import entity_registry as er, llm
import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
import pytest
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.caesar.memory.models import HOUSEHOLD, user_owner
from tests.gateway.ollama_server import settled

from .agents import BEDROOM
from .people import access_token
from .town import Town, heard

TOOLS = {"caesar__remember", "caesar__recall_facts", "caesar__forget"}
LOGGED_IN = ("ann", "bob", "the wall tablet")
DEVICE = "io.home-assistant/device_id"
"""Where a client of the MCP server may name a device."""


class Client:
    """What somebody's MCP client does."""

    def __init__(self, session: ClientSession) -> None:
        self._session = session

    async def tools(self) -> set[str]:
        """Return the names of CAESAR's tools, without the name of Assist."""
        offered = (await self._session.list_tools()).tools
        return {tool.name for tool in offered if "caesar__" in tool.name}

    async def prompt(self) -> str:
        (listed,) = (await self._session.list_prompts()).prompts
        (message,) = (await self._session.get_prompt(listed.name)).messages
        return str(message.content)

    async def call(
        self, tool: str, *, device_id: str | None = None, **arguments: Any
    ) -> Any:
        """Return what a tool answers, whose client may name a device."""
        text, is_error = await self._call(tool, device_id, arguments)
        assert not is_error, text
        return json.loads(text)

    async def refusal(self, tool: str, **arguments: Any) -> str:
        """Return why a tool did not do what it was asked for."""
        text, is_error = await self._call(tool, None, arguments)
        assert is_error, text
        return text

    async def _call(
        self, tool: str, device_id: str | None, arguments: dict[str, Any]
    ) -> tuple[str, bool]:
        meta = None if device_id is None else {DEVICE: device_id}
        result = await self._session.call_tool(tool, arguments, meta=meta)
        (content,) = result.content
        assert content.type == "text"
        return content.text, result.isError


class Radio(llm.API):
    """Something else in the house that models may use."""

    @override
    async def async_get_api_instance(
        self, llm_context: llm.LLMContext
    ) -> llm.APIInstance:
        return llm.APIInstance(self, "There is a radio.", llm_context, [])


type Connect = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture
async def connect(
    hass: HomeAssistant, town: Town, aiohttp_client: ClientSessionGenerator
) -> Connect:
    """Set the MCP server up as a person does, and connect to it as one."""
    flow = await hass.config_entries.flow.async_init(
        "mcp_server", context={"source": SOURCE_USER}
    )
    done = await hass.config_entries.flow.async_configure(flow["flow_id"], {})
    assert done["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done()
    http = await aiohttp_client(hass.http.app)

    @asynccontextmanager
    async def connected(
        user: User, path: str = "/api/mcp/assist"
    ) -> AsyncIterator[Client]:
        token = await access_token(hass, user)
        async with (
            httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as client,
            streamable_http_client(
                str(http.make_url(path)), http_client=client
            ) as streams,
            ClientSession(streams[0], streams[1]) as session,
        ):
            await session.initialize()
            yield Client(session)
        await settled()

    return connected


@pytest.fixture
async def shared(town: Town, hass: HomeAssistant) -> None:
    town.turn_on(share_with_mcp=True)
    await hass.async_block_till_done()


def user_of(town: Town, name: str) -> User:
    user = town.voices[name].user
    assert user is not None
    return user


async def test_with_its_switch_off_a_client_gets_nothing(
    town: Town, connect: Connect, hass: HomeAssistant
):
    town.turn_on(share_with_agents=True)
    await hass.async_block_till_done()
    for name in LOGGED_IN:
        async with connect(user_of(town, name)) as client:
            assert heard(await client.prompt()) == frozenset(), name
            assert await client.tools() == set(), name
            assert "not found" in await client.refusal("caesar__recall_facts"), name


@pytest.mark.usefixtures("shared")
async def test_a_client_is_told_what_its_user_may_hear(town: Town, connect: Connect):
    for name in LOGGED_IN:
        hears = town.voices[name].hears
        async with connect(user_of(town, name)) as client:
            assert heard(await client.prompt()) == hears, name
            assert await client.tools() == TOOLS, name
            assert heard(await client.call("caesar__recall_facts")) == hears, name


@pytest.mark.usefixtures("shared")
async def test_a_client_of_all_apis_is_told_no_more(
    town: Town, connect: Connect, hass: HomeAssistant
):
    llm.async_register_api(hass, Radio(hass=hass, id="radio", name="Radio"))
    async with connect(user_of(town, "ann"), "/api/mcp") as client:
        assert heard(await client.prompt()) == {"ann", "home"}
        assert await client.tools() == {f"assist__{tool}" for tool in TOOLS}
        told = await client.call("assist__caesar__recall_facts")
        assert heard(told) == {"ann", "home"}


@pytest.mark.usefixtures("shared")
async def test_what_a_client_remembers_is_its_users(
    town: Town, connect: Connect, hass: HomeAssistant
):
    ann, bob = user_of(town, "ann"), user_of(town, "bob")
    bedroom = anns_satellite(hass)
    async with connect(bob) as client:
        kept = await client.call(
            "caesar__remember",
            value="Rex",
            who="dog",
            what="name",
            # Whose voice that satellite carries does not count: somebody is logged in.
            device_id=bedroom,
        )
        assert kept == {"stored": True, "changes": ["add"]}
        assert "Rex" in await client.prompt()
        refusal = await client.refusal("caesar__remember", value="My PIN is 4711")
        assert "never will be" in refusal
    async with connect(ann) as client:
        assert "Rex" not in await client.prompt()
        assert "Rex" not in str(await client.call("caesar__recall_facts"))
    assert values(town, user_owner(bob.id)) == {"Bobsword", "Rex"}
    assert values(town, user_owner(ann.id)) == {"Annsword"}
    assert values(town, HOUSEHOLD) == {"Homesword"}


@pytest.mark.usefixtures("shared")
async def test_what_a_client_forgets_was_its_users(town: Town, connect: Connect):
    ann, bob = user_of(town, "ann"), user_of(town, "bob")
    async with connect(bob) as client:
        assert "no fact is like this" in await client.refusal(
            "caesar__forget", text="Annsword"
        )
        gone = await client.call("caesar__forget", text="Bobsword")
        assert heard(gone["deleted"]) == {"bob"}
        assert heard(await client.prompt()) == {"home"}
    assert values(town, user_owner(bob.id)) == set()
    assert values(town, user_owner(ann.id)) == {"Annsword"}


@pytest.mark.usefixtures("shared")
async def test_a_client_that_is_connected_loses_what_is_switched_off(
    town: Town, connect: Connect, hass: HomeAssistant
):
    async with connect(user_of(town, "ann")) as client:
        assert await client.tools() == TOOLS
        town.turn_on(share_with_mcp=False)
        await hass.async_block_till_done()
        assert await client.tools() == set()
        assert heard(await client.prompt()) == frozenset()


def anns_satellite(hass: HomeAssistant) -> str:
    """Return the device of the satellite that carries Ann's voice."""
    entity = er.async_get(hass).async_get(BEDROOM)
    assert entity is not None
    assert entity.device_id is not None
    return entity.device_id


def values(town: Town, owner: str) -> set[str]:
    return {fact.value for fact in town.house.runtime.memory.facts_of(owner)}
