"""An AI Task entity of another integration as a provider."""

import asyncio
import json

from homeassistant.components.ai_task import AITaskEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import probatio
import pytest

from custom_components.caesar.gateway import Gateway, Route, Timeouts
from custom_components.caesar.gateway.ai_task import AiTaskProvider
from custom_components.caesar.gateway.errors import (
    ProviderMissingError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    UnsupportedRequestError,
)
from custom_components.caesar.memory.extraction.request import build_request
from custom_components.caesar.memory.models import Exchange
from tests.ha.agents import AI_TASK, OtherAiTask, add_ai_task
from tests.memory.made import NOON

from .requests import chat, generation

ANSWER = {"kind": "lasting", "facts": []}


@pytest.fixture
async def entity(hass: HomeAssistant) -> OtherAiTask:
    assert await async_setup_component(hass, "homeassistant", {})
    return await add_ai_task(hass, ANSWER)


@pytest.fixture
def provider(hass: HomeAssistant) -> AiTaskProvider:
    return AiTaskProvider(hass, AI_TASK)


async def test_the_entity_gets_the_question_and_its_structure(
    entity: OtherAiTask, provider: AiTaskProvider
):
    exchange = Exchange(
        id=1, at=NOON, owner="user:robin", language="en", user_text="My dog is Beans."
    )
    asked = build_request(exchange, NOON.date())
    request = generation(
        instructions=asked.instructions,
        examples=asked.examples,
        text=asked.text,
        answer_schema=asked.answer_schema,
    )
    result = await provider.generate(request)
    assert (json.loads(result.text), result.model) == (ANSWER, AI_TASK)
    (task,) = entity.tasks
    assert task.instructions.startswith(asked.instructions)
    assert task.instructions.endswith("My dog is Beans.")
    assert asked.examples[0][1] in task.instructions
    # The model sees what it would see as a provider of ours, but for lengths.
    seen = probatio.to_openapi(
        task.structure,
        custom_serializer=llm.selector_serializer,
        openapi_version="3.1.0",
    )
    wanted = asked.answer_schema["properties"]
    facts, wanted_facts = seen["properties"]["facts"], wanted["facts"]["items"]  # type: ignore[index]
    assert seen["required"] == ["kind", "facts"]
    assert seen["properties"]["kind"]["enum"] == wanted["kind"]["enum"]  # type: ignore[index]
    assert facts["type"] == "array"
    assert facts["items"]["required"] == wanted_facts["required"]
    for name in ("who", "what", "holds"):
        properties = facts["items"]["properties"]
        assert properties[name]["enum"] == wanted_facts["properties"][name]["enum"]


async def test_text_comes_back_as_it_is(entity: OtherAiTask, provider: AiTaskProvider):
    entity.answers = ['{"kind": "noise", "facts": []}']
    assert (await provider.generate(generation())).text == (
        '{"kind": "noise", "facts": []}'
    )


async def test_it_holds_no_conversation(provider: AiTaskProvider):
    with pytest.raises(UnsupportedRequestError):
        await anext(provider.stream(chat()))


async def test_without_ai_tasks_it_is_missing(hass: HomeAssistant):
    with pytest.raises(ProviderMissingError):
        await AiTaskProvider(hass, AI_TASK).generate(generation())


async def test_an_entity_that_is_gone_is_missing(
    entity: OtherAiTask, provider: AiTaskProvider
):
    await entity.async_remove()
    with pytest.raises(ProviderMissingError):
        await provider.generate(generation())


async def test_an_entity_that_is_unavailable_may_come_back(
    entity: OtherAiTask, provider: AiTaskProvider
):
    entity._attr_available = False
    entity.async_write_ha_state()
    with pytest.raises(ProviderUnavailableError) as raised:
        await provider.generate(generation())
    assert not isinstance(raised.value, ProviderMissingError)
    entity._attr_available = True
    entity.async_write_ha_state()
    assert await provider.generate(generation())


async def test_an_entity_that_generates_no_data_is_missing(hass: HomeAssistant):
    assert await async_setup_component(hass, "homeassistant", {})
    entity = OtherAiTask(ANSWER)
    entity._attr_supported_features = AITaskEntityFeature.GENERATE_IMAGE
    assert await async_setup_component(hass, "ai_task", {})
    await hass.data["ai_task"].async_add_entities([entity])
    with pytest.raises(ProviderMissingError):
        await AiTaskProvider(hass, AI_TASK).generate(generation())


@pytest.mark.parametrize(
    "error", [HomeAssistantError("My dog is Beans"), KeyError("My dog is Beans")]
)
async def test_what_goes_wrong_inside_is_ours_without_its_words(
    entity: OtherAiTask, provider: AiTaskProvider, error: Exception
):
    entity.answers = [error]
    with pytest.raises(ProviderUnavailableError) as raised:
        await provider.generate(generation())
    assert "Beans" not in str(raised.value)
    assert raised.value.__suppress_context__


async def test_a_slow_entity_is_given_up(
    hass: HomeAssistant, entity: OtherAiTask, provider: AiTaskProvider
):
    cancelled = asyncio.Event()

    async def forever(*_: object) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    entity._async_generate_data = forever  # type: ignore[assignment]
    gateway = Gateway({"it": provider}, Route("it"), Timeouts(generation=0.01))
    with pytest.raises(ProviderTimeoutError):
        await gateway.generate(generation(), Route("it"))
    await cancelled.wait()
