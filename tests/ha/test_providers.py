"""Several providers in one home: one fails or goes, and the others work on."""

from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.config_entries import ConfigEntryState, ConfigSubentryDataWithId
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.requirements import RequirementsNotFound
import pytest

from tests.gateway.anthropic_server import CLAUDE, AnthropicServer, answers, says
from tests.gateway.ollama_server import MODEL, OllamaServer, says as local_says
from tests.ha.agents import OTHER, add_other_agent
from tests.ha.house import House, agent, claude as account, move_in, ollama
from tests.ha.observed import Observed
from tests.ha.test_claude import DOG, LEARNED, sentence
from tests.ha.texts import english

PLAIN = "My dog's name is Beans."
"""What sentence files understand, other than what the model is told."""


async def with_both(
    hass: HomeAssistant, claude: AnthropicServer, server: OllamaServer, **options: Any
) -> House:
    return await move_in(
        hass,
        account(claude.url),
        ollama(server.url),
        agent("claude", CLAUDE),
        agent("ollama", MODEL, title="Local"),
        agent(title="Plain"),
        options=options,
    )


def issue(hass: HomeAssistant, name: str) -> ir.IssueEntry | None:
    return ir.async_get(hass).async_get_issue("caesar", name)


async def test_a_refused_key_is_asked_for_and_all_else_works_on(
    hass: HomeAssistant, claude: AnthropicServer, server: OllamaServer
):
    house = await with_both(hass, claude, server)
    robin = house.user("Robin")
    claude.refuses = True
    server.replies += [local_says("Hello.")]
    assert await house.ask("Hi", robin) == sentence("provider_refused")
    await hass.async_block_till_done()
    assert house.entry.state is ConfigEntryState.LOADED
    assert await house.ask("Hi", robin, agent_id="conversation.local") == "Hello."
    (flow,) = hass.config_entries.flow.async_progress()
    assert flow["step_id"] == "reauth_confirm"
    assert flow["context"]["title_placeholders"] == {"name": "Claude"}
    form = await hass.config_entries.flow.async_configure(flow["flow_id"])
    assert form["description_placeholders"] == {"name": "Claude"}
    wrong = await hass.config_entries.flow.async_configure(
        flow["flow_id"], {"api_key": "wrong"}
    )
    assert wrong["errors"] == {"api_key": "invalid_key"}
    claude.refuses = False
    claude.replies = [says("Back again.")]
    done = await hass.config_entries.flow.async_configure(
        flow["flow_id"], {"api_key": " new "}
    )
    assert done["reason"] == "reauth_successful"
    await hass.async_block_till_done()
    assert await house.ask("Hi", robin) == "Back again."
    assert claude.keys[-1] == "new"
    assert not [found for found in ir.async_get(hass).issues if "reauth" in found[1]]


async def test_a_key_refused_in_the_background_is_asked_for_too(
    hass: HomeAssistant, claude: AnthropicServer, server: OllamaServer
):
    house = await with_both(hass, claude, server)
    robin = house.user("Robin")
    claude.replies = [says("Nice.")]
    await house.ask(DOG, robin)
    claude.refuses = True
    await house.learn()
    await hass.async_block_till_done()
    assert len(hass.config_entries.flow.async_progress()) == 1
    claude.refuses = False
    claude.replies = [answers(LEARNED)]
    await house.learn()
    assert house.runtime.memory.facts_of(f"user:{robin.id}")


async def test_reauth_ends_where_the_provider_is_gone(
    hass: HomeAssistant, claude: AnthropicServer, server: OllamaServer
):
    house = await with_both(hass, claude, server)
    claude.refuses = True
    await house.ask("Hi", house.user("Robin"))
    await hass.async_block_till_done()
    assert len(hass.config_entries.flow.async_progress()) == 1
    hass.config_entries.async_remove_subentry(house.entry, "claude-subentry")
    await hass.async_block_till_done()
    assert hass.config_entries.flow.async_progress() == []


