"""Finding the facts that share the most words with a question."""

from collections.abc import Iterable, Sequence
from itertools import chain
import re

from .base import KnownFact
from .language import Language
from .unspaced import Lexicon, is_unspaced, pairs_of_letters
from .words import straight

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_MIN_STEM = 3
_MIN_COVERED = 0.5
_MAX_ANSWERS = 3


class WordOverlap:
    """Compares questions with facts by their content words."""

    def __init__(self, language: Language) -> None:
        self._words = language.words
        self._stop = frozenset(language.words.plain("stop_words"))
        self._lexicon = Lexicon(
            word
            for word in (
                *self._stop,
                *language.synonyms,
                *chain.from_iterable(language.synonyms.values()),
            )
            if is_unspaced(word)
        )
        self._endings = sorted(language.words.plain("endings"), key=len, reverse=True)
        self._classes = {
            self._stem(word): name
            for name, members in language.synonyms.items()
            for word in (name, *members)
        }

    def best(
        self, question: str, known: Sequence[KnownFact], *, limit: int = _MAX_ANSWERS
    ) -> list[KnownFact]:
        """Return the facts that share most with the question; none for a faint echo."""
        return self._covering(question, known, _MIN_COVERED)[:limit]

    def complete(self, question: str, known: Sequence[KnownFact]) -> list[KnownFact]:
        """Return the facts that hold every content word of the question."""
        return self._covering(question, known, 1.0)[:_MAX_ANSWERS]

    def narrowed(self, question: str, facts: Sequence[KnownFact]) -> list[KnownFact]:
        """Return those of the facts that share most; all where none stands out."""
        asked = self._content(question)
        near = self._looks_for(asked)
        shared = [
            len(asked & self._content(f.value)) if near.search(f.value) else 0
            for f in facts
        ]
        most = max(shared, default=0)
        return [f for f, count in zip(facts, shared, strict=True) if count == most]

    def _covering(
        self, question: str, known: Sequence[KnownFact], least: float
    ) -> list[KnownFact]:
        asked = self._content(question)
        if not asked:
            return []
        named, names = self._named(asked, known)
        if names and asked <= named:
            return [f for f in known if self._class(f.key.split(".")[0]) in names]
        wanted = asked | names
        near = self._looks_for(wanted)
        scored = []
        for fact in known:
            if not _may_hold(near, fact):
                continue
            shared = wanted & self._content(_text(fact))
            covered = len(shared & asked) + (
                1 if shared & names and not shared & asked else 0
            )
            if covered / len(asked) >= least and shared:
                scored.append((len(shared), fact))
        most = max((score for score, _ in scored), default=0)
        best = [fact for score, fact in scored if score == most]
        return self._with_names(question, best, known)

    def _with_names(
        self, question: str, best: list[KnownFact], known: Sequence[KnownFact]
    ) -> list[KnownFact]:
        """Add the names of those the facts are about, where the question is who."""
        if not self._words["person_question"].found_in(question):
            return best
        names = {f"{fact.key.rpartition('.')[0]}.name" for fact in best}
        return best + [f for f in known if f.key in names and f not in best]

    def _named(
        self, asked: set[str], known: Sequence[KnownFact]
    ) -> tuple[set[str], set[str]]:
        """Return the words of the names that the question calls, and their kinds."""
        near = self._looks_for(asked)
        called = [
            (fact, words)
            for fact in known
            if fact.key.endswith(".name") and near.search(fact.value)
            if asked & (words := self._content(fact.value))
        ]
        return (
            {word for _, words in called for word in words},
            {self._class(fact.key.split(".")[0]) for fact, _ in called},
        )

    def _looks_for(self, classes: set[str]) -> re.Pattern[str]:
        """Return a quick look at a text that finds all that hold one of the words.

        It finds others too; to read the words of thousands of facts would take long.
        """
        stems = {stem for stem, name in self._classes.items() if name in classes}
        # Any kind of apostrophe may have been typed.
        bodies = (re.escape(s).replace("'", ".") for s in sorted(stems | classes))
        return re.compile("|".join(bodies) or r"(?!)", re.IGNORECASE)

    def _content(self, text: str) -> set[str]:
        return set(self._classified(straight(text).lower()))

    def _classified(self, text: str) -> Iterable[str]:
        for word in chain.from_iterable(map(self._cut, _WORD.findall(text))):
            plain = self._words.without_elision(word)
            plain = plain.removesuffix("'s").removesuffix("'")
            if word not in self._stop and plain not in self._stop:
                yield self._class(plain)

    def _cut(self, run: str) -> Iterable[str]:
        """Return the words of a run of letters; where unknown, its pairs of letters."""
        if not is_unspaced(run):
            return (run,)
        return chain.from_iterable(
            (piece,) if piece in self._lexicon else pairs_of_letters(piece)
            for piece in self._lexicon.cut(run)
        )

    def _class(self, word: str) -> str:
        stem = self._stem(word)
        return self._classes.get(stem, stem)

    def _stem(self, word: str) -> str:
        word = word.lower()
        for ending in self._endings:
            if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM:
                return word[: -len(ending)]
        return word


def _may_hold(near: re.Pattern[str], fact: KnownFact) -> bool:
    return any(near.search(part) for part in (fact.value, fact.sentence, fact.key))


def _text(fact: KnownFact) -> str:
    key = re.sub(r"[._]+", " ", fact.key)
    return f"{key} {fact.value} {fact.sentence}"
