"""Sentence templates, matched by hassil; the only file that knows it.

hassil tries each template in turn. Most of them can be left out beforehand, because a
text that fits begins with one of few words.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hassil import (
    Alternative,
    Expression,
    IntentData,
    Intents,
    ListReference,
    RecognizeResult,
    RuleReference,
    Sequence as ExpressionSequence,
    TextChunk,
    TextSlotList,
    parse_sentence,
    recognize_all,
    sample_expression,
)
from hassil.intents import Intent
from hassil.models import MatchEntity

from .words import straight

_INTENT = "said"


@dataclass(frozen=True, slots=True)
class Template:
    """One parsed template; starts are the words it can begin with, None for any."""

    data: IntentData
    starts: tuple[str, ...] | None


class TemplateParser:
    """Parses the templates of a language, each text once."""

    def __init__(
        self,
        code: str,
        lists: Mapping[str, Any],
        rules: Mapping[str, str],
        *,
        spaced: bool = True,
    ) -> None:
        self.intents = Intents.from_dict(
            {
                "language": code,
                "settings": {"ignore_whitespace": not spaced},
                "lists": {name: _spelled_out(entry) for name, entry in lists.items()},
                "expansion_rules": rules,
                "intents": {},
            }
        )
        self._wildcards = {name for name, entry in lists.items() if "wildcard" in entry}
        self._templates: dict[str, Template] = {}

    def parse(self, text: str) -> Template:
        """Return the parsed template.

        Raises KeyError for a list or rule that does not exist, and hassil's own errors.
        """
        if text not in self._templates:
            data = IntentData(
                sentence_texts=[text], wildcard_list_names=self._wildcards
            )
            starts = self._starts(data.sentences[0].expression)
            for name in data.sentences[0].list_names(self.intents.expansion_rules):
                _ = self.intents.slot_lists[name]
            self._templates[text] = Template(
                data, None if starts is None or "" in starts else tuple(starts)
            )
        return self._templates[text]

    def _starts(self, expression: Expression) -> set[str] | None:
        """Return the words that may come first; an empty one where nothing need be."""
        match expression:
            case TextChunk():
                words = expression.text.casefold().split()
                return {words[0] if words else ""}
            case Alternative():
                return self._any_start(expression.items)
            case ExpressionSequence():
                return self._sequence_start(expression.items)
            case RuleReference():
                rule = self.intents.expansion_rules[expression.rule_name]
                return self._starts(rule.expression)
            case ListReference():
                values = self.intents.slot_lists[expression.list_name]
                if isinstance(values, TextSlotList):
                    return self._any_start([value.text_in for value in values.values])
        return None

    def _any_start(self, items: Sequence[Expression]) -> set[str] | None:
        starts: set[str] = set()
        for item in items:
            words = self._starts(item)
            if words is None:
                return None
            starts |= words
        return starts

    def _sequence_start(self, items: Sequence[Expression]) -> set[str] | None:
        starts: set[str] = set()
        for item in items:
            words = self._starts(item)
            if words is None:
                return None
            starts |= words - {""}
            if "" not in words:
                return starts
        return starts | {""}


class TemplateSet[T]:
    """Templates with what each stands for."""

    def __init__(
        self, parser: TemplateParser, entries: Sequence[tuple[str, T]]
    ) -> None:
        self._intents = parser.intents
        self._entries = [(parser.parse(text), meaning) for text, meaning in entries]

    def find(self, text: str) -> Iterator[tuple[T, RecognizeResult]]:
        """Return each way in which the whole text fits a template."""
        folded = straight(text).casefold()
        fitting = {
            id(template.data): (template.data, meaning)
            for template, meaning in self._entries
            if template.starts is None or folded.startswith(template.starts)
        }
        if not fitting:
            return
        intents = Intents(
            language=self._intents.language,
            intents={_INTENT: Intent(_INTENT, [data for data, _ in fitting.values()])},
            slot_lists=self._intents.slot_lists,
            expansion_rules=self._intents.expansion_rules,
            settings=self._intents.settings,
        )
        for result in recognize_all(text, intents):
            yield fitting[id(result.intent_data)][1], result


def place_of(entity: MatchEntity, span: tuple[int, int], text: str) -> tuple[int, int]:
    """Return where a slot's words stand.

    hassil does not count the blank between a Chinese or Japanese letter and another.
    """
    start, end = span
    found = text[start:end]
    blanks = len(found) - len(found.lstrip())
    if len(found.strip()) < len(entity.text.strip()):
        return start + blanks, end + blanks
    return start, end


def _spelled_out(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a closed list with its templates made plain, which hassil finds faster."""
    if "values" not in entry:
        return entry
    values = []
    for value in entry["values"]:
        given = value if isinstance(value, dict) else {"in": value}
        said = parse_sentence(given["in"])
        if next(said.list_names(), None):
            return entry
        for text in sample_expression(said.expression):
            plain = " ".join(text.split())
            values.append({"in": plain, "out": given.get("out", plain)})
    return {"values": values}
