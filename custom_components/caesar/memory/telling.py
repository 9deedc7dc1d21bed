"""How facts are told: to people as sentences, to a model as the section of a turn.

What was worded once is kept until its fact changes, so that a turn costs the same with
ten facts and with ten thousand.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Final

from .composer import Caps, Phrase, Section, compose
from .errors import TemplateError
from .instructions import is_instruction
from .ledger import Patch
from .models import Fact, Owner, Scope
from .ranking import Ranking
from .shelf import Shelf
from .templates import Templates

_DEFAULT_LANGUAGE: Final = "en"


class Telling:
    """The texts of all languages, and what was worded with them."""

    def __init__(self, shelf: Shelf) -> None:
        """Take the facts in RAM, which change under it; ``follow`` says how."""
        self._shelf = shelf
        self._templates: Mapping[str, Templates] = {}
        # What no model may be told has a place without a phrase.
        self._phrases: dict[tuple[Owner, str], dict[int, Phrase | None]] = {}
        self._sections: dict[
            tuple[Owner, Caps, str], tuple[Section, datetime | None]
        ] = {}
        self.problem: str | None = None
        """What is wrong with the person's templates; the shipped ones serve then."""

    def load(self, file: Path | None) -> None:
        """Read the templates; it waits for the disk."""
        try:
            self._templates = Templates.load_all(file)
        except TemplateError as err:
            self.problem = str(err)
            self._templates = Templates.load_all()

    def prepare(self, language: str) -> None:
        """Word all facts in a language; with many that takes its time."""
        for owner in self._shelf.owners:
            self._phrases_of(owner, self._worded_in(language))

    def follow(self, patches: Iterable[Patch]) -> None:
        """Forget what was worded of facts that have changed."""
        self._sections.clear()
        for patch in patches:
            for (owner, _), phrases in self._phrases.items():
                if owner == patch.owner:
                    phrases.pop(patch.fact_id, None)

    def sentence(self, fact: Fact, language: str) -> str:
        """Return a fact in words, in English where the language has no templates."""
        return self._texts(self._worded_in(language)).sentence(fact)

    def section(
        self, scope: Scope, text: str, caps: Caps, language: str, now: datetime
    ) -> Section:
        """Return what a turn of this speaker at this moment would be told."""
        spoken, language = language, self._worded_in(language)
        cached = self._sections.get((scope.owner, caps, language))
        if cached and (cached[1] is None or now < cached[1]):
            return cached[0]
        section = compose(
            chain.from_iterable(
                self._phrases_of(owner, language) for owner in scope.visible
            ),
            scope,
            ranking=Ranking.of(text, spoken, now),
            caps=caps,
            templates=self._texts(language),
            now=now,
        )
        if len(section.fact_ids) == section.total:
            # All went in, so the words of the turn made no difference.
            until = self._next_end(scope, now)
            self._sections[(scope.owner, caps, language)] = (section, until)
        return section

    def _next_end(self, scope: Scope, now: datetime) -> datetime | None:
        visible = chain.from_iterable(
            self._shelf.told(owner).values() for owner in scope.visible
        )
        ends = (fact.expires_at for fact in visible)
        return min((end for end in ends if end is not None and end > now), default=None)

    def _phrases_of(self, owner: Owner, language: str) -> Iterable[Phrase]:
        phrases = self._phrases.setdefault((owner, language), {})
        facts = self._shelf.told(owner)
        if len(phrases) != len(facts):
            texts = self._texts(language)
            for fact_id in facts.keys() - phrases.keys():
                phrases[fact_id] = _phrase(facts[fact_id], texts)
        return (phrase for phrase in phrases.values() if phrase is not None)

    def _worded_in(self, language: str) -> str:
        base = language.lower().replace("_", "-").partition("-")[0]
        return base if base in self._templates else _DEFAULT_LANGUAGE

    def _texts(self, language: str) -> Templates:
        assert self._templates, "not open"  # noqa: S101
        return self._templates[language]


def _phrase(fact: Fact, texts: Templates) -> Phrase | None:
    return None if is_instruction(fact.value) else Phrase.of(fact, texts)