async def test_agents_of_a_removed_provider_are_named(
    hass: HomeAssistant, claude: AnthropicServer, server: OllamaServer
):
    house = await with_both(hass, claude, server, learn_provider="claude")
    robin = house.user("Robin")
    assert issue(hass, "agents_without_provider") is None
    assert issue(hass, "learning_without_provider") is None
    hass.config_entries.async_remove_subentry(house.entry, "claude-subentry")
    await hass.async_block_till_done()
    found = issue(hass, "agents_without_provider")
    assert found is not None
    assert found.translation_placeholders == {"agents": "CAESAR"}
    assert issue(hass, "learning_without_provider") is not None
    assert await house.ask("Hi", robin) == sentence("provider_missing")
    server.replies += [local_says("Hello."), local_says(LEARNED)]
    local = "conversation.local"
    assert await house.ask(DOG, robin, agent_id=local) == "Hello."
    await house.learn()
    assert house.runtime.memory.facts_of(f"user:{robin.id}")
    hass.config_entries.async_update_entry(
        house.entry, options={"learn_provider": "heard"}
    )
    hass.config_entries.async_update_subentry(
        house.entry,
        house.entry.subentries["caesar"],
        data={"provider": "builtin", "model": ""},
    )
    await hass.async_block_till_done()
    assert issue(hass, "agents_without_provider") is None
    assert issue(hass, "learning_without_provider") is None


async def test_a_provider_whose_package_is_missing_says_so(
    hass: HomeAssistant,
    claude: AnthropicServer,
    server: OllamaServer,
    monkeypatch: pytest.MonkeyPatch,
):
    async def install(_hass: Any, _name: str, wanted: list[str], **_: Any) -> None:
        if wanted[0].startswith("anthropic"):
            raise RequirementsNotFound("anthropic", wanted)

    monkeypatch.setattr(
        "custom_components.caesar.sdk.async_process_requirements", install
    )
    house = await with_both(hass, claude, server)
    robin = house.user("Robin")
    assert await house.ask("Hi", robin) == sentence("provider_not_loaded")
    assert issue(hass, "agents_without_provider") is None
    server.replies += [local_says("Hello.")]
    assert await house.ask("Hi", robin, agent_id="conversation.local") == "Hello."


@pytest.mark.parametrize("agent_id", ["conversation.local", "conversation.plain"])
@pytest.mark.parametrize("allowed", [True, False])
async def test_what_the_house_heard_leaves_it_only_where_that_was_chosen(
    hass: HomeAssistant,
    claude: AnthropicServer,
    server: OllamaServer,
    agent_id: str,
    allowed: bool,
):
    house = await with_both(
        hass,
        claude,
        server,
        learn_provider="claude",
        learn_model="claude-haiku-4-5",
        learn_hosted=allowed,
    )
    robin = house.user("Robin")
    server.replies += [local_says("Nice."), local_says(LEARNED)]
    claude.replies = [answers(LEARNED)]
    if agent_id == "conversation.plain":
        server.replies.clear()
    by_sentences = agent_id == "conversation.plain" and not allowed
    await house.ask(PLAIN if by_sentences else DOG, robin, agent_id=agent_id)
    await house.learn()
    (fact,) = house.runtime.memory.facts_of(f"user:{robin.id}")
    assert fact.value == "Beans"
    assert [body["model"] for body in claude.bodies] == (
        ["claude-haiku-4-5"] if allowed else []
    )


@pytest.mark.parametrize(
    ("subentries", "learner"),
    [
        ([agent("claude", CLAUDE)], "builtin"),
        ([agent("claude", CLAUDE), agent(title="Plain")], "builtin"),
        ([agent("claude", CLAUDE), agent("ollama", MODEL, title="Local")], "ollama"),
        ([agent(), agent("ollama", MODEL, title="Local")], "builtin"),
    ],
)
async def test_what_another_agent_heard_is_learned_in_the_house(
    hass: HomeAssistant,
    claude: AnthropicServer,
    server: OllamaServer,
    freezer: FrozenDateTimeFactory,
    subentries: list[ConfigSubentryDataWithId],
    learner: str,
):
    house = await move_in(
        hass,
        account(claude.url),
        ollama(server.url),
        *subentries,
        options={"learn_from_agents": True},
    )
    await add_other_agent(hass)
    robin, observed = house.user("Robin"), Observed(house, freezer)
    server.replies += [local_says(LEARNED)]
    text = DOG if learner == "ollama" else PLAIN
    await house.ask(text, robin, agent_id=OTHER)
    await observed.learn()
    assert "Beans" in observed.facts(f"user:{robin.id}").values()
    assert claude.bodies == []
    assert len(server.bodies) == (learner == "ollama")


