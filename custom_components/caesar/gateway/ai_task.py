"""Any AI Task entity of Home Assistant as a provider, for work in the background.

Such an entity takes no conversation: it gets one text and the structure to answer in.
What comes back is not held to that structure here; whoever asked reads it with care.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
import importlib
import json
from typing import Any, Final, override

from homeassistant.const import STATE_UNAVAILABLE, EntityStateAttribute
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import selector
import voluptuous as vol

from custom_components.caesar.const import DOMAIN

from .base import (
    ChatRequest,
    Delta,
    GenerationRequest,
    GenerationResult,
    Provider,
)
from .errors import (
    GatewayError,
    ProviderMissingError,
    ProviderUnavailableError,
    UnsupportedRequestError,
)

_AI_TASK: Final = "ai_task"
_GENERATE_DATA: Final = 1
"""The feature's number, so that its integration need not be loaded to know it."""
_TASK_NAME: Final = "CAESAR"

type _Schema = Mapping[str, Any]


class AiTaskProvider(Provider):
    """Answers with the model behind one AI Task entity."""

    def __init__(self, hass: HomeAssistant, entity_id: str) -> None:
        self._hass = hass
        self._entity_id = entity_id

    @override
    async def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        """Raise UnsupportedRequestError: it can hold no conversation."""
        for delta in _no_conversation():
            yield delta

    @override
    async def generate(self, request: GenerationRequest) -> GenerationResult:
        """Answer a structured request with what the entity made of it, as JSON."""
        self._require_entity()
        ai_task = importlib.import_module(f"homeassistant.components.{_AI_TASK}")
        # A task of its own: a nested conversation that fails would otherwise leave
        # this task inside of it.
        task = self._hass.async_create_task(
            ai_task.async_generate_data(
                self._hass,
                task_name=_TASK_NAME,
                entity_id=self._entity_id,
                instructions=_instructions(request),
                structure=_structure(request.answer_schema),
            ),
            "CAESAR AI task",
        )
        try:
            result = await task
        except GatewayError:
            raise
        except HomeAssistantError:
            # Its text may repeat the person's words.
            raise ProviderUnavailableError("The AI task failed") from None
        except Exception:  # noqa: BLE001  any integration may stand behind the entity
            raise ProviderUnavailableError("The AI task broke") from None
        return GenerationResult(text=_text(result.data), model=self._entity_id)

    @override
    async def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _require_entity(self) -> None:
        state = self._hass.states.get(self._entity_id)
        if _AI_TASK not in self._hass.config.components or state is None:
            raise ProviderMissingError("The AI Task entity does not exist")
        if is_ours(self._hass, self._entity_id):
            raise ProviderMissingError("CAESAR cannot ask itself")
        if state.state == STATE_UNAVAILABLE:
            raise ProviderUnavailableError("The AI Task entity is not available")
        features = state.attributes.get(EntityStateAttribute.SUPPORTED_FEATURES, 0)
        if not features & _GENERATE_DATA:
            raise ProviderMissingError("The AI Task entity generates no data")


def is_ours(hass: HomeAssistant, entity_id: str) -> bool:
    """Return whether an entity is CAESAR's own, which would tell the facts it has."""
    entity = er.async_get(hass).async_get(entity_id)
    return entity is not None and entity.platform == DOMAIN


def _no_conversation() -> Sequence[Delta]:
    raise UnsupportedRequestError("An AI Task entity holds no conversation")


def _instructions(request: GenerationRequest) -> str:
    examples = "\n\n".join(
        f"Words: {question}\nAnswer: {answer}" for question, answer in request.examples
    )
    return "\n\n".join(
        part
        for part in (request.instructions, examples, f"Words: {request.text}")
        if part
    )


def _text(data: object) -> str:
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)


def _structure(schema: _Schema) -> vol.Schema:
    """Return a JSON schema as AI tasks take it: an object of selectors."""
    required = schema.get("required", ())
    return vol.Schema(
        {
            (vol.Required if name in required else vol.Optional)(name): selector(
                _selector(field)
            )
            for name, field in schema["properties"].items()
        }
    )


def _selector(schema: _Schema) -> dict[str, Any]:
    kind, config = "text", dict[str, Any]()
    match schema:
        case {"enum": [*options]}:
            kind, config = "select", {"options": options}
        case {"type": "array", "items": {"type": "object"} as items}:
            kind, config = "object", {"multiple": True, "fields": _fields(items)}
        case {"type": "object"}:
            kind, config = "object", {"fields": _fields(schema)}
        case {"type": "array"}:
            config = {"multiple": True}
        case {"type": "number" | "integer"}:
            kind, config = "number", {"mode": "box"}
        case {"type": "boolean"}:
            kind = "boolean"
    return {kind: config}


def _fields(schema: _Schema) -> dict[str, Any]:
    required = schema.get("required", ())
    return {
        name: {"required": name in required, "selector": _selector(field)}
        for name, field in schema.get("properties", {}).items()
    }
