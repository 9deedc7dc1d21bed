"""Lists of words and phrases from the sentence files, and what they find in a text.

A phrase is plain words; ``*`` stands for the rest of a word, ``N`` for a number in
digits, ``(this|that)`` for one of several words and ``[this|that]`` for one or none. A
word list can take in another one by ``@name``, alone or as one of several words. The
list ``elisions`` names what may stand before a word with an apostrophe, such as "l" in
"l'eau". A phrase in Chinese or Japanese is found anywhere, since nothing there marks
where a word begins.
"""

from collections.abc import Iterable, Mapping, Sequence
import re

from .unspaced import SIGNS, is_unspaced

_APOSTROPHES = str.maketrans("\u2019\u02bc`", "'''")
# These scripts know no case, and compiling so large a set for both takes long.
_SIGN = rf"(?-i:[{SIGNS}])"
_WORD_ENDS = rf"(?:(?![\w'])|(?={_SIGN}))"
# What parts a phrase from what follows; a bracket or a quotation mark belongs to that.
_AFTER = r"[\s,.:;!?\u2026\u2013\u2014\u3001\u3002\uff0c\uff01\uff1f\uff1a-]*"
_NAMED = re.compile(r"(?<=[(|\[])@(\w+)")
_MARKS = ((r"\*", r"[\w'-]*"), ("N", r"\d+"), (r"\(", "(?:"), (r"\)", ")"))
_MAYBE = re.compile(r"\\\[(.+?)\\\]")
# A word that may be missing takes the blank beside it along.
_CHOICES = {
    True: ((_MAYBE, r"(?:\1)?"),),
    False: (
        (re.compile(rf"{_MAYBE.pattern}\\ "), r"(?:(?:\1)\\W+)?"),
        (re.compile(rf"\\ {_MAYBE.pattern}"), r"(?:\\W+(?:\1))?"),
    ),
}


def straight(text: str) -> str:
    """Return the text with typographic apostrophes made plain; the length stays."""
    return text.translate(_APOSTROPHES)


class Phrases:
    """A list of phrases, matched as whole words whatever the case."""

    def __init__(self, phrases: Sequence[str], elisions: Sequence[str] = ()) -> None:
        longest_first = sorted(set(phrases), key=lambda phrase: (-len(phrase), phrase))
        elided = (rf"(?<=\b{re.escape(word)}')" for word in elisions)
        edge = "|".join((r"(?<![\w'])", rf"(?<={_SIGN})", *elided))
        spaced = _any(phrase for phrase in longest_first if not is_unspaced(phrase))
        unspaced = _any(phrase for phrase in longest_first if is_unspaced(phrase))
        whole = rf"(?:(?:{edge})(?:{spaced})|{unspaced})"
        self._anywhere = re.compile(whole, re.IGNORECASE)
        self._start = re.compile(rf"\W*(?:{spaced}|{unspaced}){_AFTER}", re.IGNORECASE)
        self._end = re.compile(rf"\W*{whole}\W*$", re.IGNORECASE)

    def found_in(self, text: str) -> bool:
        """Return whether any phrase stands somewhere in the text."""
        return self._anywhere.search(straight(text)) is not None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where the phrases stand, from left to right."""
        return [match.span() for match in self._anywhere.finditer(straight(text))]

    def equal(self, text: str) -> bool:
        """Return whether the text is one of the phrases."""
        return self._anywhere.fullmatch(straight(text).strip()) is not None

    def make_up(self, text: str) -> bool:
        """Return whether the text is made of phrases and nothing else."""
        rest = straight(text).strip()
        while rest:
            match = self._anywhere.match(rest)
            if match is None:
                return False
            rest = rest[match.end() :].lstrip(" \t\n-")
        return True

    def start(self, text: str) -> int:
        """Return how many characters a phrase at the start takes, else 0."""
        match = self._start.match(straight(text))
        return match.end() if match else 0

    def end(self, text: str) -> int:
        """Return where a phrase at the end begins, else the length of the text."""
        match = self._end.search(straight(text))
        return match.start() if match else len(text)


class WordLists:
    """The named word lists of a language."""

    def __init__(self, lists: Mapping[str, Sequence[str]]) -> None:
        self._lists = lists
        self.elisions: Sequence[str] = lists.get("elisions", ())
        self._compiled = {name: self.phrases(lists[name]) for name in lists}
        elided = "|".join(map(re.escape, self.elisions)) or r"(?!)"
        self._elided = re.compile(rf"(?:{elided})'(?=\w)", re.IGNORECASE)

    def __getitem__(self, name: str) -> Phrases:
        return self._compiled.get(name) or Phrases(())

    def plain(self, name: str) -> list[str]:
        """Return the phrases of a list as they are written."""
        return self._expand(self._lists.get(name, ()))

    def phrases(self, entries: Sequence[str]) -> Phrases:
        """Return the entries as phrases, with lists that they name taken in.

        Raises KeyError for a list that does not exist, TypeError for what YAML did not
        read as text, such as a bare "on".
        """
        return Phrases(self._expand(entries), self.elisions)

    def without_elision(self, word: str) -> str:
        """Return the word without what is elided before it: "l'eau" to "eau"."""
        match = self._elided.match(word)
        return word[match.end() :] if match else word

    def _expand(self, entries: Sequence[str]) -> list[str]:
        expanded: list[str] = []
        for entry in entries:
            if not isinstance(entry, str):
                raise TypeError(f"{entry!r} in a word list needs quotation marks")
            if entry.startswith("@"):
                expanded += self._expand(self._lists[entry[1:]])
            else:
                expanded.append(_NAMED.sub(self._choices, entry))
        return expanded

    def _choices(self, named: re.Match[str]) -> str:
        return "|".join(self._expand(self._lists[named[1]]))


def _any(phrases: Iterable[str]) -> str:
    """Return what finds any of the phrases, where words have to end as whole ones."""
    open_ended: list[str] = []
    words: list[str] = []
    for phrase in phrases:
        has_no_end = phrase.endswith("'") or is_unspaced(phrase)
        (open_ended if has_no_end else words).append(_pattern(phrase))
    # The end is written once: it is slow to compile, and there are thousands of words.
    whole = rf"(?:{'|'.join(words)}){_WORD_ENDS}" if words else ""
    return "|".join((*open_ended, *([whole] if whole else []))) or r"(?!)"


def _pattern(phrase: str) -> str:
    pattern = re.escape(straight(phrase))
    for mark, meaning in _MARKS:
        pattern = pattern.replace(mark, meaning)
    for choice, meaning in _CHOICES[is_unspaced(phrase)]:
        pattern = choice.sub(meaning, pattern)
    return pattern.replace(r"\ ", r"\W+").replace(r"\|", "|")
