"""The actions on what waits for a person's word: who sees it and who decides."""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.caesar.memory.models import HOUSEHOLD, Owner, user_owner

from .house import House

LIKES_TEA = "I like green tea."


async def unknown_voice_says(house: House, text: str) -> dict[str, Any]:
    """Let a voice that nobody knows say something; return what waits of it."""
    satellite = "assist_satellite.hall"
    await house.say(text, satellite_id=satellite)
    await house.learn()
    (suggestion,) = (await house.act(None, "list_suggestions"))["suggestions"]
    return dict(suggestion)


async def contradict_an_edit(house: House, user: MockUser) -> dict[str, Any]:
    await house.act(user, "add_fact", key="address.city", value="Ghent")
    await house.say("I live in Oslo.", user)
    await house.learn()
    (suggestion,) = (await house.act(user, "list_suggestions"))["suggestions"]
    return dict(suggestion)


def values(house: House, owner: Owner | MockUser) -> list[str]:
    owner = user_owner(owner.id) if isinstance(owner, MockUser) else owner
    return [fact.value for fact in house.runtime.memory.facts_of(owner)]


async def waiting(house: House, user: MockUser | None) -> list[int]:
    answer = await house.act(user, "list_suggestions")
    return [suggestion["id"] for suggestion in answer["suggestions"]]


async def refused(house: House, user: MockUser | None, action: str, **data: Any) -> str:
    with pytest.raises(ServiceValidationError) as refusal:
        await house.act(user, action, **data)
    return str(refusal.value.translation_key)


async def test_texts_are_told_only_when_asked_for(house: House, ann: MockUser) -> None:
    suggestion = await unknown_voice_says(house, LIKES_TEA)

    assert "tea" not in str(suggestion)
    assert (suggestion["owner"], suggestion["operation"], suggestion["reason"]) == (
        HOUSEHOLD,
        "add",
        "unknown_voice",
    )
    answer = await house.act(ann, "list_suggestions", include_text=True)
    (told,) = answer["suggestions"]
    assert (told["value"], told["quote"]) == ("green tea", LIKES_TEA)


async def test_what_an_unknown_voice_likes_becomes_hers_who_accepts(
    house: House, ann: MockUser
) -> None:
    suggestion = await unknown_voice_says(house, LIKES_TEA)

    answer = await house.act(ann, "accept_suggestion", suggestion_id=suggestion["id"])

    assert answer["owner"] == user_owner(ann.id)
    assert (values(house, ann), values(house, HOUSEHOLD)) == (["green tea"], [])
    assert await waiting(house, None) == []
    (fact,) = (await house.act(ann, "list_facts", include_text=True))["facts"]
    assert (fact["id"], fact["quote"]) == (answer["fact_id"], LIKES_TEA)
    assert "green tea" in (await house.act(ann, "preview_section"))["text"]


async def test_a_rejected_suggestion_does_not_return(
    house: House, ann: MockUser
) -> None:
    suggestion = await unknown_voice_says(house, LIKES_TEA)
    await house.act(ann, "reject_suggestion", suggestion_id=suggestion["id"])
    await house.say(LIKES_TEA, satellite_id="assist_satellite.hall")
    await house.learn()
    assert await waiting(house, ann) == []


async def test_who_asks_to_remember_it_is_heard_again(
    house: House, ann: MockUser
) -> None:
    suggestion = await unknown_voice_says(house, LIKES_TEA)
    await house.act(ann, "reject_suggestion", suggestion_id=suggestion["id"])
    answer = await house.ask(
        "Remember that I like green tea.", satellite_id="assist_satellite.hall"
    )
    assert "suggestion" in answer
    assert len(await waiting(house, ann)) == 1


async def test_nobody_sees_or_decides_what_concerns_somebody_else(
    house: House, ann: MockUser, bob: MockUser
) -> None:
    suggestion = await contradict_an_edit(house, ann)
    for stranger in (bob, None):
        assert await waiting(house, stranger) == []
        for action in ("accept_suggestion", "reject_suggestion"):
            key = await refused(house, stranger, action, suggestion_id=suggestion["id"])
            assert key == "suggestion_not_found"
    assert values(house, ann) == ["Ghent"]

    await house.act(ann, "accept_suggestion", suggestion_id=suggestion["id"])
    assert values(house, ann) == ["Oslo"]
    key = await refused(house, ann, "reject_suggestion", suggestion_id=suggestion["id"])
    assert key == "suggestion_not_found"


async def test_a_suggestion_is_accepted_for_nobody_else(
    house: House, ann: MockUser, bob: MockUser
) -> None:
    suggestion = await unknown_voice_says(house, LIKES_TEA)
    key = await refused(
        house,
        ann,
        "accept_suggestion",
        suggestion_id=suggestion["id"],
        owner=user_owner(bob.id),
    )
    assert key == "foreign_owner"
    assert values(house, bob) == []


async def test_the_homes_suggestions_can_be_left_to_administrators(
    hass: HomeAssistant, house: House, ann: MockUser
) -> None:
    suggestion = await unknown_voice_says(house, LIKES_TEA)
    hass.config_entries.async_update_entry(
        house.entry, options={"household_admin_only": True}
    )
    await hass.async_block_till_done()
    number = suggestion["id"]

    assert await refused(
        house, ann, "accept_suggestion", suggestion_id=number, owner=HOUSEHOLD
    ) == await refused(house, ann, "reject_suggestion", suggestion_id=number)
    assert values(house, HOUSEHOLD) == []

    # What becomes her own is hers to accept.
    await house.act(ann, "accept_suggestion", suggestion_id=number)
    assert values(house, ann) == ["green tea"]
