"""What a command is, and how it is received and answered.

Home Assistant checks no more of a request than its type: what it says of a wrong one it
also logs, with the value, and that may be what somebody said.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from homeassistant.components import websocket_api
from homeassistant.components.websocket_api import messages
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv
import voluptuous as vol

from custom_components.caesar.const import DOMAIN
from custom_components.caesar.gateway.errors import GatewayError
from custom_components.caesar.memory.errors import MemoryStoreError

from .caller import Caller, Refusal, async_caller, require_person
from .feed import Feed

type Schema = Mapping[vol.Marker, Any]

# SQLite has no larger whole numbers.
NUMBER: Final = vol.All(int, vol.Range(min=1, max=2**63 - 1))
MOMENT: Final = vol.All(str, cv.datetime)
_LANGUAGE: Final[Schema] = {vol.Optional("language"): vol.All(str, vol.Length(max=35))}
"""A language tag may be asked for in every answer."""
MAX_SEVERAL: Final = 10_000


def several(item: Any) -> vol.All[Any]:
    """Return the schema of a list that is not without end."""
    return vol.All([item], vol.Length(min=1, max=MAX_SEVERAL))


@dataclass(frozen=True, kw_only=True, slots=True)
class Command:
    """A request with one answer."""

    name: str
    handler: Callable[[Caller, dict[str, Any]], Awaitable[Any]]
    schema: Schema
    admin: bool = False
    """Only administrators may send it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Subscription:
    """A request that is answered by events until it is withdrawn."""

    name: str
    feed: type[Feed]
    schema: Schema


@callback
def async_register(hass: HomeAssistant, command: Command | Subscription) -> None:
    """Let people send a command."""
    name = f"{DOMAIN}/{command.name}"
    schema = vol.Schema(
        {
            vol.Required("id"): int,
            vol.Required("type"): name,
            **_LANGUAGE,
            **command.schema,
        }
    )
    anything = messages.BASE_COMMAND_MESSAGE_SCHEMA.extend(
        {vol.Required("type"): name}, extra=vol.ALLOW_EXTRA
    )
    receive = partial(_receive, command, schema)
    websocket_api.async_register_command(hass, name, receive, anything)


@callback
def _receive(
    command: Command | Subscription,
    schema: vol.Schema,
    hass: HomeAssistant,
    connection: ActiveConnection,
    message: dict[str, Any],
) -> None:
    hass.async_create_background_task(
        _answer(command, schema, hass, connection, message),
        f"CAESAR command {command.name}",
        eager_start=True,
    )


async def _answer(
    command: Command | Subscription,
    schema: vol.Schema,
    hass: HomeAssistant,
    connection: ActiveConnection,
    message: dict[str, Any],
) -> None:
    message_id = message["id"]
    try:
        try:
            request = schema(message)
        except vol.Invalid as err:
            connection.send_error(message_id, "invalid_format", _what_is_wrong(err))
            return
        if isinstance(command, Subscription):
            require_person(connection)
            await command.feed(hass, connection, request).async_start()
            return
        caller = await async_caller(hass, connection, request)
        if command.admin:
            caller.require_admin()
        connection.send_result(message_id, await _run(command, caller, request))
    except Refusal as err:
        connection.send_message(_error(message_id, err))
    except Exception as err:  # noqa: BLE001  Home Assistant answers for bugs
        connection.async_handle_exception({"id": message_id}, err)


async def _run(command: Command, caller: Caller, request: dict[str, Any]) -> Any:
    try:
        return await command.handler(caller, request)
    except (MemoryStoreError, GatewayError) as err:
        raise caller.refused(err, request.get("fact_id")) from err


def _what_is_wrong(err: vol.Invalid) -> str:
    first = err.errors[0] if isinstance(err, vol.MultipleInvalid) else err
    return f"{'.'.join(map(str, first.path)) or 'request'}: {first.msg}"


def _error(message_id: int, refusal: Refusal) -> dict[str, Any]:
    sentence = HomeAssistantError(
        translation_domain=DOMAIN, translation_key=refusal.translation_key
    )
    answer: dict[str, Any] = messages.error_message(
        message_id,
        refusal.code,
        str(sentence),
        translation_domain=DOMAIN,
        translation_key=refusal.translation_key,
    )
    if refusal.data is not None:
        answer["error"]["data"] = refusal.data
    return answer
