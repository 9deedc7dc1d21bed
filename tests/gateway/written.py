"""Statements as the sentence files' examples write them."""

from custom_components.caesar.gateway.reading import Statement


def written(statement: Statement) -> str:
    """Return who, what, topic and value on one line."""
    topic = f"/{statement.topic}" if statement.topic else ""
    ended = " (ended)" if statement.ended else ""
    slot = f"{statement.who} {statement.what}{topic}"
    return f"{slot} {statement.value}{ended}"
