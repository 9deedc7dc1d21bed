"""Cases 22 to 27: however a model answers, and however slowly, nothing told is lost."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.caesar.const import DOMAIN
from custom_components.caesar.memory.learning import MAX_ATTEMPTS
from custom_components.caesar.memory.models import user_owner
from tests.gateway.ollama_server import Reply, says, thinks, writes
from tests.ha.house import House

from .dialogues import MODEL, Town, Turn, said, town_of, written

DOG = ("dog", "name", "Beans")
FACT = '{"who": "dog", "what": "name", "value": "Beans", "holds": "true"}'
LISTED = '[{"key": "dog.name", "value": "Beans", "confidence": 0.9}]'
# No sentence form reads it, so that a model is asked.
SAID = "Beans is what our dog answers to."
DIALOGUE = said(SAID, believed=(DOG,), left={"dog.name": "Beans"})


@pytest.fixture
async def town(hass: HomeAssistant, socket_enabled: None) -> AsyncIterator[Town]:
    async with town_of(hass, MODEL) as town:
        yield town


@pytest.mark.parametrize(
    "answer",
    [
        FACT,
        LISTED,
        f"```json\n{LISTED}\n```",
        f"<think>[a] {{dog}}</think>{LISTED}",
        f"{LISTED}\nI hope this helps! [1]",
        f"Sure. {written(DOG)}",
        LISTED[1:-1],
    ],
    ids=lambda answer: f"22-{answer[:12]!r}",
)
async def test_an_answer_in_any_wrapping_is_one_fact(town: Town, answer: str):
    town.server.replies += [says("Nice name."), says(answer)]
    assert await town.failures([DIALOGUE]) == []


@pytest.mark.parametrize(
    "reply",
    [says(""), thinks("The dog is called Beans.", ""), says("   "), writes("{}")],
    ids=["23-empty", "23-only-thought", "23-blank", "23-no-message"],
)
async def test_an_empty_answer_is_asked_for_again(town: Town, reply: Reply):
    town.server.replies += [says("Nice name."), reply]
    robin = await town.hold(DIALOGUE)
    assert robin.answers == ("Nice name.",)
    assert robin.values == {}
    assert await town.house.runtime.learning.waiting() == 1

    town.server.turn = Turn(said="", believed=(DOG,))
    await town.house.runtime.learning.tick(impatient=True)
    assert known(town.house, robin.owner) == ["Beans"]


async def test_23_what_stays_empty_is_set_aside_and_told(town: Town):
    town.server.replies += [says("Nice name.")]
    town.server.replies += [thinks("Beans.", "") for _ in range(MAX_ATTEMPTS)]
    robin = await town.hold(DIALOGUE)
    for _ in range(MAX_ATTEMPTS - 1):
        await town.house.runtime.learning.tick(impatient=True)
    events = await town.house.events(robin.owner, "memory.extraction.set_aside")
    assert len(events) == 1
    # And those who come after it are heard.
    assert await town.failures([DIALOGUE]) == []


TAGS = (
    "{assistant_response} and it costs $& 5",
    "{{ states.light.kitchen }} {% raw %}",
    "{value} {name} {0} %s %(name)s ${env}",
    "\\1 \\g<0> $1 $$",
)


@pytest.mark.parametrize("tag", TAGS, ids=lambda tag: f"25-{tag}")
async def test_words_that_look_like_a_template_stay_as_they_are(town: Town, tag: str):
    text = f"Remember that my tag is {tag}"
    robin = await town.hold(said(text, "Which tag is mine?"))
    assert list(robin.values.values()) == [f"my tag is {tag}"]
    told = town.server.bodies[-1]["messages"]
    assert f"my tag is {tag}" in told[0]["content"]


@pytest.mark.parametrize("tag", TAGS, ids=lambda tag: f"25-{tag}")
async def test_a_model_is_shown_such_words_as_they_were_said(town: Town, tag: str):
    text = f"My tag is {tag} by the way."
    robin = await town.hold(said(text, believed=(("me", "note", tag),)))
    assert list(robin.values.values()) == [tag]
    assert robin.asked == (text,)


async def test_26_as_it_comes_it_learns(
    hass: HomeAssistant,
):
    assert await async_setup_component(hass, "homeassistant", {})
    menu = await hass.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_USER}
    )
    done = await hass.config_entries.flow.async_configure(
        menu["flow_id"], {"next_step_id": "builtin"}
    )
    await hass.async_block_till_done()
    house = House(hass, cast("MockConfigEntry", done["result"]))
    robin = house.user("Robin")
    await house.ask("My dog's name is Beans.", robin)
    await house.learn()
    assert known(house, user_owner(robin.id)) == ["Beans"]


NAMES = ["Ada", "Bo", "Cleo", "Dora", "Emil", "Faye", "Gus", "Hana", "Ivo", "Jana"]


async def test_27_ten_statements_at_once_are_learned_in_order(town: Town):
    """The model takes its time over them; nobody waits for it."""
    house, server, robin = town.house, town.server, town.house.user("Robin")
    for name in NAMES:
        await house.ask(f"{name} is what a friend of mine answers to.", robin)
    may_answer = asyncio.Event()
    beliefs = [written(("friend", "name", name)) for name in NAMES]
    server.replies += [says(belief, hold=may_answer) for belief in beliefs]
    learning = asyncio.create_task(house.learn())
    async with asyncio.timeout(20):
        await server.was_asked.wait()
    server.replies.insert(0, says("Half past nine."))
    assert await house.ask("What time is it?", robin) == "Half past nine."
    assert not learning.done()
    may_answer.set()
    await learning
    added = await house.events(robin, "memory.fact.added")
    states: list[Any] = [event.payload["after"] for event in added]
    assert [state["value"] for state in states] == NAMES


def known(house: House, owner: str) -> list[str]:
    return [fact.value for fact in house.runtime.memory.facts_of(owner)]
