"""What memory costs: tokens of a turn and of learning, and how often a model is asked.

Without a model, its server is a fake that reads what CAESAR sends. With one, the server
counts the tokens, and the seconds are measured.
"""

import argparse
import asyncio
from collections.abc import Awaitable, Sequence
import logging
import sys
import time
from typing import Final
from uuid import uuid4

from custom_components.caesar.memory.models import EventKind

from .measuring.costs import Cost, Learned, Told
from .measuring.home import LANGUAGES, Home, home
from .measuring.household import Household, household, languages
from .measuring.table import Cell, machine, print_table
from .measuring.tokens import AnthropicCounter, Counter, Estimate, OllamaCounter

A_DAY: Final = 40
"""Exchanges that are taken for a day of a family."""


def main() -> int:
    """Measure, and print what came out."""
    parser = _parser()
    options = parser.parse_args()
    if bool(options.url) != bool(options.model):
        parser.error("--url and --model belong together")
    if options.seconds_only and not options.url:
        parser.error("--seconds-only needs --url and --model")
    # Home Assistant's log would stand between the tables.
    logging.disable(logging.CRITICAL)
    return asyncio.run(_measure(options))


async def _measure(options: argparse.Namespace) -> int:
    said = household(options.language)
    print(f"Measured on {machine()}.")
    if not options.seconds_only:
        await _count(options, said)
    if options.url:
        await _take_time(options, said)
    return 0


async def _count(options: argparse.Namespace, said: Household) -> None:
    language = LANGUAGES[options.provider]
    counter = _counter(options)
    print(counter.says)
    async with (
        language.fake() as fake,
        home(language, fake.url, language.model, spoken=said.language) as lived,
    ):
        cost = Cost(
            home=lived, fake=fake, language=language, counter=counter, said=said
        )
        _print_turns(await cost.of_turns(), await cost.of_tools())
        learned = await cost.of_learning()
    _print_request(learned, language.name)
    _print_day(learned, said)


async def _take_time(options: argparse.Namespace, said: Household) -> None:
    async with home(
        LANGUAGES[options.provider],
        options.url,
        options.model,
        spoken=said.language,
        # So that no server has read the beginning of this prompt before.
        greeting=f"{uuid4()}\n",
    ) as lived:
        await _print_seconds(lived, said, options.model)


def _counter(options: argparse.Namespace) -> Counter:
    if not options.url:
        return Estimate()
    if options.provider == "ollama":
        return OllamaCounter(options.url, options.model)
    return AnthropicCounter(options.url, options.model, options.key)


def _print_turns(turns: Sequence[Told], tools: int) -> None:
    print_table(
        "What a turn is told, in a house with one lamp that the agent may switch",
        ("known of the speaker", "facts told", "characters", "tokens", "whole turn"),
        [(t.known, t.facts, t.characters, t.tokens, t.turn) for t in turns],
    )
    print(
        f"\nAnother integration's agent, where the options let it know the facts, is "
        f"told the same\nand given three tools: {tools:,} tokens on each turn."
    )


def _print_request(learned: Learned, asked: str) -> None:
    print_table(
        f"One request for facts, as {asked} is asked",
        ("part", "tokens"),
        [
            ("instructions and examples: always the same", learned.stable),
            ("the person's words", learned.new),
            ("the answer, where there is no fact", learned.nothing),
            ("the answer, with one fact", learned.one),
        ],
    )


def _print_day(learned: Learned, said: Household) -> None:
    asked = learned.asked
    counts = [(kind, len(texts), asked[kind]) for kind, texts in _kinds(said)]
    total = sum(count for _, count, _ in counts)
    counts.append(("all", total, learned.requests))
    print_table(
        f"Requests for {total} utterances of a family, language {said.language!r}, "
        "written for this benchmark",
        ("utterances", "said", "asked about", "spared"),
        [(kind, count, calls, count - calls) for kind, count, calls in counts],
    )
    for text in learned.missed:
        print(f"\nTells something, and was not asked about: {text}")
    requests, tokens = learned.requests / total, learned.tokens / total
    print_table(
        "What learning costs",
        ("of", "requests", "tokens"),
        [
            ("one exchange, on average", requests, tokens),
            (f"a day of {A_DAY} exchanges", requests * A_DAY, tokens * A_DAY),
        ],
    )


async def _print_seconds(lived: Home, said: Household, model: str) -> None:
    """Take the time of turns and of learning, one after the other."""
    rows: list[tuple[Cell, ...]] = []

    async def timed(what: str, work: Awaitable[None], kind: EventKind) -> None:
        began = time.monotonic()
        await work
        seconds = time.monotonic() - began
        rows.append((what, seconds, *await lived.tokens(kind)))

    async def turn(what: str) -> None:
        await timed(what, lived.ask(said.ask, lived.robin), EventKind.CHAT_COMPLETED)

    async def learning(what: str, text: str) -> None:
        await timed(what, lived.learn(text), EventKind.EXTRACTION_ANSWERED)

    await lived.know(lived.robin, said.known[:10])
    first, second, third, *_ = said.utterances["facts"]
    await turn("a turn, cold")
    await turn("a turn, warm")
    await learning("learning, cold", first)
    await learning("learning, warm", second)
    await turn("a turn after learning")
    await learning("learning after a turn", third)
    print_table(
        f"Seconds with {model}, in this order, on {machine()}",
        ("what", "seconds", "tokens read", "from its cache", "written"),
        rows,
    )


def _kinds(said: Household) -> Sequence[tuple[str, Sequence[str]]]:
    return list(said.utterances.items())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scripts/benchmark cost", description=__doc__)
    parser.add_argument("--provider", choices=sorted(LANGUAGES), default="ollama")
    parser.add_argument("--url", help="address of a model's server")
    parser.add_argument("--model", help="one of its models")
    parser.add_argument(
        "--seconds-only", action="store_true", help="count no tokens beforehand"
    )
    parser.add_argument("--key", default="no key", help="key of an account")
    parser.add_argument("--language", choices=languages(), default="en")
    return parser


if __name__ == "__main__":
    sys.exit(main())
