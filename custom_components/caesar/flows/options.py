"""The options of the memory, and of whose words come from where."""

from collections.abc import Mapping
from typing import Any, Final, override

from homeassistant.config_entries import ConfigFlowResult
from homeassistant.const import UnitOfTime
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
    CONF_ACCOUNTS,
    CONF_ADMINS_OPEN_FACTS,
    CONF_FACTS_ENABLED,
    CONF_HOUSEHOLD_ADMIN_ONLY,
    CONF_INTERVAL,
    CONF_MAX_CHARACTERS,
    CONF_MAX_FACTS,
    CONF_ONE_PERSON,
    CONF_RECALL,
    CONF_RETENTION_DAYS,
    CONF_SATELLITES,
    DEFAULT_FACTS_ENABLED,
    DEFAULT_INTERVAL,
    DEFAULT_MAX_CHARACTERS,
    DEFAULT_MAX_FACTS,
    DEFAULT_RECALL,
    DEFAULT_RETENTION_DAYS,
)
from custom_components.caesar.memory.models import HOUSEHOLD, Owner
from custom_components.caesar.people import async_accounts, async_owners
from custom_components.caesar.satellites import (
    key_of,
    name_of,
    with_lasting_keys,
)

from .learning import LearningSteps
from .meaning import MeaningSteps
from .sharing import NOTHING_SHARED, sharing_errors, sharing_schema

DEFAULT_OPTIONS: Final[Mapping[str, Any]] = {
    CONF_FACTS_ENABLED: DEFAULT_FACTS_ENABLED,
    CONF_MAX_FACTS: DEFAULT_MAX_FACTS,
    CONF_MAX_CHARACTERS: DEFAULT_MAX_CHARACTERS,
    CONF_INTERVAL: DEFAULT_INTERVAL,
    CONF_RETENTION_DAYS: DEFAULT_RETENTION_DAYS,
    CONF_RECALL: DEFAULT_RECALL,
    CONF_HOUSEHOLD_ADMIN_ONLY: False,
    CONF_ADMINS_OPEN_FACTS: False,
}

_OWNER: Final = "owner"
_NOBODY: Final = "nobody"


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
        vol.Required(CONF_RETENTION_DAYS): _whole_number(0, 36_500, UnitOfTime.DAYS),
        vol.Required(CONF_RECALL): BooleanSelector(),
        vol.Required(CONF_HOUSEHOLD_ADMIN_ONLY): BooleanSelector(),
        vol.Required(CONF_ADMINS_OPEN_FACTS): BooleanSelector(),
    }
)


