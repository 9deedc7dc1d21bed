"""Read a model's answer, whatever it is wrapped in; all of it or nothing.

Accepted: the object with kind and facts, a bare list of ``{key, value, confidence}`` or
of facts, a single one of either, any of them in a code fence, after ``<think>`` text or
before trailing words. An item that is no object makes the answer unusable. An item
without a value says nothing and is left out. A *who* in another word ("wife") is
mapped; one that no word list knows is left out too, since its fact would be pinned on
the wrong person. A *what* that nothing maps becomes a note.
"""

from collections.abc import Mapping
from dataclasses import dataclass
import json
import re

from ..errors import UnusableAnswerError
from ..models import Candidate, Json
from ..slots import WHAT, WHO
from .keys import free_key, slot_of, what_of, who_of
from .request import LASTING

_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_START = re.compile(r'\{\s*["}]|\[\s*[\{\]\["\d]')
_LISTS = ("facts", "changes")
_FACT_FIELDS = ("value", "key", "who", "what")
_OVER = ("ended", "false", "no", "over")


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """The kind that the generator named, and the facts it listed."""

    kind: str
    candidates: tuple[Candidate, ...]


def parse_answer(text: str) -> Answer:
    """Return the kind and the facts of an answer; no facts is the normal case.

    Raises UnusableAnswerError where the text holds no such answer.
    """
    kind, items = _shape(_first_json(_THOUGHT.sub("", text)))
    if not all(isinstance(item, dict) for item in items):
        raise UnusableAnswerError("an item of the answer is no object")
    found = (_candidate(item) for item in items if isinstance(item, dict))
    candidates = tuple(candidate for candidate in found if candidate is not None)
    return Answer(kind=kind, candidates=candidates if kind == LASTING else ())


def _first_json(text: str) -> Json:
    start = _START.search(text)
    if start is None:
        raise UnusableAnswerError("the answer holds no JSON")
    try:
        value: Json = json.JSONDecoder().raw_decode(text, start.start())[0]
    except ValueError as error:
        # Never the first whole item of a broken list: that would be half an answer.
        raise UnusableAnswerError("the JSON of the answer is broken") from error
    except RecursionError as error:
        raise UnusableAnswerError("the JSON of the answer is too deep") from error
    return value


def _shape(value: Json) -> tuple[str, list[Json]]:
    if isinstance(value, list):
        return LASTING, value
    if not isinstance(value, dict):
        raise UnusableAnswerError("the answer is neither an object nor a list")
    kind = value.get("kind", LASTING)
    if not isinstance(kind, str):
        raise UnusableAnswerError("the kind of the answer is no word")
    for name in _LISTS:
        if name in value:
            items = value[name]
            if not isinstance(items, list):
                raise UnusableAnswerError(f"{name} of the answer is no list")
            return kind, items
    if any(name in value for name in _FACT_FIELDS):
        return LASTING, [value]
    if "kind" in value or not value:
        return kind, []
    raise UnusableAnswerError("the answer has neither kind nor facts")


def _candidate(item: Mapping[str, Json]) -> Candidate | None:
    value = _text(item.get("value"))
    if not value:
        return None
    if "who" not in item and "what" not in item:
        return _by_key(_text(item.get("key")), value, item)
    who = _text(item.get("who")).lower() or "me"
    what = _text(item.get("what")).lower()
    known_who = who if who in WHO else who_of(who)
    if known_who is None:
        return None
    return Candidate(
        who=known_who,
        what=what if what in WHAT else what_of(what) or "note",
        value=value,
        ended=_is_over(item),
        topic=_text(item.get("topic")).lower(),
        confidence=_confidence(item),
    )


def _by_key(key: str, value: str, item: Mapping[str, Json]) -> Candidate | None:
    slot = slot_of(key)
    if slot is None:
        return Candidate(
            who="me",
            what="note",
            key=free_key(key),
            value=value,
            ended=_is_over(item),
            confidence=_confidence(item),
        )
    return Candidate(
        who=slot.who,
        what=slot.what,
        topic=slot.topic,
        value=value,
        ended=_is_over(item),
        confidence=_confidence(item),
    )


def _text(value: Json) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())


def _is_over(item: Mapping[str, Json]) -> bool:
    holds = item.get("holds", True)
    return holds is False or str(holds).lower() in _OVER


def _confidence(item: Mapping[str, Json]) -> float:
    value = item.get("confidence")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 1.0
    return min(1.0, max(0.0, float(value)))
