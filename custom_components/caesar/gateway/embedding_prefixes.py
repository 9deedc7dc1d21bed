"""What some embedding models want to stand before a text, as their makers say.

A model that was trained with such words finds less without them. Ollama passes texts on
as they are, so they are put there here. Models that are not named want nothing.
"""

from collections.abc import Mapping
from typing import Final

from .embedding import Purpose

_SNOWFLAKE: Final = "Represent this sentence for searching relevant passages: "
_INSTRUCTION: Final = (
    "Instruct: Given a question, retrieve what was said about it before\nQuery: "
)

# By the beginning of the model's name without its maker; the first that fits counts.
_PREFIXES: Final[Mapping[str, Mapping[Purpose, str]]] = {
    "nomic-embed-text": {"document": "search_document: ", "query": "search_query: "},
    "embeddinggemma": {
        "document": "title: none | text: ",
        "query": "task: search result | query: ",
    },
    "qwen3-embedding": {"query": _INSTRUCTION},
    "mxbai-embed": {"query": _SNOWFLAKE},
    "snowflake-arctic-embed2": {"query": "query: "},
    "snowflake-arctic-embed": {"query": _SNOWFLAKE},
    "bge-m3": {},
    "bge-": {"query": _SNOWFLAKE},
    "multilingual-e5": {"document": "passage: ", "query": "query: "},
    "e5-": {"document": "passage: ", "query": "query: "},
}


def prefix(model: str, purpose: Purpose) -> str:
    """Return what a model wants before a text, empty where it wants nothing."""
    name = model.rpartition("/")[2].lower()
    for beginning, wanted in _PREFIXES.items():
        if name.startswith(beginning):
            return wanted.get(purpose, "")
    return ""
