"""What a model may answer, and what of it becomes a fact."""

import json

import pytest

from custom_components.caesar.memory.learning import Learning
from custom_components.caesar.memory.memory import Memory
from tests.memory.test_learning import ROBIN, Scripted, names_the_dog, say, values

KIND_FIRST = (
    '{"kind": "lasting", "facts": [{"who": "dog", "what": "name",'
    ' "value": "Beans", "holds": "true"}]}'
)


@pytest.mark.parametrize(
    "answer",
    [
        f"```json\n{KIND_FIRST}\n```",
        '{"key": "dog.name", "value": "Beans", "confidence": 0.9}',
        '<think>It {is} [Beans]</think>[{"key": "dog.name", "value": "Beans"}]',
        '[{"key": "dog.name", "value": "Beans", "confidence": 1}] I hope it helps!',
    ],
)
async def test_shapes_of_an_answer(memory: Memory, answer: str):
    await say(memory, "My dog's name is Beans.")
    await Learning(memory, Scripted(lambda _: answer)).tick()
    assert [(f.key, f.value) for f in memory.facts(ROBIN)] == [("dog.name", "Beans")]


async def test_what_the_person_did_not_say_is_not_kept(memory: Memory):
    await say(memory, "My dog is lovely and I live here.")
    await Learning(memory, Scripted(lambda _: names_the_dog("Beans"))).tick()
    assert values(memory) == set()
    (event,) = await memory.events(ROBIN, kinds=("memory.fact.rejected",))
    assert "Beans" not in str(event)


async def test_a_secret_is_not_kept(memory: Memory):
    answer = json.dumps(
        {
            "kind": "lasting",
            "facts": [
                {
                    "who": "me",
                    "what": "note",
                    "value": "garage code is 4711",
                    "holds": "true",
                }
            ],
        }
    )
    await say(memory, "Remember that my garage code is 4711.")
    await Learning(memory, Scripted(lambda _: answer)).tick()
    assert values(memory) == set()
    assert "4711" not in str(await memory.events(ROBIN))
