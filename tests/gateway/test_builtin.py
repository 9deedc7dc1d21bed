"""The built-in provider: what a person hears and what learning gets."""

from collections.abc import Sequence
from datetime import date
import json
from pathlib import Path
from typing import Any

import pytest

from custom_components.caesar.gateway.base import (
    ChatRequest,
    Delta,
    GenerationRequest,
    HandOff,
    KnownFact,
    Message,
    Task,
    TextDelta,
)
from custom_components.caesar.gateway.builtin import BuiltinProvider
from custom_components.caesar.gateway.sentences import Sentences

FOLDER = Path(__file__).parents[2] / "custom_components/caesar/sentences"
BEANS = KnownFact(key="dog.name", value="Beans", sentence="Your dog's name is Beans.")


@pytest.fixture(scope="module")
def provider() -> BuiltinProvider:
    return BuiltinProvider(Sentences.load(FOLDER))


async def facts(
    provider: BuiltinProvider, text: str, language: str = "en"
) -> dict[str, Any]:
    result = await provider.generate(
        GenerationRequest(
            task=Task.MEMORY_EXTRACT,
            model="",
            instructions="",
            examples=(),
            text=text,
            language=language,
            local_date=date(2026, 11, 30),
            answer_schema={},
            max_tokens=100,
        )
    )
    answer: dict[str, Any] = json.loads(result.text)
    return answer


async def reply(
    provider: BuiltinProvider,
    text: str,
    known: Sequence[KnownFact] = (),
    **more: Any,
) -> Delta:
    request = ChatRequest(
        model="",
        system="",
        section="",
        messages=[Message(role="user", text=text)],
        tools=(),
        language=more.pop("language", "en"),
        known=known,
        **more,
    )
    deltas = [delta async for delta in provider.stream(request)]
    assert len(deltas) == 1
    return deltas[0]


async def test_a_statement_becomes_a_fact_in_the_persons_own_words(provider):
    answer = await facts(provider, "Hey CAESAR, by the way my dog's name is Beans.")
    assert answer == {
        "kind": "lasting",
        "facts": [
            {
                "who": "dog",
                "what": "name",
                "value": "Beans",
                "holds": "true",
                "topic": "",
            }
        ],
    }


async def test_a_statement_is_acknowledged(provider):
    said = await reply(provider, "By the way, my dog's name is Beans.")
    assert said == TextDelta(text="Okay, I'll remember that.")


async def test_a_question_is_answered_from_what_was_told(provider):
    said = await reply(provider, "What's my dog's name?", [BEANS])
    assert said == TextDelta(text="Your dog's name is Beans.")


async def test_what_was_not_told_is_admitted(provider):
    said = await reply(provider, "What's my dog's name?")
    assert said == TextDelta(
        text="I don't know your dog's name yet. Tell me, and I'll remember it."
    )


async def test_the_house_gets_its_orders(provider):
    assert await reply(provider, "Turn on the kitchen light", [BEANS]) == HandOff()