async def test_what_another_agent_heard_leaves_the_house_where_that_was_chosen(
    hass: HomeAssistant,
    claude: AnthropicServer,
    server: OllamaServer,
    freezer: FrozenDateTimeFactory,
):
    house = await with_both(
        hass, claude, server, learn_from_agents=True, learn_hosted=True
    )
    await add_other_agent(hass)
    robin, observed = house.user("Robin"), Observed(house, freezer)
    claude.replies = [answers(LEARNED)]
    await house.ask(DOG, robin, agent_id=OTHER)
    await observed.learn()
    assert "Beans" in observed.facts(f"user:{robin.id}").values()
    assert len(claude.bodies) == 1


async def test_the_chosen_one_learns_what_claude_heard(
    hass: HomeAssistant, claude: AnthropicServer, server: OllamaServer
):
    house = await with_both(
        hass, claude, server, learn_provider="ollama", learn_model=MODEL
    )
    robin = house.user("Robin")
    claude.replies = [says("Nice.")]
    server.replies += [local_says(LEARNED)]
    await house.ask(DOG, robin)
    await house.learn()
    assert house.runtime.memory.facts_of(f"user:{robin.id}")
    assert [body["model"] for body in server.bodies] == [MODEL]


async def test_learning_is_chosen_in_the_options(
    hass: HomeAssistant, claude: AnthropicServer, server: OllamaServer
):
    house = await with_both(hass, claude, server)
    flows = hass.config_entries.options
    menu = await flows.async_init(house.entry.entry_id)
    form = await flows.async_configure(menu["flow_id"], {"next_step_id": "learning"})
    assert form["data_schema"] is not None
    fields = form["data_schema"].schema
    assert [
        option["value"] for option in fields["learn_provider"].config["options"]
    ] == [
        "heard",
        "builtin",
        "claude",
        "ollama",
    ]
    chosen = {"learn_provider": "claude", "learn_hosted": True, "daily_tokens": 5000}
    model = await flows.async_configure(form["flow_id"], chosen)
    assert model["step_id"] == "learning_model"
    refused = await flows.async_configure(model["flow_id"], {"learn_model": "gpt-9"})
    assert refused["errors"] == {"learn_model": "unknown_claude_model"}
    await flows.async_configure(model["flow_id"], {"learn_model": CLAUDE})
    await hass.async_block_till_done()
    stored = {**chosen, "learn_model": CLAUDE}
    assert stored.items() <= house.entry.options.items()
    menu = await flows.async_init(house.entry.entry_id)
    form = await flows.async_configure(menu["flow_id"], {"next_step_id": "learning"})
    await flows.async_configure(form["flow_id"], {**chosen, "learn_provider": "heard"})
    await hass.async_block_till_done()
    assert house.entry.options["learn_model"] == ""


async def test_a_learner_that_is_of_no_use_is_not_chosen(
    hass: HomeAssistant, claude: AnthropicServer, server: OllamaServer
):
    house = await with_both(hass, claude, server)
    claude.refuses = True
    flows = hass.config_entries.options
    menu = await flows.async_init(house.entry.entry_id)
    form = await flows.async_configure(menu["flow_id"], {"next_step_id": "learning"})
    result = await flows.async_configure(
        form["flow_id"],
        {"learn_provider": "claude", "learn_hosted": False, "daily_tokens": 0},
    )
    assert result["reason"] == "invalid_key"
    assert "learn_provider" not in house.entry.options


def test_the_choice_to_send_words_away_says_so():
    text = english()["options"]["step"]["learning"]["data_description"]["learn_hosted"]
    assert "never sent to a model elsewhere" in text
