"""Facts in the words of an answer to a command."""

# ruff: noqa: RUF001 - the punctuation of other languages is meant

from collections.abc import Callable, Sequence

from .gateway.commands import Act, CommandLanguage
from .memory.extraction.keys import slot_of
from .memory.models import Fact

MAX_TOLD = 6
"""Facts that one answer tells; more could not be listened to."""


class Wording:
    """The answers of one language."""

    def __init__(
        self, language: CommandLanguage, sentence: Callable[[Fact], str]
    ) -> None:
        self._language = language
        self._sentence = sentence
        self._gap = " " if language.spaced else ""

    def say(self, reply: str, **parts: object) -> str:
        """Return one of the language's answers."""
        return self._language.replies[reply].format(**parts)

    def about(self, reply: str, facts: Sequence[Fact], old: Sequence[Fact] = ()) -> str:
        """Return an answer that names facts within its own sentence."""
        return self.say(reply, facts=self._joined(facts), old=self._joined(old))

    def tell(self, reply: str, facts: Sequence[Fact]) -> str:
        """Return an answer that tells facts, and how many more there are."""
        told = self._gap.join(self._alone(fact) for fact in facts[:MAX_TOLD])
        said = [self.say(reply, facts=told)]
        more = len(facts) - MAX_TOLD
        if more > 0:
            said.append(self.say("more_one" if more == 1 else "more", count=more))
        return self._gap.join(said)

    def ask(self, reply: str, facts: Sequence[Fact]) -> str:
        """Return a question about facts that are listed with their numbers."""
        listed = [self._alone(fact) for fact in facts[:MAX_TOLD]]
        if len(listed) > 1:
            listed = [f"{n}. {text}" for n, text in enumerate(listed, 1)]
        return self.say(reply, count=len(facts), list=self._gap.join(listed))

    def _joined(self, facts: Sequence[Fact]) -> str:
        mark = "; " if self._language.spaced else "；"
        return mark.join(self._within(fact) for fact in facts)

    def _alone(self, fact: Fact) -> str:
        words = self._words(fact)
        if words.endswith((".", "!", "?", "。", "！", "？")):
            return words
        return f"{words}." if self._language.spaced else f"{words}。"

    def _within(self, fact: Fact) -> str:
        return self._language.within(self._words(fact))

    def _words(self, fact: Fact) -> str:
        """Return the fact's sentence, or the person's own words where there is none."""
        slot = slot_of(fact.key)
        if slot is not None and (slot.who, slot.what) in (
            ("me", "note"),
            ("home", "note"),
        ):
            return self.say("quoted", words=fact.value)
        quote = self._said(fact)
        if self._language.code != "en" and fact.value in quote:
            # The shipped sentences are English.
            return self.say("quoted", words=quote)
        return self._sentence(fact)

    def _said(self, fact: Fact) -> str:
        """Return the person's own words, without the wish to remember them."""
        command = self._language.match(fact.quote or "")
        if command is not None and command.act is Act.REMEMBER:
            return command.words
        return (fact.quote or "").strip(" .!。！")
