"""What was said before comes along with a turn that it bears on."""

from datetime import timedelta

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
import pytest

from tests.gateway.anthropic_server import (
    CLAUDE,
    AnthropicServer,
    says as claude_says,
)
from tests.gateway.ollama_server import OllamaServer, says

from .house import House, agent, claude as account, move_in, ollama

EARLIER = "From earlier conversations"


@pytest.fixture
async def house(hass: HomeAssistant, server: OllamaServer) -> House:
    return await move_in(hass, ollama(server.url), agent("ollama", "qwen3:4b"))


def prompt(server: OllamaServer) -> str:
    return str(server.bodies[-1]["messages"][0]["content"])


async def talk(house: House, server: OllamaServer, text: str, user) -> str:
    server.replies += (says("Good to know."),)
    await house.ask(text, user)
    await house.hass.async_block_till_done()
    await house.runtime.turns.written()
    return prompt(server)


async def test_a_question_brings_what_was_said_in_another_conversation(
    house: House, server: OllamaServer, freezer: FrozenDateTimeFactory
):
    ann = house.user("Ann")
    await talk(house, server, "The plumber Kowalski mended the boiler", ann)
    freezer.tick(timedelta(hours=1))
    told = await talk(house, server, "Which plumber mended the boiler?", ann)
    assert EARLIER in told
    assert '"The plumber Kowalski mended the boiler"' in told


async def test_an_order_small_talk_and_another_person_get_none_of_it(
    house: House, server: OllamaServer
):
    ann, bob = house.user("Ann"), house.user("Bob")
    await talk(house, server, "The plumber Kowalski mended the boiler", ann)
    assert EARLIER not in await talk(house, server, "Turn on the boiler, plumber", ann)
    assert EARLIER not in await talk(house, server, "Nice day today, is it not?", ann)
    told = await talk(house, server, "Which plumber mended the boiler?", bob)
    assert "Kowalski" not in told


async def test_the_option_turns_it_off(house: House, server: OllamaServer):
    ann = house.user("Ann")
    await talk(house, server, "The plumber Kowalski mended the boiler", ann)
    house.hass.config_entries.async_update_entry(house.entry, options={"recall": False})
    await house.hass.async_block_till_done()
    told = await talk(house, server, "Which plumber mended the boiler?", ann)
    assert EARLIER not in told


async def test_trouble_with_the_file_never_costs_the_answer(
    house: House, server: OllamaServer
):
    ann = house.user("Ann")
    await talk(house, server, "The plumber Kowalski mended the boiler", ann)
    house.runtime.memory.database.path.write_bytes(b"no database " * 4096)
    server.replies += (says("I have no idea."),)
    result = await house.ask("Which plumber mended the boiler?", ann)
    assert "no idea" in str(result)


async def test_a_new_conversation_goes_on_where_the_person_left_off(
    house: House, server: OllamaServer, freezer: FrozenDateTimeFactory
):
    ann, bob = house.user("Ann"), house.user("Bob")
    await talk(house, server, "The plumber Kowalski mended the boiler", ann)
    freezer.tick(timedelta(minutes=10))
    told = await talk(house, server, "And what did that cost?", ann)
    assert told.count("The plumber Kowalski mended the boiler") == 1
    # What also bears on the turn is not told twice.
    told = await talk(house, server, "Which plumber mended the boiler?", bob)
    assert "Kowalski" not in told
    freezer.tick(timedelta(hours=1))
    assert "Kowalski" not in await talk(house, server, "And now?", ann)


async def test_what_goes_on_is_told_once_and_within_the_caps(
    house: House, server: OllamaServer
):
    ann = house.user("Ann")
    said = "The plumber Kowalski mended the boiler"
    for _ in range(5):
        await talk(house, server, f"{said} {'again ' * 60}", ann)
    before = await talk(house, server, "Good morning to you", house.user("Bob"))
    told = await talk(house, server, "Which plumber mended the boiler?", ann)
    assert said in told
    assert len(told) <= len(before) + 1100


@pytest.mark.parametrize("may_leave", [False, True])
async def test_what_was_said_in_the_house_is_told_elsewhere_only_where_that_is_allowed(
    hass: HomeAssistant, server: OllamaServer, claude: AnthropicServer, may_leave: bool
):
    house = await move_in(
        hass,
        ollama(server.url),
        account(claude.url),
        agent("ollama", "qwen3:4b"),
        agent("claude", CLAUDE, title="Claude"),
        options={"learn_hosted": may_leave, "learn_provider": "builtin"},
    )
    ann = house.user("Ann")
    await talk(house, server, "The plumber Kowalski mended the boiler", ann)
    claude.replies = [claude_says("I do not know.")]
    await house.ask(
        "Which plumber mended the boiler?", ann, agent_id="conversation.claude"
    )
    assert ("Kowalski" in str(claude.bodies)) is may_leave
