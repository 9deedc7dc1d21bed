"""The sentence files: what people say about themselves and ask, one set per language.

A language is data: templates, word lists, replies; once read it is immutable and fast.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, override

from hassil.errors import HassilError
from hassil.parser import ParseError
import yaml

from .language import Language
from .language_files import LanguageFiles

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_SHIPPED = Path(__file__).parents[1] / "sentences"


class SentenceFileError(Exception):
    """A sentence file is malformed; the message names the file and the place."""


class Sentences(LanguageFiles[Language]):
    """The sentence files of all languages."""

    @override
    def read(self, code: str, paths: Sequence[Path]) -> Language:
        merged: dict[str, Any] = {}
        for path in paths:
            _merge(merged, read_file(path), path.name)
        language = _compiled(code, merged)
        for part, examples in language.examples.items():
            for example in list(examples)[:1]:
                # The first match of each template is the slow one.
                language.matches(part, example, capitals=True)
        return language


def _compiled(code: str, data: Mapping[str, Any]) -> Language:
    with compiling(f"{code}.*.yaml"):
        return Language(code, data)


@contextmanager
def compiling(name: str) -> Iterator[None]:
    """Raise SentenceFileError, with the file's name, for content of a wrong shape."""
    try:
        yield
    except (
        AttributeError,
        KeyError,
        TypeError,
        ValueError,
        HassilError,
        ParseError,
    ) as error:
        raise SentenceFileError(f"{name}: {error!r}") from error


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


@cache
def shipped_sentences() -> Sentences:
    """Return what CAESAR ships; blocking the first time.

    The files change only with an update, which needs a restart.
    """
    return Sentences.load(_SHIPPED)
