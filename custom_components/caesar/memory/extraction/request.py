"""The question for facts: kind first, closed lists, examples half without a fact.

A small model that first names the kind of an utterance extracts far less that nobody
meant; shown neither the reply nor what is stored, it cannot repeat either.
"""

from datetime import date
import json
from typing import Final

from ..models import Exchange
from ..ports import ExtractionRequest
from ..slots import WHAT, WHO

KINDS: Final = (
    "lasting",
    "now",
    "order",
    "question",
    "pretend",
    "joke",
    "unsure",
    "others",
    "noise",
)
LASTING: Final = "lasting"
MAX_FACTS: Final = 6
MAX_VALUE: Final = 80

_INSTRUCTIONS: Final = """\
You write the index card of somebody who talks to the assistant of their home. You are \
given the words of that person. First name their kind, then list the lasting facts in \
them. Most words hold none.
kind:
- lasting: tells something about the speaker, their family, pets or home that is still \
true in some months: a name, birthday, town, origin, job, health, allergy, diet, \
something liked or disliked, a hobby, a weekly routine, a standing wish for the home; \
or tells that such a thing changed or is over. Also when an order or a question stands \
beside it.
- now: only a mood, a place, a device or an event of today
- order: only a command
- question: only asks
- pretend: imagined, a game, a story, something quoted or translated, a voice from \
radio or television
- joke: irony or exaggeration
- unsure: the speaker does not know
- others: about strangers or famous people
- noise: small talk or words without sense
A fact: who it is about, what it is, value = the speaker's own words in their own \
language, few of them; holds = true, or ended when it is over.
wish = how the home or the assistant should always be; routine = done every day or \
week; hobby = a sport, a game, an instrument; note = anything else that lasts. What \
the speaker never has, eats or does is a fact that holds. Only kind "lasting" has \
facts."""


def _answer(kind: str, *facts: tuple[str, str, str] | tuple[str, str, str, str]) -> str:
    rows = [
        {
            "who": fact[0],
            "what": fact[1],
            "value": fact[2],
            "holds": fact[3] if len(fact) > 3 else "true",  # noqa: PLR2004
        }
        for fact in facts
    ]
    return json.dumps({"kind": kind, "facts": rows}, ensure_ascii=False)


_EXAMPLES: Final = (
    (
        "Our dog is called Vumbo and my daughter Ollisa is seven.",
        _answer(
            LASTING,
            ("dog", "name", "Vumbo"),
            ("daughter", "name", "Ollisa"),
            ("daughter", "age", "seven"),
        ),
    ),
    ("Switch the heater on, I'm soaked.", _answer("now")),
    (
        "Set the alarm to five, I'm a trellwright and start early.",
        _answer(LASTING, ("me", "job", "trellwright")),
    ),
    ("Oh lovely, the third flat tyre this week, just what I like.", _answer("joke")),
    (
        "What could I bake for Sunday? Quorvens give me a rash, I'm allergic.",
        _answer(LASTING, ("me", "allergy", "Quorvens")),
    ),
    ("Imagine I had a yacht called Zephrine.", _answer("pretend")),
    (
        "I gave up fencing, I do glimball now.",
        _answer(
            LASTING,
            ("me", "hobby", "fencing", "ended"),
            ("me", "hobby", "glimball"),
        ),
    ),
    ("Play something by the Drummels.", _answer("order")),
    (
        "Put on some dwelp, that's my favourite music.",
        _answer(LASTING, ("me", "favourite", "dwelp")),
    ),
    (
        "Ich wohne in Plonitz und mag keinen Brullow.",
        _answer(LASTING, ("me", "city", "Plonitz"), ("me", "dislike", "Brullow")),
    ),
    ("Sure, and I'm the emperor of Trondle.", _answer("joke")),
    ("Maybe I'll learn the zorn one day.", _answer("unsure")),
    (
        "My favourite drink is vashti tea and my mother lives in Brimsel.",
        _answer(
            LASTING,
            ("me", "favourite", "vashti tea"),
            ("mother", "city", "Brimsel"),
        ),
    ),
    ("My favourite sport? Losing my keys, every single day.", _answer("joke")),
    ("and here is Dilla Morf with the news from Harbick", _answer("pretend")),
    (
        "When I say sleepyhead I mean all shutters down.",
        _answer(LASTING, ("home", "wish", "sleepyhead: all shutters down")),
    ),
    ("Some guy at the bakery hates his boss.", _answer("others")),
    (
        "Just call me Karvo, not Morbino.",
        _answer(LASTING, ("me", "name", "Karvo")),
    ),
    (
        "for forty years I sailed out of Quenby, and the rest after the news",
        _answer("pretend"),
    ),
    (
        "I don't have a car, I take the tram to the Gorvin works every day.",
        _answer(
            LASTING,
            ("me", "car", "don't have a car"),
            ("me", "routine", "tram to the Gorvin works every day"),
        ),
    ),
    ("Is the back door locked? I'm already in bed.", _answer("question")),
)

_MADE_UP: Final = frozenset(
    {
        "vumbo",
        "ollisa",
        "trellwright",
        "quenby",
        "quorvens",
        "zephrine",
        "glimball",
        "drummels",
        "plonitz",
        "brullow",
        "trondle",
        "zorn",
        "vashti",
        "brimsel",
        "dilla",
        "morf",
        "harbick",
        "karvo",
        "morbino",
        "dwelp",
        "sleepyhead",
        "gorvin",
    }
)

_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": list(KINDS)},
        "facts": {
            "type": "array",
            "maxItems": MAX_FACTS,
            "items": {
                "type": "object",
                "properties": {
                    "who": {"type": "string", "enum": list(WHO)},
                    "what": {"type": "string", "enum": list(WHAT)},
                    "value": {
                        "type": "string",
                        "minLength": 1,
                        "maxLength": MAX_VALUE,
                    },
                    "holds": {"type": "string", "enum": ["true", "ended"]},
                },
                "required": ["who", "what", "value", "holds"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["kind", "facts"],
    "additionalProperties": False,
}


def build_request(
    exchange: Exchange, local_date: date, max_tokens: int = 320
) -> ExtractionRequest:
    """Return the request for one exchange."""
    return ExtractionRequest(
        instructions=_INSTRUCTIONS,
        examples=_EXAMPLES,
        text=exchange.user_text,
        language=exchange.language,
        local_date=local_date,
        answer_schema=_SCHEMA,
        max_tokens=max_tokens,
        heard_by=exchange.heard_by,
    )


def example_words() -> frozenset[str]:
    """Return the made-up words of the examples, folded; no answer may hold one."""
    return _MADE_UP
