"""Texts that nobody asked for in a conversation: an automation's morning greeting.

Such a run knows the home's facts and those of whoever it is for. An automation has no
user: it reads a person's facts only where that person consented.
"""

from collections.abc import Mapping
from typing import Any, Final

from homeassistant.components.person.const import PersonEntityStateAttribute
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError

from .const import (
    BUILTIN_PROVIDER,
    CONF_CONSENTS,
    DOMAIN,
    SUBENTRY_CONVERSATION,
)
from .gateway.base import ChatRequest, Message, TextDelta
from .gateway.errors import EmptyAnswerError
from .gateway.routes import Route
from .memory.models import Owner, Scope, person_owner, user_owner
from .runtime import CaesarConfigEntry

ME: Final = "me"

_SYSTEM: Final = (
    "You write short texts for the people of a home, as their assistant. Answer with "
    "the text alone. Use what you know about them where it fits."
)


async def async_write(
    hass: HomeAssistant, entry: CaesarConfigEntry, scope: Scope, instructions: str
) -> str:
    """Return the text that the instructions ask for, written with a scope's facts.

    Raises GatewayError, and ServiceValidationError where no agent has a model.
    """
    runtime = entry.runtime_data
    route = _route_with_model(entry)
    language = hass.config.language
    request = ChatRequest(
        model=route.model,
        system=_SYSTEM,
        section=runtime.section(scope, instructions, language).text,
        messages=(Message(role="user", text=instructions),),
        tools=(),
        language=language,
    )
    pieces = [
        delta.text
        async for delta in runtime.gateway.stream(request, route)
        if isinstance(delta, TextDelta)
    ]
    text = "".join(pieces).strip()
    if not text:
        raise EmptyAnswerError("The model gave no answer")
    return text


def scope_for(
    hass: HomeAssistant,
    options: Mapping[str, Any],
    caller: Scope,
    named: str | None,
    user_id: str | None,
) -> Scope:
    """Return the scope of a run that somebody or an automation starts for an owner.

    Raises ServiceValidationError where the caller may not have that owner's facts read.
    """
    owner = caller.owner if named in (None, ME) else _owner_named(hass, str(named))
    if owner in caller.visible:
        return Scope(owner=owner)
    if user_id is not None:
        raise _refusal("foreign_owner")
    if owner not in options.get(CONF_CONSENTS, ()):
        raise _refusal("no_consent")
    return Scope(owner=owner)


def _owner_named(hass: HomeAssistant, named: str) -> Owner:
    """Return an owner that is given as such, or as the entity of a person."""
    person = hass.states.get(named) if named.startswith("person.") else None
    if person is None:
        return named
    user_id = person.attributes.get(PersonEntityStateAttribute.USER_ID)
    if user_id:
        return user_owner(user_id)
    return person_owner(person.attributes[PersonEntityStateAttribute.ID])


def _route_with_model(entry: CaesarConfigEntry) -> Route:
    for agent in entry.get_subentries_of_type(SUBENTRY_CONVERSATION):
        route = entry.runtime_data.route_of(agent)
        if route.provider != BUILTIN_PROVIDER:
            return route
    raise _refusal("needs_model")


def _refusal(key: str) -> ServiceValidationError:
    return ServiceValidationError(translation_domain=DOMAIN, translation_key=key)
