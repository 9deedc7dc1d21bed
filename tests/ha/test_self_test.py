"""The self-test: what it reports, and that it leaves nothing behind."""

from typing import Any

from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
import pytest
from sqlalchemy import text

from tests.gateway.ollama_server import OllamaServer, nobody, says
from tests.ha.house import House, agent, move_in, ollama

STEPS = ["say", "learn", "recall", "forget"]
FACT = (
    '{"kind": "lasting", "facts": [{"who": "me", "what": "allergy", '
    '"value": "pixelberries", "holds": "true"}]}'
)


async def run(house: House, **asked: Any) -> dict[str, Any]:
    return await house.act(None, "self_test", **asked)


async def traces(house: House) -> int:
    """Return how many rows there are of anybody."""

    def count(connection) -> int:
        return sum(
            connection.execute(text(f"SELECT count(*) FROM {table}")).scalar()  # noqa: S608
            for table in ("audit_log", "personal_facts")
        )

    await house.hass.async_block_till_done()
    return await house.runtime.memory.database.read(count)


@pytest.mark.parametrize("language", ["en", "de", "fi"])
async def test_the_built_in_provider_passes_and_nothing_stays(
    hass: HomeAssistant, language: str
):
    hass.config.language = language
    house = await move_in(hass)
    await house.act(None, "add_fact", key="allergy", value="cats", owner="household")
    before = await traces(house)

    report = await run(house)

    assert report["passed"]
    assert report["provider"] == "builtin"
    assert [step["step"] for step in report["steps"]] == STEPS
    for step in report["steps"]:
        assert step["passed"]
        assert step["problem"] is None
        assert 0 <= step["seconds"] < 60
    assert await traces(house) == before
    # Nor is anything learned later.
    await house.learn()
    assert await traces(house) == before


async def test_a_model_is_asked_as_in_any_turn(
    hass: HomeAssistant, server: OllamaServer
):
    house = await move_in(
        hass, agent(), ollama(server.url), agent("ollama", "qwen3:4b", "Talker")
    )
    server.replies += (says("Nice."), says(FACT), says("To Pixelberries."))

    report = await run(house, agent="conversation.talker")

    assert report["passed"], report
    assert (report["provider"], report["model"]) == ("ollama", "qwen3:4b")
    assert "pixelberries" in server.bodies[-1]["messages"][0]["content"]
    assert await traces(house) == 0


@pytest.mark.usefixtures("model_reads_alone")
@pytest.mark.parametrize(
    ("replies", "failed", "problem"),
    [
        ((), "say", "does not answer"),
        ((says("Nice."), says("I would rather not.")), "learn", "the form"),
        (
            (says("Nice."), says('{"kind": "noise", "facts": []}')),
            "learn",
            "did not find the fact",
        ),
        ((says("Nice."), says(FACT), says("No idea.")), "recall", "did not use it"),
    ],
)
async def test_the_first_step_that_fails_is_told_and_ends_the_run(
    hass: HomeAssistant, server: OllamaServer, replies, failed, problem
):
    url = server.url if replies else nobody()
    house = await move_in(hass, ollama(url), agent("ollama", "qwen3:4b"))
    server.replies += replies

    report = await run(house)

    assert not report["passed"]
    last = report["steps"][-1]
    assert (last["step"], last["passed"]) == (failed, False)
    assert problem in last["problem"]
    assert all(step["passed"] for step in report["steps"][:-1])
    assert await traces(house) == 0


async def test_where_facts_are_off_the_test_says_so(hass: HomeAssistant):
    house = await move_in(hass, options={"facts_enabled": False})
    (step,) = (await run(house))["steps"]
    assert step["problem"] == "Facts are turned off in CAESAR's options."


async def test_what_a_killed_run_left_is_removed(hass: HomeAssistant):
    house = await move_in(hass)
    await house.runtime.memory.add_fact("user:caesar-self-test", "note", "left over")
    assert (await run(house))["passed"]
    assert await traces(house) == 0


async def test_only_administrators_test_and_only_our_agents(hass: HomeAssistant):
    house = await move_in(hass)
    robin = house.user("Robin")
    with pytest.raises(ServiceValidationError) as caught:
        await house.act(robin, "self_test")
    assert caught.value.translation_key == "admin_only"
    robin.groups = [hass.auth._store._groups[GROUP_ID_ADMIN]]
    assert (await house.act(robin, "self_test"))["passed"]
    with pytest.raises(ServiceValidationError) as caught:
        await house.act(robin, "self_test", agent="conversation.home_assistant")
    assert caught.value.translation_key == "no_such_agent"
