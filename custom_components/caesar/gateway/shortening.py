"""A conversation that is too long for the model, made shorter at its old end."""

from collections.abc import Sequence

from .base import Message

MAX_TRIES = 4
"""How often a conversation is shortened before that is given up: each time by half."""


def shortened(messages: Sequence[Message]) -> Sequence[Message] | None:
    """Return the conversation without the older half of its earlier turns.

    The last turn, with what its tools have said so far, always stays. None where
    nothing else is left.
    """
    begins = [n for n, message in enumerate(messages) if message.role == "user"]
    earlier = len(begins) - 1
    if earlier < 1:
        return None
    return messages[begins[(earlier + 1) // 2] :]
