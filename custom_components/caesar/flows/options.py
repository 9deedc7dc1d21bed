"""The options of the memory, and of whose voice a satellite carries."""

from collections.abc import Mapping
from typing import Any, Final

from homeassistant.components.person.const import PersonEntityStateAttribute
from homeassistant.config_entries import ConfigFlowResult, OptionsFlow
from homeassistant.const import UnitOfTime
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers.selector import (
    BooleanSelector,
    EntitySelector,
    EntitySelectorConfig,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
)
import voluptuous as vol

from custom_components.caesar.const import (
    CONF_FACTS_ENABLED,
    CONF_HOUSEHOLD_ADMIN_ONLY,
    CONF_INTERVAL,
    CONF_MAX_CHARACTERS,
    CONF_MAX_FACTS,
    CONF_SATELLITES,
    DEFAULT_FACTS_ENABLED,
    DEFAULT_INTERVAL,
    DEFAULT_MAX_CHARACTERS,
    DEFAULT_MAX_FACTS,
)
from custom_components.caesar.memory.models import (
    HOUSEHOLD,
    Owner,
    person_owner,
    user_owner,
)

from .sharing import NOTHING_SHARED, sharing_errors, sharing_schema

DEFAULT_OPTIONS: Final[Mapping[str, Any]] = {
    CONF_FACTS_ENABLED: DEFAULT_FACTS_ENABLED,
    CONF_MAX_FACTS: DEFAULT_MAX_FACTS,
    CONF_MAX_CHARACTERS: DEFAULT_MAX_CHARACTERS,
    CONF_INTERVAL: DEFAULT_INTERVAL,
    CONF_HOUSEHOLD_ADMIN_ONLY: False,
}

_OWNER: Final = "owner"


def _whole_number(low: int, high: int, unit: str | None = None) -> vol.All[Any]:
    config = NumberSelectorConfig(
        min=low, max=high, step=1, mode=NumberSelectorMode.BOX
    )
    if unit is not None:
        config["unit_of_measurement"] = unit
    return vol.All(NumberSelector(config), vol.Coerce(int))


_MEMORY_SCHEMA: Final = vol.Schema(
    {
        vol.Required(CONF_FACTS_ENABLED): BooleanSelector(),
        vol.Required(CONF_MAX_FACTS): _whole_number(1, 100),
        vol.Required(CONF_MAX_CHARACTERS): _whole_number(200, 10_000),
        vol.Required(CONF_INTERVAL): _whole_number(10, 3600, UnitOfTime.SECONDS),
        vol.Required(CONF_HOUSEHOLD_ADMIN_ONLY): BooleanSelector(),
    }
)


class CaesarOptionsFlow(OptionsFlow):
    """Change what memory does, and map satellites to people."""

    async def async_step_init(
        self, _user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Offer the subjects."""
        subjects = ["memory", "add_voice"]
        if self._satellites:
            subjects.append("remove_voice")
        subjects.append("sharing")
        return self.async_show_menu(step_id="init", menu_options=subjects)

    async def async_step_memory(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask what memory does."""
        if user_input is not None:
            return self._save(user_input)
        return self.async_show_form(
            step_id="memory",
            data_schema=self.add_suggested_values_to_schema(
                _MEMORY_SCHEMA, {**DEFAULT_OPTIONS, **self.config_entry.options}
            ),
        )

    async def async_step_add_voice(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask whose voice comes from a satellite."""
        if user_input is not None and user_input[CONF_SATELLITES]:
            added = dict.fromkeys(user_input[CONF_SATELLITES], user_input[_OWNER])
            return self._save({CONF_SATELLITES: {**self._satellites, **added}})
        owners = await _async_owners(self.hass)
        schema = vol.Schema(
            {
                vol.Required(CONF_SATELLITES): EntitySelector(
                    EntitySelectorConfig(domain="assist_satellite", multiple=True)
                ),
                vol.Required(_OWNER): SelectSelector(
                    SelectSelectorConfig(
                        options=_choices(owners),
                        mode=SelectSelectorMode.DROPDOWN,
                        translation_key="owner",
                    )
                ),
            }
        )
        return self.async_show_form(
            step_id="add_voice",
            data_schema=self.add_suggested_values_to_schema(schema, user_input),
            errors={CONF_SATELLITES: "no_satellite"} if user_input else None,
        )

    async def async_step_remove_voice(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """List the mappings and ask which to remove."""
        if user_input is not None:
            removed = set(user_input[CONF_SATELLITES])
            kept = {
                satellite: owner
                for satellite, owner in self._satellites.items()
                if satellite not in removed
            }
            return self._save({CONF_SATELLITES: kept})
        owners = await _async_owners(self.hass)
        choices = {
            satellite: f"{_name(self.hass, satellite)} → {owners.get(owner, owner)}"
            for satellite, owner in self._satellites.items()
        }
        schema = vol.Schema(
            {
                vol.Required(CONF_SATELLITES): SelectSelector(
                    SelectSelectorConfig(
                        options=_choices(choices),
                        multiple=True,
                        mode=SelectSelectorMode.LIST,
                    )
                )
            }
        )
        return self.async_show_form(step_id="remove_voice", data_schema=schema)

    async def async_step_sharing(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask who else is told facts, and who else is listened to."""
        errors = sharing_errors(user_input) if user_input is not None else {}
        if user_input is not None and not errors:
            return self._save(user_input)
        stored = {**NOTHING_SHARED, **self.config_entry.options}
        schema = sharing_schema(await _async_owners(self.hass))
        return self.async_show_form(
            step_id="sharing",
            data_schema=self.add_suggested_values_to_schema(
                schema, stored if user_input is None else user_input
            ),
            errors=errors,
        )

    @property
    def _satellites(self) -> Mapping[str, Owner]:
        satellites: Mapping[str, Owner] = self.config_entry.options.get(
            CONF_SATELLITES, {}
        )
        return satellites

    def _save(self, changes: Mapping[str, Any]) -> ConfigFlowResult:
        return self.async_create_entry(
            data={**DEFAULT_OPTIONS, **self.config_entry.options, **changes}
        )


async def _async_owners(hass: HomeAssistant) -> dict[Owner, str]:
    """Return everybody a voice can belong to, with their names, household first."""
    people = dict(
        sorted(
            (_owner_of(person) for person in hass.states.async_all("person")),
            key=lambda owner_and_name: owner_and_name[1].casefold(),
        )
    )
    users = {
        user_owner(user.id): user.name or user.id
        for user in await hass.auth.async_get_users()
        if user.is_active and not user.system_generated
    }
    return {HOUSEHOLD: "Household", **people, **(users | people)}


def _owner_of(person: State) -> tuple[Owner, str]:
    user_id = person.attributes.get(PersonEntityStateAttribute.USER_ID)
    if user_id:
        return user_owner(user_id), person.name
    return person_owner(person.attributes[PersonEntityStateAttribute.ID]), person.name


def _name(hass: HomeAssistant, satellite: str) -> str:
    state = hass.states.get(satellite)
    return state.name if state else satellite


def _choices(labels: Mapping[str, str]) -> list[SelectOptionDict]:
    return [
        SelectOptionDict(value=value, label=label) for value, label in labels.items()
    ]
