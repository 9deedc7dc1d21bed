"""Leave out what a microphone heard of the assistant itself.

A reply that is read aloud can come back as words of the person's, and what a memory
recites would then be learned again. Whoever answers a question says it again too, so
only what was stated counts.
"""

from collections.abc import Iterable
from typing import Final

from .text import sentences, words

_MIN_WORDS: Final = 3
_QUESTION: Final = ("?", "？")  # noqa: RUF001  of Chinese and Japanese


def without_echo(text: str, replies: Iterable[str]) -> str:
    """Return the sentences of a text that do not stand, word for word, in a reply."""
    stated = [
        _joined(sentence)
        for reply in replies
        for sentence in sentences(reply)
        if not sentence.endswith(_QUESTION)
    ]
    if not stated:
        return text
    return " ".join(
        sentence for sentence in sentences(text) if not _is_echo(sentence, stated)
    )


def _is_echo(sentence: str, stated: Iterable[str]) -> bool:
    if len(words(sentence)) < _MIN_WORDS:
        return False
    heard = _joined(sentence)
    return any(heard in reply for reply in stated)


def _joined(sentence: str) -> str:
    return f" {' '.join(words(sentence))} "
