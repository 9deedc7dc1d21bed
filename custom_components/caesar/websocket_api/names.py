"""What people call owners, devices, areas and providers.

The id of something that is gone stands for itself.
"""

from dataclasses import dataclass
from typing import Self

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr

from custom_components.caesar.const import BUILTIN_PROVIDER
from custom_components.caesar.memory.models import HOUSEHOLD, Owner
from custom_components.caesar.people import async_owners, async_words
from custom_components.caesar.providers import provider_subentries

from .caller import Caller

type Named = dict[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Names:
    """All names, as they are at one moment."""

    hass: HomeAssistant
    owners: dict[Owner, str]
    providers: dict[str, str]

    @classmethod
    async def of(cls, caller: Caller) -> Self:
        """Return the names of this moment, in the caller's language."""
        hass, language = caller.hass, caller.language
        builtin = await async_words(
            hass,
            translation_key="provider",
            option=BUILTIN_PROVIDER,
            language=language,
        )
        providers = {
            provider_id: subentry.title
            for provider_id, subentry in provider_subentries(caller.entry).items()
        }
        return cls(
            hass=hass,
            owners=await async_owners(hass, language),
            providers={BUILTIN_PROVIDER: builtin, **providers},
        )

    @property
    def household(self) -> str:
        """Return what the household is called."""
        return self.owners[HOUSEHOLD]

    def owner(self, owner: Owner) -> Named:
        """Return an owner with the name."""
        return {"id": owner, "name": self.owners.get(owner, owner)}

    def device(self, device_id: str | None) -> Named | None:
        """Return a device with the name."""
        if device_id is None:
            return None
        device = dr.async_get(self.hass).async_get(device_id)
        name = None if device is None else device.name_by_user or device.name
        return {"id": device_id, "name": name or device_id}

    def area(self, area_id: str | None) -> Named | None:
        """Return an area with the name."""
        if area_id is None:
            return None
        area = ar.async_get(self.hass).async_get_area(area_id)
        return {"id": area_id, "name": area_id if area is None else area.name}

    def provider(self, provider_id: object) -> Named | None:
        """Return a provider with the name."""
        if not isinstance(provider_id, str):
            return None
        return {"id": provider_id, "name": self.providers.get(provider_id, provider_id)}
