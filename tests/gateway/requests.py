"""Requests to try providers with."""

from dataclasses import replace
from datetime import date
from typing import Any

from custom_components.caesar.gateway.base import (
    ChatRequest,
    GenerationRequest,
    Message,
    Task,
)

from .ollama_server import MODEL

_CHAT = ChatRequest(
    model=MODEL,
    system="You are a voice assistant.",
    section="",
    messages=[Message(role="user", text="Good morning!")],
    tools=[],
    language="en",
)

_GENERATION = GenerationRequest(
    task=Task.MEMORY_EXTRACT,
    model=MODEL,
    instructions="List the facts.",
    examples=[("I like tea.", '{"kind":"like"}')],
    text="My dog's name is Beans.",
    language="en",
    local_date=date(2026, 11, 30),
    answer_schema={
        "type": "object",
        "properties": {"kind": {"type": "string"}, "answer": {"type": "string"}},
    },
    max_tokens=120,
)


def chat(**changes: Any) -> ChatRequest:
    """Return a request for an answer in a conversation."""
    return replace(_CHAT, **changes)


def generation(**changes: Any) -> GenerationRequest:
    """Return a request for a structured answer."""
    return replace(_GENERATION, **changes)
