"""The sentence files: what people say about themselves and ask, one set per language.

A language is data: templates, word lists, replies. Files named
``<language>.<part>.yaml`` together make one language. Once loaded, everything is
immutable and fast; loading reads files and belongs in an executor.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hassil.errors import HassilError
from hassil.parser import ParseError
import yaml

from .language import Language

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class SentenceFileError(Exception):
    """A sentence file is malformed; the message names the file and the place."""


class Sentences:
    """The sentence files of all languages."""

    def __init__(self, languages: Mapping[str, Language]) -> None:
        self._languages = languages

    @classmethod
    def load(cls, folder: Path) -> Sentences:
        """Read all files of a folder and make the first turn fast; blocking.

        Raises SentenceFileError for a malformed file.
        """
        merged: dict[str, dict[str, Any]] = {}
        for path in sorted(folder.glob("*.yaml")):
            code = path.name.split(".")[0]
            _merge(merged.setdefault(code, {}), read_file(path), path.name)
        languages = {code: _compiled(code, data) for code, data in merged.items()}
        for language in languages.values():
            for part, examples in language.examples.items():
                for example in list(examples)[:1]:
                    language.matches(part, example, capitals=True)
        return cls(languages)

    def __iter__(self) -> Iterator[Language]:
        return iter(self._languages.values())

    def language(self, code: str) -> Language | None:
        """Return the sentences of ``en`` or ``en-GB``; None where there are none."""
        return self._languages.get(code.replace("_", "-").split("-")[0].lower())


def _compiled(code: str, data: Mapping[str, Any]) -> Language:
    try:
        return Language(code, data)
    except (
        AttributeError,
        KeyError,
        TypeError,
        ValueError,
        HassilError,
        ParseError,
    ) as error:
        raise SentenceFileError(f"{code}.*.yaml: {error!r}") from error


def read_file(path: Path) -> Mapping[str, Any]:
    """Return what a sentence file holds; raises SentenceFileError."""
    try:
        with path.open(encoding="utf-8") as file:
            data = yaml.load(file, Loader=_LOADER)  # noqa: S506 -- a safe loader
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise SentenceFileError(f"{path.name}: {error}") from error
    if not isinstance(data, dict):
        raise SentenceFileError(f"{path.name}: the file is no mapping")
    return data


def _merge(target: dict[str, Any], source: Mapping[str, Any], name: str) -> None:
    for key, value in source.items():
        present = target.get(key)
        if present is None:
            target[key] = value.copy() if isinstance(value, dict | list) else value
        elif isinstance(present, dict) and isinstance(value, dict):
            present.update(value)
        elif isinstance(present, list) and isinstance(value, list):
            present.extend(value)
        else:
            raise SentenceFileError(f"{name}: {key!r} has the wrong shape")
