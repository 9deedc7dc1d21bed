"""What a turn is after: whether looking into the past could be of any use to it."""

from .extraction.clauses import without_leads
from .extraction.language import find
from .extraction.text import normalize


def is_plain_order(text: str, language: str) -> bool:
    """Return whether a text only tells the house to do something.

    In a language without data nothing is known to be one.
    """
    spoken = find(language)
    bare = without_leads(normalize(text.replace(",", " ")), spoken)
    order = spoken.order.match(bare) or spoken.order_anywhere.search(bare)
    return bool(order) and not (
        spoken.question.search(bare)
        or spoken.question_anywhere.search(bare)
        or bare.endswith(("?", "？"))  # noqa: RUF001  the Chinese mark is meant
    )
