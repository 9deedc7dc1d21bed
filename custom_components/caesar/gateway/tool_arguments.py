"""What small models get wrong in the arguments of a tool call, put right by its schema.

Nothing is guessed: a repair changes the form of a value, or takes away what says
nothing. A house would obey a wrong guess.
"""

from collections.abc import Iterable, Mapping
import json
from typing import Any


def repaired(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments in the form that the schema of the tool asks for.

    JSON inside a string is unpacked, a lone value becomes a list or stops being one,
    and arguments left blank are dropped.
    """
    properties: Mapping[str, Any] = schema.get("properties", {})
    fitting = {
        name: _fitting(value, properties.get(name, {}))
        for name, value in arguments.items()
    }
    present = {name: value for name, value in fitting.items() if not _is_blank(value)}
    return {
        name: value
        for name, value in present.items()
        if not _is_repetition(name, present, properties.get(name, {}))
    }


def _fitting(value: Any, schema: Mapping[str, Any]) -> Any:
    types = _types(schema)
    unpacked = _unpacked(value)
    match unpacked:
        case [str() as only] if "string" in types:
            return only
        case str() if "array" in types:
            return [unpacked]
    return value if "string" in types else unpacked


def _types(schema: Mapping[str, Any]) -> Iterable[str]:
    types = schema.get("type", ())
    return (types,) if isinstance(types, str) else types


def _unpacked(value: Any) -> Any:
    if not isinstance(value, str) or not value.strip().startswith(("[", "{")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _is_blank(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip() in ("", "null")
    return value is None or value in ([], {}, [""])


def _is_repetition(
    name: str, arguments: Mapping[str, Any], schema: Mapping[str, Any]
) -> bool:
    """Return whether an argument only repeats another one, outside its own choices.

    Any other impossible value stays, for the tool to refuse: without it, "close the
    blinds in the kitchen" might mean everything in the kitchen.
    """
    choices = schema.get("enum") or schema.get("items", {}).get("enum")
    if not choices:
        return False
    elsewhere = [
        value
        for other, values in arguments.items()
        if other != name
        for value in _as_list(values)
    ]
    return all(
        value in elsewhere and value not in choices
        for value in _as_list(arguments[name])
    )


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
