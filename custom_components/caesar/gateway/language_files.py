"""The files of several languages, each language read when it is first needed.

Reading one takes up to seconds on a small computer and belongs in an executor; what was
read is kept for as long as Home Assistant runs.
"""

from abc import ABC, abstractmethod
import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Self


class LanguageFiles[Spoken](ABC):
    """A folder in which ``<language>.<part>.yaml`` files together make a language."""

    def __init__(self, files: Mapping[str, Sequence[Path]]) -> None:
        self._files = files
        self._languages: dict[str, Spoken] = {}
        self._reading = Lock()

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Find the files of a folder, without reading them yet; blocking."""
        files: dict[str, list[Path]] = {}
        for path in sorted(folder.glob("*.yaml")):
            files.setdefault(path.name.split(".")[0], []).append(path)
        return cls(files)

    @abstractmethod
    def read(self, code: str, paths: Sequence[Path]) -> Spoken:
        """Read a language; blocking, raises SentenceFileError for a malformed file."""

    def __iter__(self) -> Iterator[Spoken]:
        """Yield each language; blocking, raises as ``language`` does."""
        for code in self._files:
            if (language := self.language(code)) is not None:
                yield language

    def language(self, code: str) -> Spoken | None:
        """Return the language of ``en`` or ``en-GB``; None where there are no files.

        Blocking the first time. Raises SentenceFileError for a malformed file.
        """
        code = _base(code)
        if code not in self._files:
            return None
        with self._reading:
            if code not in self._languages:
                self._languages[code] = self.read(code, self._files[code])
            return self._languages[code]

    async def async_language(self, code: str) -> Spoken | None:
        """Return what ``language`` does, without holding up the event loop."""
        code = _base(code)
        if code in self._languages or code not in self._files:
            return self._languages.get(code)
        return await asyncio.to_thread(self.language, code)


def _base(code: str) -> str:
    return code.replace("_", "-").split("-")[0].lower()
