"""The embedder for tests: the same for the same, near for what shares words."""

import math

from custom_components.caesar.memory.embedders.stub import StubEmbedder
from custom_components.caesar.memory.ports import EmbeddingKind

TEXTS = (
    "The boiler in the kitchen leaks.",
    "Does the boiler leak again?",
    "Happy birthday, Robin!",
    "",
)


async def test_vectors_differ_by_content_and_not_by_chance():
    first = await StubEmbedder().embed(TEXTS, EmbeddingKind.DOCUMENT)
    again = await StubEmbedder().embed(TEXTS[:1], EmbeddingKind.QUERY)
    boiler, question, birthday, nothing = first.vectors
    assert again.vectors[0] == boiler
    assert len({tuple(vector) for vector in first.vectors}) == len(TEXTS)
    assert math.sumprod(boiler, question) > 0.2 > math.sumprod(boiler, birthday)
    for vector in (boiler, question, birthday, nothing):
        assert math.isclose(math.sumprod(vector, vector), 1)


async def test_its_name_says_what_can_be_compared():
    small = StubEmbedder(dimension=16)
    made = await small.embed(TEXTS, EmbeddingKind.DOCUMENT)
    assert len(made.vectors[0]) == 16
    assert made.model == small.model != StubEmbedder().model
