"""Where a turn would land, in words: the answer to "why does it not know me here?"."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar

from .people import async_owners, async_words
from .speaker import async_area, async_land


async def async_explain_landing(
    hass: HomeAssistant,
    options: Mapping[str, Any],
    user_id: str | None,
    satellite_id: str | None,
    language: str | None = None,
) -> dict[str, Any]:
    """Return whose words these would be, which rule says so, and where.

    Without a language, in that of the house.
    """
    landing = await async_land(hass, options, user_id, satellite_id)
    owner = landing.scope.owner
    names = await async_owners(hass, language)
    area_id = async_area(hass, satellite_id, None)
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    return {
        "owner": owner,
        "owner_name": names.get(owner, owner),
        "rule": landing.rule.value,
        "reason": await async_words(
            hass,
            translation_key="landing",
            option=landing.rule.value,
            language=language,
        ),
        "teaches": landing.scope.teaches,
        "area_id": area_id,
        "area": area.name if area else None,
    }