class CaesarOptionsFlow(LearningSteps, MeaningSteps):
    """Change what memory does, and map satellites and shared accounts to people."""

    async def async_step_init(
        self, _user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Offer the subjects."""
        subjects = ["memory", "learning", "meaning", "add_voice"]
        if self._satellites:
            subjects.append("remove_voice")
        subjects.append("add_account")
        if self._accounts:
            subjects.append("remove_account")
        subjects += ["one_person", "sharing"]
        return self.async_show_menu(step_id="init", menu_options=subjects)

    async def async_step_memory(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask what memory does."""
        if user_input is not None:
            return self.save(user_input)
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
            keys = [key_of(self.hass, one) for one in user_input[CONF_SATELLITES]]
            added = dict.fromkeys(keys, user_input[_OWNER])
            return self.save({CONF_SATELLITES: {**self._satellites, **added}})
        schema = vol.Schema(
            {
                vol.Required(CONF_SATELLITES): EntitySelector(
                    EntitySelectorConfig(domain="assist_satellite", multiple=True)
                ),
                vol.Required(_OWNER): _owner_choice(await async_owners(self.hass)),
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
            kept = _without(self._satellites, user_input[CONF_SATELLITES])
            return self.save({CONF_SATELLITES: kept})
        names = {key: name_of(self.hass, key) for key in self._satellites}
        owners = await async_owners(self.hass)
        choices = _mappings(self._satellites, names, owners)
        return self.async_show_form(
            step_id="remove_voice",
            data_schema=vol.Schema({vol.Required(CONF_SATELLITES): _several(choices)}),
        )

    async def async_step_add_account(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask who speaks through a shared account."""
        if user_input is not None and user_input[CONF_ACCOUNTS]:
            added = dict.fromkeys(user_input[CONF_ACCOUNTS], user_input[_OWNER])
            return self.save({CONF_ACCOUNTS: {**self._accounts, **added}})
        schema = vol.Schema(
            {
                vol.Required(CONF_ACCOUNTS): _several(await async_accounts(self.hass)),
                vol.Required(_OWNER): _owner_choice(await async_owners(self.hass)),
            }
        )
        return self.async_show_form(
            step_id="add_account",
            data_schema=self.add_suggested_values_to_schema(schema, user_input),
            errors={CONF_ACCOUNTS: "no_account"} if user_input else None,
        )

    async def async_step_remove_account(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """List the shared accounts and ask which to remove."""
        if user_input is not None:
            kept = _without(self._accounts, user_input[CONF_ACCOUNTS])
            return self.save({CONF_ACCOUNTS: kept})
        names = await async_accounts(self.hass)
        choices = _mappings(self._accounts, names, await async_owners(self.hass))
        return self.async_show_form(
            step_id="remove_account",
            data_schema=vol.Schema({vol.Required(CONF_ACCOUNTS): _several(choices)}),
        )

    async def async_step_one_person(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask whether all voices are one person's."""
        if user_input is not None:
            only = user_input[CONF_ONE_PERSON]
            return self.save({CONF_ONE_PERSON: None if only == _NOBODY else only})
        owners = await async_owners(self.hass)
        del owners[HOUSEHOLD]
        choice = SelectSelector(
            SelectSelectorConfig(
                options=_choices({_NOBODY: _NOBODY, **owners}),
                mode=SelectSelectorMode.DROPDOWN,
                translation_key="one_person",
            )
        )
        schema = vol.Schema({vol.Required(CONF_ONE_PERSON): choice})
        present = self.config_entry.options.get(CONF_ONE_PERSON) or _NOBODY
        return self.async_show_form(
            step_id="one_person",
            data_schema=self.add_suggested_values_to_schema(
                schema, {CONF_ONE_PERSON: present}
            ),
        )

    async def async_step_sharing(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask who else is told facts, and who else is listened to."""
        errors = sharing_errors(user_input) if user_input is not None else {}
        if user_input is not None and not errors:
            return self.save(user_input)
        stored = {**NOTHING_SHARED, **self.config_entry.options}
        schema = sharing_schema(await async_owners(self.hass))
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
        return with_lasting_keys(self.hass, satellites)

    @property
    def _accounts(self) -> Mapping[str, Owner]:
        accounts: Mapping[str, Owner] = self.config_entry.options.get(CONF_ACCOUNTS, {})
        return accounts

    @override
    def save(self, changes: Mapping[str, Any]) -> ConfigFlowResult:
        """Store changed options beside the others."""
        return self.async_create_entry(
            data={**DEFAULT_OPTIONS, **self.config_entry.options, **changes}
        )


def _owner_choice(owners: Mapping[Owner, str]) -> SelectSelector:
    return SelectSelector(
        SelectSelectorConfig(
            options=_choices(owners),
            mode=SelectSelectorMode.DROPDOWN,
            translation_key="owner",
        )
    )


def _several(labels: Mapping[str, str]) -> SelectSelector:
    return SelectSelector(
        SelectSelectorConfig(
            options=_choices(labels), multiple=True, mode=SelectSelectorMode.LIST
        )
    )


def _choices(labels: Mapping[str, str]) -> list[SelectOptionDict]:
    return [
        SelectOptionDict(value=value, label=label) for value, label in labels.items()
    ]


def _mappings(
    voices: Mapping[str, Owner], names: Mapping[str, str], owners: Mapping[Owner, str]
) -> dict[str, str]:
    return {
        voice: f"{names.get(voice, voice)} → {owners.get(owner, owner)}"
        for voice, owner in voices.items()
    }


def _without(voices: Mapping[str, Owner], removed: list[str]) -> dict[str, Owner]:
    return {voice: owner for voice, owner in voices.items() if voice not in removed}
