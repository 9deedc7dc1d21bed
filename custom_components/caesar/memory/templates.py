"""Sentences for facts: from key and value to words, by templates in YAML.

A template is chosen by the exact key, else by a wildcard for its first part
(``*.city``) or its last (``preference.*``), else the fallback says key and value. A
person's own templates are looked through first. ``{value}`` is the fact's value,
``{who}`` the first part of its key and ``{name}`` the last, both in the words that the
language has for them. Values are put in as they are, in one pass: braces, markup or
template syntax in them stay text.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
import re
from typing import Any, Literal, Self, cast

import yaml

from . import slots
from .errors import TemplateError
from .models import HOUSEHOLD, Fact

FOLDER = Path(__file__).parent / "templates"

type Voice = Literal["own", "household"]

_VOICES: tuple[Voice, ...] = ("own", "household")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_PLACEHOLDERS = frozenset({"key", "name", "value", "who"})
_WHITE = re.compile(r"\s+")
_TWO_ENDS = re.compile(r"([.!?。！？])[.。]$")  # noqa: RUF001
_FALLBACK = "{key}: {value}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Templates:
    """The templates of one language."""

    headings: Mapping[Voice, str]
    remark: str
    """One line under the facts that says what they are."""
    layers: tuple[Mapping[tuple[Voice, str], str], ...]
    """Sentences by voice and key, the person's own before the shipped."""
    words: Mapping[tuple[Voice, str], str]
    """What parts of keys are called, where not as they are written."""

    @classmethod
    def load(cls, language: str = "en", overrides: Path | None = None) -> Self:
        """Read the shipped templates and put a person's own over them.

        Raises TemplateError that names file and line. Reads files: not for the event
        loop.
        """
        file = FOLDER / f"{language}.yaml"
        shipped = _read(file)
        # The shipped file is ours, and a test reads it.
        headings = cast("dict[Voice, str]", shipped.pop("headings"))
        remark = cast("str", shipped.pop("remark"))
        words = _by_voice(cast("dict[str, Any]", shipped.pop("words", {})))
        layers = [_sentences(file, shipped)]
        if overrides is not None and overrides.exists():
            layers.insert(0, _sentences(overrides, _read(overrides)))
        return cls(
            headings=headings,
            remark=remark,
            layers=tuple(layers),
            words=words,
        )

    @classmethod
    def load_all(cls, overrides: Path | None = None) -> Mapping[str, Self]:
        """Read the templates of all languages that have any, by language code.

        Raises TemplateError, and reads files, as ``load`` does.
        """
        languages = sorted(file.stem for file in FOLDER.glob("*.yaml"))
        return {language: cls.load(language, overrides) for language in languages}

    def sentence(self, fact: Fact) -> str:
        """Return a fact in words, on one line."""
        voice: Voice = "household" if fact.owner == HOUSEHOLD else "own"
        words = {
            "key": fact.key,
            "name": self._called(voice, fact.key.rpartition(".")[2]),
            "who": self._called(voice, fact.key.partition(".")[0]),
            "value": _WHITE.sub(" ", fact.value),
        }
        template = self._choose(voice, fact.key)
        sentence = _PLACEHOLDER.sub(lambda match: words[match.group(1)], template)
        if template.startswith("{who}"):
            sentence = sentence[:1].upper() + sentence[1:]
        # A value that ends its own sentence needs no second full stop.
        return _TWO_ENDS.sub(r"\1", sentence)

    def _called(self, voice: Voice, part: str) -> str:
        return self.words.get((voice, part)) or part.replace("_", " ")

    def _choose(self, voice: Voice, key: str) -> str:
        patterns = _patterns(key)
        for layer in self.layers:
            for pattern in patterns:
                if template := layer.get((voice, pattern)):
                    return template
        return _FALLBACK


def _patterns(key: str) -> tuple[str, ...]:
    """Return what a template for a key may be filed under, the closest first."""
    plain = slots.without_number(key)
    parts = plain.split(".")
    exact = dict.fromkeys((key, plain))
    first = [".".join(("*", *parts[1:]))] if len(parts) > 1 else []
    last = [".".join((*parts[:end], "*")) for end in range(len(parts) - 1, 0, -1)]
    return (*exact, *first, *last)


def _by_voice(entries: Mapping[str, Any]) -> dict[tuple[Voice, str], str]:
    found: dict[tuple[Voice, str], str] = {}
    for part, words in entries.items():
        both = isinstance(words, str)
        for voice in _VOICES:
            found[(voice, part)] = words if both else words[voice]
    return found


class _Located(dict[str, object]):
    """A mapping that knows in which line each of its keys stands."""

    lines: dict[str, int]


class _Loader(yaml.SafeLoader):
    """A safe loader whose mappings are ``_Located``."""


def _located(loader: _Loader, node: yaml.MappingNode) -> _Located:
    mapping = _Located()
    mapping.lines = {}
    for key_node, value_node in node.value:
        key = str(loader.construct_object(key_node, deep=True))
        mapping[key] = loader.construct_object(value_node, deep=True)
        mapping.lines[key] = key_node.start_mark.line + 1
    return mapping


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _located)


def _read(file: Path) -> _Located:
    try:
        content = yaml.load(file.read_text("utf-8"), _Loader)  # noqa: S506  a SafeLoader
    except yaml.MarkedYAMLError as err:
        line = err.problem_mark.line + 1 if err.problem_mark else 1
        raise TemplateError(f"{file.name}, line {line}: {err.problem}") from err
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as err:
        raise TemplateError(f"{file.name}: cannot be read") from err
    if content is None:
        content = _Located()
        content.lines = {}
    if not isinstance(content, _Located):
        raise TemplateError(f"{file.name}, line 1: expected keys with sentences")
    return content


def _sentences(file: Path, content: _Located) -> dict[tuple[Voice, str], str]:
    found: dict[tuple[Voice, str], str] = {}
    for key, template in content.items():
        where = f"{file.name}, line {content.lines[key]}"
        if isinstance(template, str):
            found[("own", key)] = found[("household", key)] = _checked(where, template)
            continue
        if not isinstance(template, _Located) or set(template) - {"own", "household"}:
            raise TemplateError(f"{where}: expected a sentence, or own and household")
        for voice in _VOICES:
            if voice in template:
                found[(voice, key)] = _checked(where, template[voice])
    return found


def _checked(where: str, template: object) -> str:
    if not isinstance(template, str):
        raise TemplateError(f"{where}: expected a sentence")
    for name in _PLACEHOLDER.findall(template):
        if name not in _PLACEHOLDERS:
            raise TemplateError(f"{where}: unknown placeholder {{{name}}}")
    if "{value}" not in template:
        raise TemplateError(f"{where}: {{value}} is missing")
    return template
