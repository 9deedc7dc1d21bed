"""The story in a real Home Assistant process with a real model behind a proxy."""

from pathlib import Path
from typing import Any

from scripts.house import database
from scripts.house.folder import LIGHT
from scripts.house.house import House
from tests.live.proxy import RecordingProxy
from tests.live.short_agent import shorten

TEACH = "Hey CAESAR, by the way my dog's name is Beans."
ASK = "What should I get Beans for his birthday?"
SENTENCE = "Your dog's name is Beans."


def prompt(body: dict[str, Any]) -> str:
    return str(body["messages"][0]["content"])


async def test_the_model_is_told_who_beans_is(
    tmp_path: Path, proxy: RecordingProxy, ollama_model: str
):
    async with House(tmp_path) as house:
        await house.start()
        answers = {"url": proxy.url, "model": ollama_model}
        await house.add_caesar("ollama", answers)
        agent = await shorten(house)
        assert not (await house.client.converse(TEACH, agent)).is_error
        while (await house.client.act("caesar.learn_now"))["waiting"]:
            pass
        before = list(proxy.chats)
        await house.stop()
        await house.start()
        reply = await house.client.converse(ASK, await house.agent())
        assert not reply.is_error
    later = proxy.chats[len(before) :]
    assert SENTENCE in prompt(later[0])
    assert not any(SENTENCE in prompt(body) for body in before)
    (fact,) = database.facts(tmp_path)
    assert (fact["key"], fact["value"]) == ("dog.name", "Beans")
    assert house.process.complaints() == []


async def test_the_model_switches_a_light(
    tmp_path: Path, proxy: RecordingProxy, ollama_model: str
):
    async with House(tmp_path, configuration_extra=LIGHT) as house:
        await house.start()
        answers = {"url": proxy.url, "model": ollama_model}
        agent = await house.add_caesar("ollama", answers)
        await house.client.converse("Turn the kitchen lamp on.", agent)
        lamp = await house.client.get("/api/states/light.kitchen_lamp")
        assert lamp["state"] == "on"
    assert proxy.chats[0]["tools"]
    assert any(
        message.get("tool_calls")
        for body in proxy.chats[1:]
        for message in body["messages"]
    )
