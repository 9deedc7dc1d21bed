"""What CAESAR's entities have in common."""

from homeassistant.config_entries import ConfigSubentry
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo
from homeassistant.helpers.entity import Entity

from .const import DOMAIN
from .runtime import CaesarConfigEntry


class CaesarEntity(Entity):
    """An entity that one subentry describes, which is a service of its own."""

    _attr_has_entity_name = True
    _attr_name = None

    def __init__(self, entry: CaesarConfigEntry, subentry: ConfigSubentry) -> None:
        self.entry = entry
        self.subentry = subentry
        self._attr_unique_id = subentry.subentry_id
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, subentry.subentry_id)},
            name=subentry.title,
            manufacturer="CAESAR",
            entry_type=DeviceEntryType.SERVICE,
        )
