"""What Home Assistant lets others see of a running conversation.

None of it is promised to stay: this file alone uses it, and says where it is missing.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final, Self

from homeassistant.components.conversation import (
    ChatLog,
    ConversationInput,
    SystemContent,
    chat_log as chat_logs,
    trace as traces,
)
from homeassistant.core import HomeAssistant

type Listener = Callable[[str, str, Mapping[str, Any]], None]
"""Called within the turn, with the conversation, the event's name and its data."""

_NEEDED: Final[Mapping[ModuleType, tuple[str, ...]]] = {
    chat_logs: ("async_subscribe_chat_logs", "DATA_CHAT_LOGS", "current_chat_log"),
    traces: ("async_get_traces",),
}


def is_available() -> bool:
    """Return whether this Home Assistant shows conversations to others."""
    return all(
        hasattr(module, name) for module, names in _NEEDED.items() for name in names
    )


def subscribe(hass: HomeAssistant, listener: Listener) -> Callable[[], None]:
    """Call the listener on each change of any chat log; return how to stop that."""
    return chat_logs.async_subscribe_chat_logs(hass, listener)


def stored_log(hass: HomeAssistant, conversation_id: str) -> ChatLog | None:
    """Return a conversation as its last successful turn has left it."""
    return hass.data.get(chat_logs.DATA_CHAT_LOGS, {}).get(conversation_id)


def clear_stored(hass: HomeAssistant, conversation_ids: Collection[str]) -> None:
    """Take all that was said out of conversations that Home Assistant still keeps."""
    for conversation_id in conversation_ids:
        if (log := stored_log(hass, conversation_id)) is not None:
            log.content[:] = [SystemContent(content="")]


def running_log() -> ChatLog | None:
    """Return the conversation in which this code runs, as far as it can be known."""
    running = getattr(chat_logs, "current_chat_log", None)
    return None if running is None else running.get()


def open_log(conversation_id: str) -> ChatLog | None:
    """Return the conversation in which this code runs, if it is that one."""
    log = running_log()
    return log if log is not None and log.conversation_id == conversation_id else None


@dataclass(frozen=True, kw_only=True, slots=True)
class RunningTurn:
    """A turn that is being answered, as the one who began it described it."""

    id: str
    user_input: ConversationInput

    @classmethod
    def all(cls) -> list[Self]:
        """Return the turns that run, the newest first, as far as they are kept."""
        return [
            cls(id=trace.trace_id, user_input=user_input)
            for trace in reversed(traces.async_get_traces())
            if (user_input := _input_of(trace)) is not None
        ]


def _input_of(trace: traces.ConversationTrace) -> ConversationInput | None:
    """Return what began a turn, None where it has ended or nothing tells.

    The public form copies all that a turn has met, tools and house included.
    """
    if getattr(trace, "_result", None) or getattr(trace, "_error", None):
        return None
    for event in getattr(trace, "_events", ()):
        if event.event_type == traces.ConversationTraceEventType.ASYNC_PROCESS:
            return ConversationInput(**event.data)
    return None
