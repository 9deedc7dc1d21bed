"""What a person stated about themselves, read by sentence files alone.

Precision first: a sentence is cut into clauses, and a clause that no template fits in
full teaches nothing. Questions, hypotheticals, quotations, hearsay, moods of the moment
and secrets are refused before any template is tried.
"""

from .clauses import sentences
from .guards import Guards
from .language import Language
from .reading import Reading
from .walk import Walk


class StatementReader:
    """Reads statements in one language."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._guards = Guards(language.words)

    def read(self, text: str) -> Reading:
        """Return what the person stated; nothing where in doubt."""
        reading = Reading()
        refused = self._guards.refuse_text(text)
        walk = Walk(self._language, self._guards, text, reading)
        for sentence in sentences(text, self._language.words):
            asks = self._guards.asks(sentence)
            secret = self._guards.is_secret(sentence)
            reading.asks = reading.asks or asks
            reading.secret = reading.secret or secret
            reading.complete = reading.complete and not asks
            if refused or self._guards.refuse_sentence(sentence):
                reading.complete = False
                walk.pass_over(sentence.span.text)
                continue
            open_part = self._guards.before_secret(sentence.span)
            walk.read_sentence(open_part.stripped(), asks=asks)
            if secret:
                reading.complete = False
                walk.pass_over(sentence.span.text)
        reading.statements = [
            one for one in reading.statements if one not in walk.needless
        ]
        return reading
